package org.terrace.report.page;

import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.terrace.analysis.finding.Findings;

/**
 * Numbers as people read them: three significant figures, a fitting unit, and thousands apart.
 * Stateless.
 */
public final class Quantity {
  private static final double KILO = 1_000;
  private static final double MEGA = 1_000_000;
  private static final double GIGA = 1_000_000_000;
  private static final double LEAST_PERCENT = 0.01;
  private static final String NONE = "–";

  private Quantity() {}

  /** Three significant figures; whole numbers from a thousand on with thousands apart. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (!Double.isFinite(value)) {
      return NONE;
    } else if (size == 0) {
      return "0";
    } else if (size >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    } else if (size >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    } else if (size >= 1) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
    return String.format(Locale.ROOT, "%.2g", value);
  }

  /** A count with thousands apart. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** {@code 1 stall}, {@code 2 stalls}. */
  public static String count(long value, String noun) {
    return count(value) + " " + noun + (value == 1 ? "" : "s");
  }

  /** A time in microseconds, in a fitting unit. */
  public static String micros(double micros) {
    double size = Math.abs(micros);
    if (size == 0 || !Double.isFinite(micros)) {
      return size == 0 ? "0 ms" : NONE;
    } else if (size < KILO) {
      return number(micros) + " µs";
    } else if (size < MEGA) {
      return number(micros / KILO) + " ms";
    }
    return number(micros / MEGA) + " s";
  }

  /** A figure of times, in a fitting unit; a dash where nothing was answered. */
  public static String time(Findings.Latency micros, ToDoubleFunction<Findings.Latency> figure) {
    return micros.hasValues() ? micros(figure.applyAsDouble(micros)) : NONE;
  }

  /** A time in nanoseconds, in a fitting unit. */
  public static String nanos(double nanos) {
    return micros(nanos / KILO);
  }

  /** A rate. */
  public static String perSecond(double value) {
    return number(value) + "/s";
  }

  /** A moment in seconds from the origin of the report. */
  public static String moment(double seconds) {
    return String.format(Locale.ROOT, "%,.3f s", seconds);
  }

  /** A share of one in per cent. */
  public static String percent(double part) {
    double percent = part * 100;
    if (percent == 0 || percent >= 99.95) {
      return String.format(Locale.ROOT, "%.0f %%", percent);
    }
    if (percent > 0 && percent < LEAST_PERCENT) {
      return "< 0.01 %";
    }
    return String.format(Locale.ROOT, percent < 1 ? "%.2f %%" : "%.1f %%", percent);
  }

  /** An amount of bytes, in a fitting unit. */
  public static String bytes(double bytes) {
    double size = Math.abs(bytes);
    if (size < KILO) {
      return number(bytes) + " B";
    } else if (size < MEGA) {
      return number(bytes / KILO) + " kB";
    } else if (size < GIGA) {
      return number(bytes / MEGA) + " MB";
    }
    return number(bytes / GIGA) + " GB";
  }

  /** A probability; small ones as a bound. */
  public static String probability(double p) {
    return p < 0.001 ? "< 0.001" : String.format(Locale.ROOT, "%.3f", p);
  }

  /** A coordinate of a drawing: a tenth of a pixel is enough. */
  public static String coordinate(double value) {
    long tenths = Math.round(value * 10);
    return tenths % 10 == 0
        ? Long.toString(tenths / 10)
        : (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10 + "." + Math.abs(tenths) % 10;
  }
}
