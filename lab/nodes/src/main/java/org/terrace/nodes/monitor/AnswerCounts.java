package org.terrace.nodes.monitor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The counts of how often servers were to tell their metrics, and did. A server mostly tells
 * nothing when it is busiest, so that what it told elsewhen may hide just the pool that was full.
 * Thread-safe.
 */
final class AnswerCounts {
  /** The part of the readings that may lack. */
  static final double MOST_MISSED = 0.05;

  /** As many may lack of however few. */
  static final int FEW = 2;

  private final Map<String, Count> counts = new TreeMap<>();

  /**
   * The time for which a server may start before it listens; after more of it, it does not start.
   */
  static final Duration LONGEST_START = Duration.ofSeconds(30);

  /** The moment since which nobody listened at each server of which that is so. */
  private final Map<String, Long> refusedSince = new HashMap<>();

  /**
   * The moment at which each server last told something, in elapsed nanoseconds, of those that were
   * not absent since; before the count began too.
   */
  private final Map<String, Long> listening = new HashMap<>();

  private boolean ended;

  /** The counts of one server. */
  private static final class Count {
    private int due;
    private int told;
    private int missed;
    private int refused;
    private String why = "";
  }

  /** Counts from now on alone. */
  synchronized void begin() {
    counts.clear();
  }

  /** Counts no more. */
  synchronized void end() {
    ended = true;
  }

  private Count of(String server) {
    return counts.computeIfAbsent(server, _ -> new Count());
  }

  /** Counts a reading that was due, of which it is told later what became of it. */
  synchronized void due(String server) {
    if (!ended) {
      of(server).due++;
    }
  }

  /** Counts that one came at a moment. */
  synchronized void told(String server, long nowNanos) {
    listening.put(server, nowNanos);
    refusedSince.remove(server);
    if (!ended) {
      of(server).told++;
    }
  }

  /** Counts that one did not come, for a reason. */
  synchronized void missed(String server, String why) {
    if (!ended) {
      of(server).missed++;
      of(server).why = why;
    }
  }

  /** Counts that there was nothing to tell: the server was gone, or stood still on purpose. */
  synchronized void absent(String server) {
    listening.remove(server);
    refusedSince.remove(server);
    if (!ended) {
      of(server).due--;
    }
  }

  /**
   * Counts that nobody listened at a server that is there: as while it starts, when that is no
   * reading; or any more, or for longer than a start takes, when one did not come.
   *
   * @param began tells whether the server's process began within such a time: one that did since it
   *     last told something was started anew, though it was not seen absent
   */
  synchronized void refused(String server, String why, long nowNanos, Predicate<Duration> began) {
    Long told = listening.get(server);
    long since = refusedSince.computeIfAbsent(server, _ -> nowNanos);
    boolean starts = told == null || began.test(Duration.ofNanos(nowNanos - told));
    if (!starts || nowNanos - since > LONGEST_START.toNanos()) {
      missed(server, why);
    } else if (!ended) {
      Count count = of(server);
      count.due--;
      count.refused++;
      count.why = count.missed > 0 ? count.why : why;
    }
  }

  /** The servers of which more than a few readings lack, a sentence each. */
  synchronized List<String> gaps() {
    List<String> gaps = new ArrayList<>();
    counts.forEach((server, count) -> {
      boolean never = count.told == 0 && count.missed + count.refused > FEW;
      if (never || count.missed > Math.max(FEW, MOST_MISSED * count.due)) {
        int due = Math.max(count.due, count.missed) + (never ? count.refused : 0);
        gaps.add(
            "%s did not tell how much of its pools was in use %d of the %d times it was to in the run, which may be when they were full (%s)"
                .formatted(server, never ? due : count.missed, due, count.why));
      }
    });
    return gaps;
  }
}
