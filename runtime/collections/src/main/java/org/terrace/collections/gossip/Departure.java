package org.terrace.collections.gossip;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.ReplicaRoster;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * A replica's planned goodbye: it hands over all that it has and then says that this incarnation of
 * it has left, so that nobody waits for it and the others forget it by themselves.
 *
 * <ol>
 *   <li><em>Announced</em>: it says in its digests that it is leaving. Whoever hears that counts it
 *       no longer among the holders of his updates, nor waits for it.
 *   <li><em>Frozen</em>, once all others in its view have said that they know, and every replica
 *       that is waited for is among them: it applies and acknowledges nothing more and makes no
 *       updates. So what it has is all that it ever acknowledged to anybody.
 *   <li><em>Left</em>, once all others in its view have said that they have applied all of that,
 *       and remember every replica that it remembers, and its checkpoint has been discarded: only
 *       now does its place in the roster say so.
 *   <li><em>Done</em>, once all others have said that they know this, too, and still have all.
 * </ol>
 *
 * <p>So whoever remembers a replica that has left knows it, or has left before and remembers
 * nothing: nobody takes a later incarnation that starts with nothing for one that still knew whom
 * to wait for (decision 314, {@code docs/decisions/0314-leaving-waits-for-all-who-are-known.md}).
 *
 * <p>If it dies on the way, nobody believes that it has left. Others that are leaving themselves
 * are none to hand over to; who has no others does not leave. Confined to the holder of the
 * replica's lock.
 */
public final class Departure {
  /** The stage that a departure has reached. */
  public enum Phase {
    STAYING,
    ANNOUNCED,
    FROZEN,
    LEFT,
    DONE
  }

  private final long writer;
  private final ReplicaState state;
  private final Supplier<View> view;
  private Phase phase = Phase.STAYING;
  private boolean hasCheckpoint;
  private List<Member> heirs = List.of();

  Departure(long writer, ReplicaState state, Supplier<View> view) {
    this.writer = writer;
    this.state = state;
    this.view = view;
  }

  Phase phase() {
    return phase;
  }

  /** Begins, the first time. */
  void begin(boolean withCheckpoint) {
    if (phase == Phase.STAYING) {
      hasCheckpoint = withCheckpoint;
      state.applied().roster().part(writer, ReplicaRoster.Parting.LEAVING);
      phase = Phase.ANNOUNCED;
    }
  }

  /** Takes note that its checkpoint is gone: one restored later would remember what is outdated. */
  void checkpointDiscarded() {
    hasCheckpoint = false;
  }

  /** Calls the departure off, unless it was told; whether the checkpoint is needed again. */
  boolean keepCheckpoint() {
    hasCheckpoint |= phase.compareTo(Phase.LEFT) < 0;
    return phase.compareTo(Phase.LEFT) < 0;
  }

  /** Whether its heirs have all that it has, and it may discard its checkpoint. */
  boolean isHandedOver(Map<Long, Retirement.Seen> seen) {
    return phase.compareTo(Phase.FROZEN) > 0
        || (phase == Phase.FROZEN && areAllKnownHere() && areAllAware(seen));
  }

  /** The members to which it handed over. */
  List<Member> heirs() {
    return heirs;
  }

  /** Whether it applies, acknowledges and makes no updates any more. */
  boolean isFrozen() {
    return phase.compareTo(Phase.FROZEN) >= 0;
  }

  /** Goes on as far as what the others said last allows. */
  void advance(Map<Long, Retirement.Seen> seen) {
    if (phase == Phase.ANNOUNCED && areAllKnownHere() && areAllAware(seen)) {
      phase = Phase.FROZEN;
    }
    if (phase == Phase.FROZEN && !hasCheckpoint && isHandedOver(seen)) {
      heirs = heirs(seen);
      state.applied().roster().part(writer, ReplicaRoster.Parting.LEFT);
      phase = Phase.LEFT;
    }
    if (phase == Phase.LEFT && areAllAware(seen)) {
      phase = Phase.DONE;
    }
  }

  private boolean areAllAware(Map<Long, Retirement.Seen> seen) {
    return !heirs(seen).isEmpty() && unaware(seen).isEmpty();
  }

  /** Whether each replica that is waited for is in the view, and so is told. */
  private boolean areAllKnownHere() {
    ReplicaRoster roster = state.applied().roster();
    return roster.latestIncarnations().stream()
        .allMatch(incarnation ->
            incarnation == writer
                || roster.hasLeft(incarnation)
                || view.get().contains(incarnation));
  }

  /** The others that have not said yet what it waits for; none if it waits for nothing. */
  List<Member> unaware(Map<Long, Retirement.Seen> seen) {
    return phase == Phase.STAYING
        ? List.of()
        : heirs(seen).stream().filter(other -> !isAware(seen.get(other.id()))).toList();
  }

  /** The others in its view but for those that have said that they are leaving, too. */
  private List<Member> heirs(Map<Long, Retirement.Seen> seen) {
    return view.get().others().stream()
        .filter(other -> {
          Retirement.Seen last = seen.get(other.id());
          return last == null || !last.applied().roster().isLeaving(other.id());
        })
        .toList();
  }

  private boolean isAware(Retirement.@Nullable Seen last) {
    return switch (phase) {
      case STAYING, DONE -> true;
      case ANNOUNCED -> last != null && last.applied().roster().isLeaving(writer);
      case FROZEN -> last != null && state.isHandedOver(last.applied());
      // Somebody may have come, or be back from a checkpoint, since it left.
      case LEFT ->
          last != null
              && last.applied().roster().hasLeft(writer)
              && state.isHandedOver(last.applied());
    };
  }
}
