package org.terrace.collections.histories;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.terrace.collections.RealHistory;
import org.terrace.collections.RealReplica;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.WatchedState;

/**
 * Proofs of the collections by random histories, for the build (few seeds) and for a command (as
 * many as one likes). Stateless.
 */
public final class CollectionsProof {
  private static final int PROGRESS_STEP = 1_000;

  /** Seeds of which there is a history of restarts too, and one of another kind. */
  private static final int RESTARTS_ONE_IN = 10;

  private static final int HISTORIES_TO_FIND = 400;
  private static final long ROUNDS_TO_FIND = 5;

  private static final HistoryKind[] KINDS = HistoryKind.values();
  private static final int CHURN_AT_ONCE = 50_000;

  /** The bytes that the log of recent updates and the runtime may add between two readings. */
  private static final long HEAP_SLACK_BYTES = 24L << 20;

  /**
   * The facts and findings of a proof.
   *
   * @param facts counts by name
   * @param violations what must not have happened, with its seed
   */
  public record Verdict(TreeMap<String, Long> facts, List<String> violations) {
    /** Copies both. */
    public Verdict {
      facts = new TreeMap<>(facts);
      violations = List.copyOf(violations);
    }
  }

  private CollectionsProof() {}

  /** Simulated histories of the seeds from the first one on. */
  public static Verdict simulate(long firstSeed, int seeds, Consumer<String> progress) {
    TreeMap<String, Long> facts = new TreeMap<>();
    List<String> violations = new ArrayList<>();
    long[] counts = new long[4];
    for (int i = 0; i < seeds; i++) {
      long seed = firstSeed + i;
      try {
        SimulatedCluster cluster = SimulatedHistories.run(seed, WatchedState::new);
        cluster
            .violations()
            .forEach(violation -> violations.add("seed " + seed + ": " + violation));
        counts[0] += cluster.calls.size();
        counts[1] += cluster.calls.stream().filter(call -> call.acknowledged).count();
        counts[2] += cluster.simulation.messagesSent();
        // By the seed, so that it alone replays the history.
        if (Math.floorMod(seed, RESTARTS_ONE_IN) == 0) {
          SimulatedCluster restarted = SimulatedHistories.restarts(seed, WatchedState::new);
          restarted
              .violations()
              .forEach(violation -> violations.add("seed " + seed + ", restarts: " + violation));
          if (restarted.writersMax() > restarted.names.size()) {
            violations.add("seed " + seed + ", restarts: writers were left over");
          }
          counts[3] += restarted.retired.size();
          HistoryKind kind = KINDS[Math.floorMod(seed / RESTARTS_ONE_IN, KINDS.length)];
          kind.run(seed)
              .forEach(
                  violation -> violations.add("seed " + seed + ", " + kind + ": " + violation));
        }
      } catch (AssertionError | RuntimeException e) {
        violations.add("seed " + seed + ": " + e);
      }
      if ((i + 1) % PROGRESS_STEP == 0) {
        progress.accept(
            "%d of %d histories, %d violations".formatted(i + 1, seeds, violations.size()));
      }
    }
    facts.put("histories", (long) seeds);
    facts.put("calls", counts[0]);
    facts.put("acknowledged", counts[1]);
    facts.put("messages", counts[2]);
    facts.put("incarnations retired", counts[3]);
    plantFaults(firstSeed, facts, violations);
    return new Verdict(facts, violations);
  }

  /** Tells after how many histories each planted fault is found: what this proof would catch. */
  private static void plantFaults(
      long firstSeed, Map<String, Long> facts, List<String> violations) {
    Map<String, OptionalInt> found = new TreeMap<>();
    for (PlainFault fault : PlainFault.values()) {
      found.put(fault.fault(), fault.historiesToFind(firstSeed, HISTORIES_TO_FIND));
    }
    for (HistoryKind kind : KINDS) {
      found.put(kind.fault(), kind.historiesToFind(firstSeed, HISTORIES_TO_FIND));
    }
    found.forEach((fault, histories) ->
        histories.ifPresentOrElse(
            count -> facts.put("histories until found, planted: " + fault, (long) count),
            () -> violations.add("planted and not found: " + fault)));
  }

