package org.terrace.testing.isolation;

/**
 * A kind of anomaly that a history of transactions may show: Adya's phenomena, and two that make a
 * history one of no database. Source: Adya 1999, chapters 3 and 4; for lists that are appended to
 * Kingsbury and Alvaro, Elle: Inferring Isolation Anomalies from Experimental Observations, 2020.
 */
public enum AnomalyKind {
  /** A read that lacks what its own transaction had appended, or has what it appended later. */
  INTERNAL("own writes unread", IsolationLevel.READ_COMMITTED),
  /** A read of what is no beginning of what its list became, or an order that nobody made. */
  VERSION_ORDER("versions out of order", IsolationLevel.READ_COMMITTED),
  /** A cycle of write dependencies alone. */
  G0("write cycle", IsolationLevel.READ_COMMITTED),
  /** A read of what was never committed. */
  G1A("aborted read", IsolationLevel.READ_COMMITTED),
  /** A read of what its writer changed again. */
  G1B("intermediate read", IsolationLevel.READ_COMMITTED),
  /** A cycle of write and read dependencies, with one of the latter or more. */
  G1C("circular information flow", IsolationLevel.READ_COMMITTED),
  /** A cycle with exactly one anti-dependency. */
  G_SINGLE("single anti-dependency cycle", IsolationLevel.SNAPSHOT),
  /** A cycle with several anti-dependencies, and none with fewer by the same one. */
  G2("anti-dependency cycle", IsolationLevel.SERIALIZABLE);

  private final String description;
  private final IsolationLevel excludedFrom;

  AnomalyKind(String description, IsolationLevel excludedFrom) {
    this.description = description;
    this.excludedFrom = excludedFrom;
  }

  /** Whether transactions of that level alone never show it. */
  public boolean isExcludedBy(IsolationLevel level) {
    return level.compareTo(excludedFrom) >= 0;
  }

  /** The name in the literature and a meaning, such as {@code G1a (aborted read)}. */
  @Override
  public String toString() {
    String symbol =
        switch (this) {
          case INTERNAL -> "internal";
          case VERSION_ORDER -> "version order";
          case G1A -> "G1a";
          case G1B -> "G1b";
          case G1C -> "G1c";
          case G_SINGLE -> "G-single";
          case G0, G2 -> name();
        };
    return symbol + " (" + description + ")";
  }
}
