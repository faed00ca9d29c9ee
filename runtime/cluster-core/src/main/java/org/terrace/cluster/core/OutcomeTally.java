package org.terrace.cluster.core;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.terrace.cluster.core.StatementOutcome.Kind;

/** The outcomes of one step of a transaction at its replicas, and what counts. */
final class OutcomeTally {
  private final Map<Integer, StatementOutcome> outcomes = new LinkedHashMap<>();
  private Optional<StatementOutcome> decision = Optional.empty();

  void add(int replica, StatementOutcome outcome) {
    outcomes.put(replica, outcome);
  }

  void remove(int replica) {
    outcomes.remove(replica);
  }

  int size() {
    return outcomes.size();
  }

  /** The number of replicas that say what most say. */
  int agreeing() {
    Map<StatementOutcome, Integer> counts = new HashMap<>();
    outcomes.values().forEach(outcome -> counts.merge(outcome, 1, Integer::sum));
    return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** The outcome that counts, once it has been decided. */
  Optional<StatementOutcome> decision() {
    return decision;
  }

  /** Whether it has been decided that it was done. */
  boolean isDone() {
    return decision.filter(StatementOutcome::isDone).isPresent();
  }

  /** Whether some replica did it. */
  boolean isDoneSomewhere() {
    return outcomes.values().stream().anyMatch(StatementOutcome::isDone);
  }

  /** Whether some replica gave up, so that the transaction is to be tried again as a whole. */
  Optional<StatementOutcome> surrender() {
    return outcomes.values().stream().filter(outcome -> outcome.kind() == Kind.GAVE_UP).findFirst();
  }

  /**
   * Decides for the outcome of most replicas; if as many have one as another, for that of the first
   * of the active ones, which has been active longest. Those that gave up count only where no other
   * did it.
   */
  StatementOutcome decide(List<Integer> active) {
    boolean done = isDoneSomewhere();
    Map<StatementOutcome, Integer> counts = new LinkedHashMap<>();
    for (int replica : active) {
      StatementOutcome outcome = outcomes.get(replica);
      if (outcome != null && !(done && outcome.kind() == Kind.GAVE_UP)) {
        counts.merge(outcome, 1, Integer::sum);
      }
    }
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    StatementOutcome winner =
        counts.entrySet().stream()
            .filter(count -> count.getValue() == most)
            .findFirst()
            .orElseThrow()
            .getKey();
    decision = Optional.of(winner);
    return winner;
  }

  /** The replicas that said something else than what counts, with what they said. */
  Map<Integer, StatementOutcome> dissenters() {
    Map<Integer, StatementOutcome> dissenters = new LinkedHashMap<>();
    outcomes.forEach((replica, outcome) -> {
      if (decision.isPresent() && !outcome.equals(decision.get())) {
        dissenters.put(replica, outcome);
      }
    });
    return dissenters;
  }

  /** Whether a replica said what counts. */
  boolean agrees(int replica) {
    return decision.isPresent() && decision.get().equals(outcomes.get(replica));
  }
}
