package org.terrace.cluster.server.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of replicas about who has the cluster's data, where no recovery log tells: those
 * that were active last, if they are all there and have the same.
 *
 * @param members the replicas that agree, by name; empty when there is no agreement
 * @param out why each of the others does not take part
 * @param refusal why there is no agreement, with the way out; null: there is
 */
public record MemoryAgreement(
    List<String> members, Map<String, String> out, @Nullable String refusal) {

  /** Copies what may change. */
  public MemoryAgreement {
    members = List.copyOf(members);
    out = Map.copyOf(out);
  }

  /**
   * Compares what replicas remember.
   *
   * @param named the replicas that the user names
   * @param reached what those of them remember that answer
   * @param worthless those of them whose data nobody wants: they have none, or a part of a copy
   */
  public static MemoryAgreement of(
      List<String> named, Map<String, ReplicaMemory> reached, Set<String> worthless) {
    long view =
        reached.entrySet().stream()
            .filter(one -> tellsOfView(named, one.getKey(), one.getValue()))
            .mapToLong(one -> one.getValue().view())
            .max()
            .orElse(0);
    Set<String> last = new LinkedHashSet<>(named);
    if (view > 0) {
      Set<String> active = new LinkedHashSet<>();
      reached.values().stream()
          .filter(memory -> memory.view() == view)
          .forEach(memory -> active.addAll(memory.members()));
      last.retainAll(active);
    }
    List<String> lacking = new ArrayList<>(last);
    lacking.removeAll(reached.keySet());
    if (!lacking.isEmpty()) {
      return refused(
          view == 0
              ? "%s does not answer and no cluster was open over these servers before: start it, or leave it out of the URL"
                  .formatted(lacking.getFirst())
              : "%s does not answer, and it may have what the others lack: start it, or name the recovery log with the option log, or leave it out of the URL for good"
                  .formatted(lacking.getFirst()));
    }
    Map<String, String> out = new TreeMap<>();
    Map<String, ReplicaMemory> members = new LinkedHashMap<>();
    for (String name : named) {
      ReplicaMemory memory = reached.get(name);
      if (memory == null) {
        continue;
      }
      if (!last.contains(name) || memory.view() < view) {
        out.put(
            name,
            "it was taken out when the cluster was last open: copy the data of an active server to it");
      } else if (!memory.diverged().isEmpty()) {
        out.put(name, memory.diverged() + ": copy the data of an active server to it");
      } else {
        members.put(name, memory);
      }
    }
    if (members.isEmpty()) {
      return refused("none of the servers of the URL was active when the cluster was last open");
    }
    Map<String, ReplicaMemory> kept = new LinkedHashMap<>(reached);
    kept.keySet().removeAll(worthless);
    Optional<String> apart =
        members.entrySet().stream()
            .filter(member -> !member.getValue().log().isEmpty())
            .findFirst()
            .flatMap(member -> wentOnApart(named, kept, member.getKey(), member.getValue()));
    return apart.isPresent() ? refused(apart.get()) : compared(members, out);
  }

  /**
   * Whether the last view of a server may be the last of the cluster. If its data are not to be
   * trusted, and it was alone, nobody has what came of that view.
   */
  private static boolean tellsOfView(List<String> named, String name, ReplicaMemory memory) {
    return memory.diverged().isEmpty()
        || memory.members().stream()
            .anyMatch(other -> !other.equals(name) && named.contains(other));
  }

  /** The reason why a member does not tell who has the cluster's data; empty: it tells. */
  private static Optional<String> wentOnApart(
      List<String> named, Map<String, ReplicaMemory> reached, String name, ReplicaMemory member) {
    return whoWentOnWithout(named, reached, member.log())
        .map(other ->
            "%s and %s went on apart from each other, with logs of their own, and each may have what the other lacks: open it with the log of those that are wanted, or leave the others out of the URL, and add them again with copy=always"
                .formatted(name, other));
  }

  /**
   * The reason why a recovery log does not tell who has the cluster's data: one of the replicas
   * went on without it, or with another one, after it began. Empty: it tells.
   *
   * @param named the replicas that the user names
   * @param reached what those of them remember that answer
   * @param log the identity of the log
   */
  public static Optional<String> wentOnWithoutLog(
      List<String> named, Map<String, ReplicaMemory> reached, String log) {
    return whoWentOnWithout(named, reached, log)
        .map(
            "%s went on without this recovery log after that began, and may have what the log and the other servers lack: open it with the log that it went on with, or move this one's directory away; if what it has is not wanted, open it with copy=always, which replaces that by what the others have"
                ::formatted);
  }

  private static Optional<String> whoWentOnWithout(
      List<String> named, Map<String, ReplicaMemory> reached, String log) {
    return named.stream()
        .filter(name -> {
          ReplicaMemory memory = reached.get(name);
          // Whose members it names does not tell: each names itself, and names may be changed.
          return memory != null && memory.wentOnWithout(log);
        })
        .findFirst();
  }

  private static MemoryAgreement compared(
      Map<String, ReplicaMemory> members, Map<String, String> out) {
    long floor = members.values().stream().mapToLong(ReplicaMemory::floor).max().orElse(0);
    Map.Entry<String, ReplicaMemory> first = members.entrySet().iterator().next();
    NavigableSet<Long> above = above(first.getValue(), floor);
    for (Map.Entry<String, ReplicaMemory> other : members.entrySet()) {
      NavigableSet<Long> theirs = above(other.getValue(), floor);
      if (!theirs.equals(above)) {
        return refused(
            "servers differ: %s has %d transactions after %d, up to %d, and %s has %d, up to %d: copy the data of the one that is ahead to the other, or leave the other out of the URL"
                .formatted(
                    first.getKey(),
                    above.size(),
                    floor,
                    first.getValue().last(),
                    other.getKey(),
                    theirs.size(),
                    other.getValue().last()));
      }
    }
    return new MemoryAgreement(List.copyOf(members.keySet()), out, null);
  }

  private static NavigableSet<Long> above(ReplicaMemory memory, long floor) {
    return new TreeSet<>(memory.applied().tailSet(floor, false));
  }

  private static MemoryAgreement refused(String reason) {
    return new MemoryAgreement(List.of(), Map.of(), reason);
  }
}
