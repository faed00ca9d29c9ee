package org.terrace.collections.state;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.messages.StateEntry;

/**
 * The taking over of entries from a replica that has applied the same updates and holds other
 * entries, or other content under the same dots: a fault of one of the two.
 *
 * <p>An entry that is not here is added as the very put that it was, not as a newer one: what
 * supersedes it elsewhere meanwhile takes it away here, too. Of content that differs, that stands
 * which the put's own writer holds, and as long as that is a member nothing else is taken over;
 * once it is gone an order decides that is the same on every replica. Whoever holds what does not
 * stand takes the other over when it compares itself in turn. What was superseded here since the
 * audit began stays away. Confined to the holder of the replica's lock.
 */
final class Audit {
  private final ReplicaState state;
  private final long self;
  private final LongPredicate isMember;
  private final Set<Dot> superseded = new HashSet<>();
  private @Nullable Map<Dot, LiveEntry<?>> byDot;

  Audit(ReplicaState state, long self, LongPredicate isMember) {
    this.state = state;
    this.self = self;
    this.isMember = isMember;
  }

  /** Takes note of what is superseded while the audit lasts. */
  void superseded(Collection<Dot> dots) {
    superseded.addAll(dots);
  }

  /** Adds the entry, or takes over its content, if it is to be; says whether it was. */
  boolean restore(StateEntry entry) {
    Dot dot = entry.dot();
    if (superseded.contains(dot)
        || !state.applied().contains(dot.writer(), dot.sequence())
        || state.supersededAhead().contains(dot)) {
      return false;
    }
    LiveEntry<?> here = live(entry);
    if (here == null) {
      return state.replace(dot.writer() == self ? entry.asWriters() : entry);
    }
    boolean mayStand = entry.isWriters() || !isMember.test(dot.writer());
    if (!mayStand || !entry.isPreferredTo(here.version().digest, here.version().isWriters)) {
      return false;
    }
    if (state.live(entry.store(), entry.key(), dot) == null) {
      here.remove(ChangeCause.REPAIR);
    }
    return state.replace(entry);
  }

  /** The entry that has that dot here, at the same key or at any other. */
  private @Nullable LiveEntry<?> live(StateEntry entry) {
    Dot dot = entry.dot();
    LiveEntry<?> samePlace = state.live(entry.store(), entry.key(), dot);
    if (samePlace != null) {
      return samePlace;
    }
    StateEntry before = entryBefore(dot);
    return before == null ? null : state.live(before.store(), before.key(), dot);
  }

  /** The entry that had that dot when one was first looked for: its place may have changed. */
  private @Nullable StateEntry entryBefore(Dot dot) {
    Map<Dot, LiveEntry<?>> known = byDot;
    if (known == null) {
      known = new HashMap<>();
      for (LiveEntry<?> live : state.liveEntries()) {
        known.put(live.dot(), live);
      }
      byDot = known;
    }
    LiveEntry<?> before = known.get(dot);
    return before == null ? null : before.toStateEntry();
  }
}
