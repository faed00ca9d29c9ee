package org.terrace.seven.mafia;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The count of votes: the name given most often loses. */
final class Votes {
  private Votes() {}

  /** The name that was given most often; empty in a tie. */
  static Optional<String> loser(Collection<String> targets) {
    Map<String, Integer> counts = new TreeMap<>();
    targets.forEach(target -> counts.merge(target, 1, Integer::sum));
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    Optional<String> loser = Optional.empty();
    for (Map.Entry<String, Integer> each : counts.entrySet()) {
      if (each.getValue() == most) {
        if (loser.isPresent()) {
          return Optional.empty();
        }
        loser = Optional.of(each.getKey());
      }
    }
    return loser;
  }
}
