package org.terrace.collections.gossip;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * Finds incarnations of replicas that can be retired, so that the version vector does not grow with
 * restarts.
 *
 * <p>Incarnations before the present one of a replica are over. One that has been over for a number
 * of rounds of gossip is retired as soon as every replica that this one has ever heard of (its
 * roster, which checkpoints keep) is in the view and has said since that it knows of the same
 * updates of that incarnation and of those before it. Then nobody can have an update of theirs that
 * the others lack, and nothing is lost by counting all their updates as applied. A replica that is
 * away holds this up, however long, unless it has left or is forgotten. One that remembers no other
 * replica to wait for retires nothing, and incarnations before the first that is known are not
 * retired: somebody may hold updates of theirs whom all here have never met.
 *
 * <p>A replica that has left ({@link Departure}) and is not in the view has handed over all it had:
 * nobody waits for it, and all incarnations that it ever had are over and are retired like others,
 * which is to forget it. A new incarnation of it is not meant by that.
 *
 * <p>Each replica decides for itself. Those that have not decided yet take the decision over with
 * the state of one that has. Confined to the holder of the replica's lock.
 */
final class Retirement {
  /** The updates that another replica last said it had applied, and the round of this one then. */
  record Seen(VersionVector applied, long round) {}

  private final ReplicaState state;
  private final Map<Long, Long> overSince = new HashMap<>();
  private final Set<Long> toForget = new TreeSet<>();
  private long retirements;

  Retirement(ReplicaState state) {
    this.state = state;
  }

  /** Asks for the replica to be forgotten, as soon as all others agree. */
  void forget(long replica) {
    toForget.add(replica);
  }

  boolean isForgotten(long replica) {
    return latestIncarnationOf(replica) == null;
  }

  /** The number of times that this replica has found incarnations that could be retired. */
  long retirements() {
    return retirements;
  }

  /** Number of replicas that are waited for and not in the view. */
  long replicasAway(View view) {
    long away = 0;
    for (long incarnation : state.applied().roster().latestIncarnations()) {
      away += isAway(incarnation, view) && !state.applied().roster().hasLeft(incarnation) ? 1 : 0;
    }
    return away;
  }

  /**
   * To be called once a round of gossip. It mostly finds nothing, soon: code that runs so seldom is
   * interpreted, and writers wait for it.
   */
  void round(long round, View view, Map<Long, Seen> seen) {
    VersionVector applied = state.applied();
    enrolAll(view.members());
    enrolAll(view.lost());
    if (applied.roster().awaited() < 2) {
      return; // It may have lost its memory of others who hold updates of its earlier incarnations.
    }
    NavigableSet<Long> bounds = bounds(view);
    overSince.keySet().retainAll(bounds);
    for (long bound : bounds.descendingSet()) {
      long since = overSince.computeIfAbsent(bound, absent -> round);
      if (round - since >= state.roundsOver()
          && !applied.roster().isRetired(bound - 1)
          && isAgreed(bound, since, view, seen)) {
        state.retireBefore(bound);
        overSince.remove(bound);
        retirements++;
      }
    }
  }

  /** The incarnations before which all are over. */
  private NavigableSet<Long> bounds(View view) {
    VersionVector applied = state.applied();
    NavigableSet<Long> bounds = new TreeSet<>();
    for (Member member : view.members()) {
      for (long incarnation : applied.before(member.id()).keySet()) {
        bounds.add(incarnation + 1);
      }
    }
    toForget.removeIf(replica -> isForgotten(replica) || memberOf(replica, view) != null);
    for (long replica : toForget) {
      Long latest = latestIncarnationOf(replica);
      if (latest != null) {
        bounds.add(latest + 1);
      }
    }
    for (long incarnation : applied.roster().latestIncarnations()) {
      if (applied.roster().hasLeft(incarnation) && isAway(incarnation, view)) {
        bounds.add(incarnation + 1);
      }
    }
    for (long incarnation : applied.writers()) {
      // One that somebody brought who had not heard that its replica is forgotten.
      if (applied.roster().isForgotten(incarnation)) {
        bounds.add(incarnation + 1);
      }
    }
    return bounds;
  }

  private static boolean isAway(long incarnation, View view) {
    return memberOf(Member.replicaOf(incarnation), view) == null;
  }

  private void enrolAll(List<Member> members) {
    for (Member member : members) {
      state.applied().roster().enrol(member.id());
    }
  }

  /** Whether all have said since that round that they know of the same updates. */
  private boolean isAgreed(long bound, long since, View view, Map<Long, Seen> seen) {
    for (long incarnation : state.applied().roster().latestIncarnations()) {
      long replica = Member.replicaOf(incarnation);
      Member member = memberOf(replica, view);
      if (member == null
          && (toForget.contains(replica) || state.applied().roster().hasLeft(incarnation))) {
        continue;
      }
      if (member != null && member.id() == view.self().id()) {
        continue;
      }
      Seen last = member == null ? null : seen.get(member.id());
      if (last == null || last.round() <= since || !state.agreesBefore(bound, last.applied())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether it is as {@link AntiEntropy#isStableHere} says. Members that were forgotten while they
   * stood still are none: what they write is ignored, so that none of them may be the first.
   */
  boolean isStableHere(Predicate<VersionVector> hasApplied, View view, Map<Long, Seen> seen) {
    VersionVector applied = state.applied();
    List<Member> members =
        view.members().stream().filter(member -> !applied.roster().isRetired(member.id())).toList();
    if (members.isEmpty()
        || members.getFirst().id() != view.self().id()
        || !members.stream().allMatch(member -> isStableAt(member, hasApplied, view, seen))) {
      return false;
    }
    for (long incarnation : applied.roster().latestIncarnations()) {
      if (!applied.roster().hasLeft(incarnation) && !view.contains(incarnation)) {
        return false;
      }
    }
    return true;
  }

  private boolean isStableAt(
      Member member, Predicate<VersionVector> hasApplied, View view, Map<Long, Seen> seen) {
    if (member.id() == view.self().id()) {
      return true;
    }
    Seen heard = seen.get(member.id());
    return heard != null
        && hasApplied.test(heard.applied())
        && state.applied().covers(heard.applied())
        && heard.applied().roster().remembersAllOf(state.applied().roster())
        && state.applied().roster().remembersAllOf(heard.applied().roster());
  }

  private @Nullable Long latestIncarnationOf(long replica) {
    for (long incarnation : state.applied().roster().latestIncarnations()) {
      if (Member.replicaOf(incarnation) == replica) {
        return incarnation;
      }
    }
    return null;
  }

  private static @Nullable Member memberOf(long replica, View view) {
    for (Member member : view.members()) {
      if (Member.replicaOf(member.id()) == replica) {
        return member;
      }
    }
    return null;
  }
}
