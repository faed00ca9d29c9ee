package org.terrace.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The holdups of one run, and what logs and hosts tell of them and of other things. Immutable.
 *
 * @param seed decides the requests
 * @param seconds the length
 * @param perSecond requests a second
 * @param holdups in order of time
 * @param told the events that do not depend on how requests fared: of the holdups, and distractors
 */
public record HeldPlan(
    long seed, int seconds, int perSecond, List<Holdup> holdups, List<Told> told) {
  private static final long MILLI = HeldTiers.MILLI;
  private static final long READING = 20 * MILLI;

  /** The time between two holdups, which lets queues empty. */
  private static final int SLOT_MILLIS = 3_000;

  private static final int FIRST_MILLIS = 3_000;

  /** Copies the lists. */
  public HeldPlan {
    holdups = List.copyOf(holdups);
    told = List.copyOf(told);
  }

  /**
   * A plan in which some causes come in turn at random times, a random time long each.
   *
   * @param causes which, each as often as the others
   */
  public static HeldPlan drawn(long seed, int seconds, int perSecond, List<HeldBy> causes) {
    SplittableRandom random = new SplittableRandom(seed);
    List<HeldBy> turns = new ArrayList<>();
    int slots = (seconds * 1_000 - 2 * FIRST_MILLIS) / SLOT_MILLIS;
    for (int slot = 0; slot < slots; slot++) {
      turns.add(causes.get(slot % causes.size()));
    }
    for (int i = turns.size() - 1; i > 0; i--) {
      Collections.swap(turns, i, random.nextInt(i + 1));
    }
    List<Holdup> holdups = new ArrayList<>();
    List<Told> told = new ArrayList<>();
    for (int slot = 0; slot < slots; slot++) {
      HeldBy by = turns.get(slot);
      long start =
          HeldTiers.START
              + (FIRST_MILLIS + slot * (long) SLOT_MILLIS + random.nextInt(SLOT_MILLIS / 3)) * MILLI
              + random.nextLong(MILLI);
      long length = random.nextLong(by.shortestMillis * MILLI, by.longestMillis * MILLI);
      holdups.add(new Holdup(by, start, start + length));
      tell(by, start, start + length, told);
    }
    distract(seconds, random, told);
    return new HeldPlan(seed, seconds, perSecond, holdups, told);
  }

  /** The same requests and events without the holdups of a cause. */
  public HeldPlan without(HeldBy cause) {
    return new HeldPlan(
        seed,
        seconds,
        perSecond,
        holdups.stream().filter(held -> held.by() != cause).toList(),
        told);
  }

  /** The same requests and events without any holdup. */
  public HeldPlan undisturbed() {
    return new HeldPlan(seed, seconds, perSecond, List.of(), told);
  }

  /** The start of the reading of a host in which a time lies. */
  static long reading(long time) {
    return HeldTiers.START + (time - HeldTiers.START) / READING * READING;
  }

  private static void tell(HeldBy by, long start, long end, List<Told> told) {
    String node = by.node();
    switch (by) {
      case COLLECTOR, SAFEPOINT, RELEASE, BURST, NETWORK ->
          told.add(new Told(node, by.told().getFirst(), start, end));
      case STEAL, RUN_DELAY, FREQUENCY, APP_FREQUENCY, DISK ->
          told.add(new Told(node, by.told().getFirst(), reading(start), reading(end) + READING));
      case CHECKPOINT -> {
        told.add(new Told(node, "checkpoint", start - 1_500 * MILLI, end));
        told.add(new Told(node, "checkpoint-sync", start, end));
        told.add(new Told(node, "writeback", reading(start), reading(end) + READING));
      }
      case LOCK, THROTTLING, ROW_LOCK, POOL, STOP -> {}
    }
  }

  /** Events at random times that hold up nobody, some of them in pairs. */
  private static void distract(int seconds, SplittableRandom random, List<Told> told) {
    for (String server : List.of("web1", "app1")) {
      for (int i = 0; i < seconds; i++) {
        long at = moment(seconds, random);
        long end = at + random.nextLong(5 * MILLI, 80 * MILLI);
        told.add(new Told(server, "compilation", at, end));
        told.add(new Told(server, "thread-pinned", end, end + 20 * MILLI));
      }
    }
    for (int i = 0; i < seconds / 15; i++) {
      long at = moment(seconds, random);
      told.add(new Told("db1", "autovacuum", at, at + random.nextLong(2_000 * MILLI)));
    }
    for (String kind : List.of("cpu-pressure", "memory-pressure", "memory-reclaim")) {
      for (int i = 0; i < seconds / 5; i++) {
        long at = reading(moment(seconds, random));
        told.add(new Told("host", kind, at, at + (1 + random.nextInt(15)) * READING));
      }
    }
  }

  private static long moment(int seconds, SplittableRandom random) {
    return HeldTiers.START + random.nextLong(seconds * 1_000L * MILLI);
  }
}
