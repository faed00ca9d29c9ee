package org.terrace.studies.softstate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Measurements that are made again, each time twice as long, while they see too few calls, as on a
 * busy machine: how much is measured is the study's choice and not the machine's. Stateless.
 */
final class Repetitions {
  /** The most times that a measurement is made again. */
  static final int TIMES_MAX = 4;

  private Repetitions() {}

  /** A measurement, which gives its load's summary. */
  @FunctionalInterface
  interface Measuring {
    /**
     * Measures.
     *
     * @param times how often it was made before
     * @param lasts its length
     */
    JsonNode run(int times, Duration lasts) throws InterruptedException;
  }

  /**
   * Measures until there are enough calls, at most so often.
   *
   * @param calls the part of the summary that has their count
   * @param lasts the length of the first
   * @return the summaries of all, of which the last one counts
   */
  static List<JsonNode> untilEnough(String calls, Duration lasts, Measuring measuring)
      throws InterruptedException {
    List<JsonNode> summaries = new ArrayList<>();
    for (int times = 0; times <= TIMES_MAX; times++) {
      JsonNode summary = measuring.run(times, lasts.multipliedBy(1L << times));
      summaries.add(summary);
      if (summary.path(calls).path("count").asInt() >= Latency.ENOUGH) {
        break;
      }
    }
    return summaries;
  }

  /** A mark that tells the files and objects of repetitions apart; empty for the first. */
  static String suffix(int times) {
    return times == 0 ? "" : "-again" + times;
  }
}
