package org.terrace.scaling.bottleneck;

import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The test of a bottleneck by one server more in its tier. Immutable.
 *
 * @param configuration the configuration whose bottleneck was named
 * @param users the load
 * @param tier the tier that was named
 * @param added the configuration with one server more there
 * @param gain the throughput gained, as a share
 * @param low the lower end of its 95 % interval; null where no trial like it was repeated
 * @param high the upper end
 * @param outcome what the gain says of the bottleneck
 */
public record Confirmation(
    Configuration configuration,
    int users,
    String tier,
    Configuration added,
    double gain,
    @Nullable Double low,
    @Nullable Double high,
    Outcome outcome) {
  /** The share below which a gain counts for nothing. */
  static final double NOTHING = 0.05;

  /** Words for what a gain says. */
  public enum Outcome {
    /** The gain is as the class predicts. */
    CONFIRMED("confirmed"),
    /** The gain is not as the class predicts. */
    REFUTED("refuted"),
    /** The interval allows for both, or there is none. */
    CANNOT_TELL("cannot tell");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * Judges a gain: one server more resolves a bottleneck of one tier, but not one that oscillates
   * among its servers. So the same gain that confirms the one refutes the other.
   */
  static Outcome judge(Bottleneck.Kind kind, @Nullable Double low, @Nullable Double high) {
    if (low == null || high == null) {
      return Outcome.CANNOT_TELL;
    }
    boolean predicted = kind != Bottleneck.Kind.OSCILLATORY;
    if (low > NOTHING) {
      return predicted ? Outcome.CONFIRMED : Outcome.REFUTED;
    }
    if (high < NOTHING) {
      return predicted ? Outcome.REFUTED : Outcome.CONFIRMED;
    }
    return Outcome.CANNOT_TELL;
  }
}
