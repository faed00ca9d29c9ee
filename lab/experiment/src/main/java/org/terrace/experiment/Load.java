package org.terrace.experiment;

/** The load of an experiment: its users and their pace. Immutable. */
public sealed interface Load {
  /** The most users of a closed load. */
  int MAXIMUM_USERS = 100_000;

  /** The highest arrival rate of an open load, a second. */
  double MAXIMUM_RATE = 100_000;

  /** Whether the users may be in more of a hurry: those who do not think cannot think faster. */
  default boolean mayHurry() {
    return switch (this) {
      case Closed closed -> closed.think().mean().isPositive();
      case Open _ -> true;
    };
  }

  /**
   * Users who each wait for a page, think, and ask for the next: a slow service is asked less.
   *
   * @param users how many, 1 to {@value #MAXIMUM_USERS}
   * @param think the time between a page and the next request
   */
  record Closed(int users, Distribution think) implements Load {
    /** Checks the range. */
    public Closed {
      if (users < 1 || users > MAXIMUM_USERS) {
        throw new IllegalArgumentException("users " + users);
      }
    }
  }

  /**
   * Requests that arrive at a fixed rate, however slow the service is.
   *
   * @param requestsPerSecond the rate, above zero and at most {@value #MAXIMUM_RATE}
   */
  record Open(double requestsPerSecond) implements Load {
    /** Checks the range. */
    public Open {
      if (!(requestsPerSecond > 0 && requestsPerSecond <= MAXIMUM_RATE)) {
        throw new IllegalArgumentException("rate " + requestsPerSecond);
      }
    }
  }
}