  /** Rounds of load with one fault each on three real processes, killing in every other round. */
  public static Verdict onProcesses(long seed, int kills, Path folder, Consumer<String> progress) {
    TreeMap<String, Long> facts = new TreeMap<>();
    try {
      List<String> violations = new ArrayList<>();
      try (RealHistory history = new RealHistory(seed, folder)) {
        violations.addAll(play(history, kills, facts, progress));
      }
      if (violations.isEmpty()) {
        plantFault(seed, folder.resolve("planted"), facts);
      }
      return new Verdict(facts, violations);
    } catch (IllegalStateException e) {
      return new Verdict(facts, List.of("seed " + seed + ": " + e.getMessage()));
    }
  }

  private static List<String> play(
      RealHistory history, int kills, Map<String, Long> facts, Consumer<String> progress) {
    List<RealHistory.Fault> others = new ArrayList<>(history.possibleFaults());
    others.remove(RealHistory.Fault.KILL);
    for (RealHistory.Fault fault : RealHistory.Fault.values()) {
      if (!history.possibleFaults().contains(fault)) {
        progress.accept(fault + " is left out: this machine does not permit it");
      }
    }
    RealHistory.Tally tally = history.tally;
    for (int i = 0; i < kills && tally.violations.isEmpty(); i++) {
      history.round(RealHistory.Fault.KILL);
      history.round(others.get(i % others.size()));
      progress.accept(
          "%d of %d kills, %d calls, %d acknowledged, %d violations"
              .formatted(i + 1, kills, tally.calls, tally.acknowledged, tally.violations.size()));
    }
    tally.faults.forEach((fault, times) -> facts.put("faults of kind " + fault, (long) times));
    facts.put("calls", tally.calls);
    facts.put("acknowledged", tally.acknowledged);
    facts.put("keys with an unreported call", tally.unsure);
    facts.put("longest convergence, ms", tally.convergenceMillisMax);
    if (tally.violations.isEmpty()) {
      facts.put("writers after ten seconds of peace", history.awaitRetired());
    }
    return tally.violations;
  }

  /** Tells after how many rounds a dropped update is found: what this proof would catch. */
  private static void plantFault(long seed, Path folder, Map<String, Long> facts) {
    try (RealHistory history =
        new RealHistory(seed, Files.createDirectory(folder), RealReplica.PLANTED)) {
      long rounds = 0;
      while (history.tally.violations.isEmpty()) {
        if (rounds++ == ROUNDS_TO_FIND) {
          throw new IllegalStateException("planted and not found: a dropped update");
        }
        history.round(RealHistory.Fault.STOP);
      }
      facts.put("rounds until found, planted: a dropped update", rounds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts and removals on three real processes: what is kept of them must not grow. */
  public static Verdict churn(int times, Path folder, Consumer<String> progress) {
    TreeMap<String, Long> facts = new TreeMap<>();
    List<String> violations = new ArrayList<>();
    try (RealHistory history = new RealHistory(1, folder)) {
      int part = Math.max(1, times / 10);
      churn(history, part);
      long firstHeap = Long.parseLong(history.ask("a", "heap"));
      String[] kept = new String[0];
      long heap = firstHeap;
      for (int done = part; done < times; done += part) {
        kept = churn(history, part);
        heap = Long.parseLong(history.ask("a", "heap"));
        progress.accept(
            "%,d put-and-remove: %s entries, %s writers, %s gaps, %s superseded ahead, %s bytes of log, heap %,d KB"
                .formatted(done + part, kept[0], kept[1], kept[2], kept[3], kept[4], heap >> 10));
      }
      facts.put("put-and-remove", (long) times);
      facts.put("entries", Long.parseLong(kept[0]));
      facts.put("writers", Long.parseLong(kept[1]));
      facts.put("superseded ahead", Long.parseLong(kept[3]));
      facts.put("log bytes", Long.parseLong(kept[4]));
      facts.put("heap after the first tenth, KB", firstHeap >> 10);
      facts.put("heap at the end, KB", heap >> 10);
      if (Long.parseLong(kept[0]) > 0 || Long.parseLong(kept[1]) > 3) {
        violations.add("entries or writers grew: " + String.join(" ", kept));
      }
      if (heap > firstHeap + HEAP_SLACK_BYTES) {
        violations.add("the heap grew from " + firstHeap + " to " + heap + " bytes");
      }
    }
    return new Verdict(facts, violations);
  }

  /** One part, in questions that are answered in time. */
  private static String[] churn(RealHistory history, int times) {
    String kept = "";
    for (int rest = times; rest > 0; rest -= CHURN_AT_ONCE) {
      kept = history.ask("a", "churn " + Math.min(rest, CHURN_AT_ONCE) + " ALL");
    }
    return kept.split(" ");
  }
}
