package org.terrace.groups;

import java.time.Duration;

/**
 * The settings by which members watch each other. Immutable.
 *
 * @param probePeriod how often a member probes one other, 10 ms to 1 min; a crash is noticed in the
 *     mean after about one period
 * @param probeTimeout how long it waits for the answer before it asks others to probe, shorter than
 *     the period
 * @param indirectProbes how many others it asks then, 0 to 16
 * @param suspicionPeriods how many periods a suspected member has to defend itself when all accuse
 *     it, 1 to 100; a single accuser must wait {@value #LONE_ACCUSER_FACTOR} times as long
 * @param distinctSuspicions how many members must suspect it before it is declared dead (the
 *     paper's f), 1 or more; fewer suffice when fewer are left
 * @param reconnectPeriod how often members that were lost, and contacts never met, are tried
 * @param forgetAfter how long a lost member is remembered
 */
public record MembershipOptions(
    Duration probePeriod,
    Duration probeTimeout,
    int indirectProbes,
    int suspicionPeriods,
    int distinctSuspicions,
    Duration reconnectPeriod,
    Duration forgetAfter) {
  /** The factor by which a lone accuser must wait longer than many that agree. */
  public static final int LONE_ACCUSER_FACTOR = 4;

  private static final Duration PERIOD_MIN = Duration.ofMillis(10);
  private static final Duration PERIOD_MAX = Duration.ofMinutes(1);

  /** Checks the ranges. */
  public MembershipOptions {
    if (probePeriod.compareTo(PERIOD_MIN) < 0 || probePeriod.compareTo(PERIOD_MAX) > 0) {
      throw new IllegalArgumentException(
          "probePeriod is " + PERIOD_MIN + " to " + PERIOD_MAX + ", got " + probePeriod);
    }
    if (!probeTimeout.isPositive() || probeTimeout.compareTo(probePeriod) >= 0) {
      throw new IllegalArgumentException(
          "probeTimeout is positive and shorter than probePeriod, got " + probeTimeout);
    }
    if (indirectProbes < 0 || indirectProbes > 16) {
      throw new IllegalArgumentException("indirectProbes is 0 to 16, got " + indirectProbes);
    }
    if (suspicionPeriods < 1 || suspicionPeriods > 100) {
      throw new IllegalArgumentException("suspicionPeriods is 1 to 100, got " + suspicionPeriods);
    }
    if (distinctSuspicions < 1) {
      throw new IllegalArgumentException(
          "distinctSuspicions is 1 or more, got " + distinctSuspicions);
    }
    if (!reconnectPeriod.isPositive() || !forgetAfter.isPositive()) {
      throw new IllegalArgumentException("reconnectPeriod and forgetAfter are positive");
    }
  }

  /**
   * Probes each 200 ms, declares a crash after about 1 s where two or more accuse, and remembers
   * lost members for a day.
   */
  public static MembershipOptions defaults() {
    return new MembershipOptions(
        Duration.ofMillis(200),
        Duration.ofMillis(100),
        3,
        4,
        2,
        Duration.ofMillis(500),
        Duration.ofDays(1));
  }
}
