package org.terrace.nodes.fault;

import java.time.Duration;
import org.terrace.observation.EventKinds;

/** The packets of a server that are dropped or delayed by a fault of its network. */
public sealed interface NetworkEffect {
  /** All of them. */
  record Cut() implements NetworkEffect {}

  /**
   * A share of them, by chance. Immutable.
   *
   * @param share the part that is dropped, above 0 and at most 1
   */
  record Loss(double share) implements NetworkEffect {
    /** Checks the range. */
    public Loss {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("share " + share);
      }
    }
  }

  /**
   * All beyond a rate, in either direction. Immutable.
   *
   * @param bytesPerSecond the rate, above 0
   */
  record Bandwidth(long bytesPerSecond) implements NetworkEffect {
    /** Checks the range. */
    public Bandwidth {
      if (bytesPerSecond <= 0) {
        throw new IllegalArgumentException(bytesPerSecond + " bytes a second");
      }
    }
  }

  /**
   * No packet; all that the server sends wait. Immutable.
   *
   * @param by the time for which they wait, above 0
   * @param jitter the most by which that time is shorter or longer, by chance, 0 to {@code by}
   */
  record Delay(Duration by, Duration jitter) implements NetworkEffect {
    /** Checks the ranges. */
    public Delay {
      if (!by.isPositive() || jitter.isNegative() || jitter.compareTo(by) > 0) {
        throw new IllegalArgumentException("by " + by + ", jitter " + jitter);
      }
    }
  }

  /** The kind of the events that tell of it. */
  default String eventKind() {
    return switch (this) {
      case Cut _ -> EventKinds.FAULT_CUT;
      case Loss _ -> EventKinds.FAULT_LOSS;
      case Bandwidth _ -> EventKinds.FAULT_BANDWIDTH;
      case Delay _ -> EventKinds.FAULT_DELAY;
    };
  }

  /** The word for it in a specification. */
  default String word() {
    return switch (this) {
      case Cut _ -> "cut";
      case Loss _ -> "loss";
      case Bandwidth _ -> "bandwidth";
      case Delay _ -> "delay";
    };
  }
}
