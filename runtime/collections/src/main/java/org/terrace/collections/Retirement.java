package org.terrace.collections;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * Finds lives of replicas that can be retired, so that the version vector does not grow with
 * restarts.
 *
 * <p>Lives before the present one of a replica are over. One that has been over for a number of
 * rounds of gossip is retired as soon as every replica that this one has ever heard of (its roster,
 * which checkpoints keep) is in the view and has said since that it knows of the same updates of
 * that life and of those before it. Then nobody can have an update of theirs that the others lack,
 * and nothing is lost by counting all their updates as applied. A replica that is away holds this
 * up, however long, unless it is forgotten. One that remembers no other replica retires nothing.
 *
 * <p>Each replica decides for itself. Those that have not decided yet take the decision over with
 * the state of one that has. Confined to the holder of the replica's lock.
 */
final class Retirement {
  /** For how many rounds a life must have been over: ten seconds by default. */
  static final int ROUNDS_OVER = 100;

  /** What another replica last said it had applied, and in which round of this one. */
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
    return latestLifeOf(replica) == null;
  }

  /** How many times this replica has found lives that could be retired. */
  long retirements() {
    return retirements;
  }

  /** Number of replicas that are known, not forgotten and not in the view. */
  long replicasAway(View view) {
    long away = 0;
    for (long life : state.applied().roster().latestLives()) {
      away += memberOf(Member.replicaOf(life), view) == null ? 1 : 0;
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
    if (applied.roster().size() < 2) {
      return; // It may have lost its memory of others who hold updates of its earlier lives.
    }
    NavigableSet<Long> bounds = new TreeSet<>();
    for (Member member : view.members()) {
      for (long life : applied.before(member.id()).keySet()) {
        bounds.add(life + 1);
      }
    }
    toForget.removeIf(replica -> isForgotten(replica) || memberOf(replica, view) != null);
    for (long replica : toForget) {
      Long latest = latestLifeOf(replica);
      if (latest != null) {
        bounds.add(latest + 1);
      }
    }
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

  private void enrolAll(List<Member> members) {
    for (Member member : members) {
      state.applied().roster().enrol(member.id());
    }
  }

  /** Whether all have said since that round that they know of the same updates. */
  private boolean isAgreed(long bound, long since, View view, Map<Long, Seen> seen) {
    for (long life : state.applied().roster().latestLives()) {
      long replica = Member.replicaOf(life);
      Member member = memberOf(replica, view);
      if (member == null && toForget.contains(replica)) {
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

  private @Nullable Long latestLifeOf(long replica) {
    for (long life : state.applied().roster().latestLives()) {
      if (Member.replicaOf(life) == replica) {
        return life;
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
