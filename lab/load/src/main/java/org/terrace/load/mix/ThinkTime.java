package org.terrace.load.mix;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The time a user spends between a page and the next request. Immutable. */
public sealed interface ThinkTime {

  /** An exponential think time is never longer than this many times its mean. */
  int CAP_IN_MEANS = 10;

  /** RUBBoS's think time, exponential with a mean of seven seconds. */
  ThinkTime RUBBOS = new Exponential(Duration.ofSeconds(7));

  /** Draws a think time, in nanoseconds. */
  long sampleNanos(RandomGenerator random);

  /** The exact mean of what {@link #sampleNanos} draws, in nanoseconds. */
  double meanNanos();

  /**
   * Reads a think time.
   *
   * @param text {@code exp(7s)}, {@code const(2s)}, or a bare duration, which is constant
   * @throws TerraceException if it is none of these
   */
  static ThinkTime parse(String text) {
    Matcher call = Pattern.compile("\\s*(\\w+)\\s*\\((.*)\\)\\s*").matcher(text);
    if (!call.matches()) {
      return new Constant(Spans.parse(text));
    }
    Duration duration = Spans.parse(call.group(2));
    return switch (call.group(1)) {
      case "exp" -> {
        if (duration.isZero()) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT, "'" + text + "': the mean must be more than zero, or write 0.");
        }
        yield new Exponential(duration);
      }
      case "const" -> new Constant(duration);
      default ->
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              "'" + text + "' is not a think time: write exp(7s), const(2s) or a duration.");
    };
  }

  /**
   * Exponential, with longer draws cut to {@value #CAP_IN_MEANS} times the mean as RUBBoS does.
   *
   * @param mean the mean before the cut, more than zero
   */
  record Exponential(Duration mean) implements ThinkTime {
    /** Checks that the mean is positive. */
    public Exponential {
      if (mean.isNegative() || mean.isZero()) {
        throw new IllegalArgumentException("mean " + mean);
      }
    }

    @Override
    public long sampleNanos(RandomGenerator random) {
      double means = -Math.log(1 - random.nextDouble());
      return (long) (Math.min(means, CAP_IN_MEANS) * mean.toNanos());
    }

    /** The cut takes {@code exp(-10)} of the mean away, 0.005 %. */
    @Override
    public double meanNanos() {
      return mean.toNanos() * -Math.expm1(-CAP_IN_MEANS);
    }

    @Override
    public String toString() {
      return "exp(" + Spans.format(mean) + ")";
    }
  }

  /**
   * The same time before each request.
   *
   * @param duration the think time, zero or more
   */
  record Constant(Duration duration) implements ThinkTime {
    /** Checks that the duration is not negative. */
    public Constant {
      if (duration.isNegative()) {
        throw new IllegalArgumentException("duration " + duration);
      }
    }

    @Override
    public long sampleNanos(RandomGenerator random) {
      return duration.toNanos();
    }

    @Override
    public double meanNanos() {
      return duration.toNanos();
    }

    @Override
    public String toString() {
      return "const(" + Spans.format(duration) + ")";
    }
  }
}
