package org.terrace.collections.gossip;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.ReplicaRoster;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * The judgement whether a replica has all that there is: nobody is missing, and every other was
 * heard to have nothing that is not applied here. Confined to the holder of the replica's lock.
 */
final class Completeness {
  /** The rounds in which all that was on its way before them has come: a second by default. */
  private static final int ROUNDS_UNDER_WAY = 10;

  private final ReplicaState state;

  /** The replicas that a checkpoint tells of and that have not been in the view since. */
  private final Set<Long> unmet;

  private long viewRound;

  Completeness(ReplicaState state) {
    this.state = state;
    this.unmet = new TreeSet<>(state.applied().roster().latestIncarnations());
  }

  void viewChanged(View view, long round) {
    viewRound = round;
    for (Member member : view.members()) {
      unmet.removeIf(one -> Member.replicaOf(one) == Member.replicaOf(member.id()));
    }
  }

  /** Whether each other one was last heard after that round, with nothing that is not here. */
  boolean isCaughtUpSince(long round, View view, Map<Long, Retirement.Seen> lastSeen) {
    for (Member other : view.others()) {
      Retirement.Seen seen = lastSeen.get(other.id());
      if (seen == null || seen.round() <= round || !state.applied().covers(seen.applied())) {
        return false;
      }
    }
    return true;
  }

  /** Whether nobody is missing, and all that others had in that round of this one is here. */
  boolean isCompleteSince(long round, View view, Map<Long, Retirement.Seen> lastSeen) {
    return view.isComplete()
        && (view.expectedMembers().isPresent() || unmet.stream().allMatch(this::isGone))
        && isCaughtUpSince(Math.max(round + ROUNDS_UNDER_WAY, viewRound), view, lastSeen);
  }

  private boolean isGone(long incarnation) {
    ReplicaRoster roster = state.applied().roster();
    return roster.hasLeft(incarnation) || roster.isForgotten(incarnation);
  }
}
