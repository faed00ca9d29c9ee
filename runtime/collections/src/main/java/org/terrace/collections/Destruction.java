package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.terrace.collections.gossip.AntiEntropy;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.replication.CollectionDestroyedException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.EntryUse;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.Version;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.codec.Codecs;
import org.terrace.groups.View;

/**
 * The destroying of collections, which all known replicas agree about, and of which nothing is kept
 * afterwards.
 *
 * <p>Whoever destroys a collection puts a mark at its name into a hidden collection. Wherever the
 * mark comes, the collection's handles end, so that nobody puts anything into it any more, and none
 * of the name can be opened. Once all known replicas are members and have said that they have the
 * mark and nothing that the first member lacks, that one has all that was ever put into the
 * collection: it takes note of what it has applied, and puts a mark of its own in the place of the
 * first. Once all have said that they have that, too, it removes what it had noted, by ordinary
 * updates that name each put, and puts a third mark, which nobody applies before those. Once all
 * have that, it is removed, and the name is free.
 *
 * <p>So whether an entry is there depends on the updates that were applied alone, as ever: an old
 * checkpoint or a late joiner brings back nothing. And whoever has anything of a new collection of
 * the name has the third mark, too, or knows that it was removed: he does not take it for the old
 * one's, even if the removal of the mark was lost with those that knew of it. Confined to the
 * holder of the replica's lock.
 */
class Destruction {
  /** A character of the names of hidden collections, and of no other's. */
  private static final char HIDDEN = '\u0000';

  private static final String STORE = HIDDEN + "destroyed";
  private static final long ASKED = 0;
  private static final long CLOSING = 1;
  private static final long CLEARED = 2;
  private static final int REMOVALS_A_ROUND_MAX = 10_000;

  /** A mark of this replica, and what it had applied before. */
  private record Closing(Dot mark, VersionVector before) {}

  private final Supplier<View> view;
  private final AntiEntropy gossip;
  private final ReplicaState state;
  private final LocalWrites writes;
  private final Store<String, Long> marks;
  private final Map<String, Closing> closings = new HashMap<>();

  /** To be made within a step, before the replica is started. */
  Destruction(Replica replica, ReplicaState state) {
    this.view = replica::view;
    this.gossip = replica.antiEntropy();
    this.state = state;
    this.writes = replica.writes();
    this.marks = state.open(STORE, Codecs.string(), Codecs.longs(), new ConcurrentHashMap<>());
    marks.observe((name, before, after, cause) -> {
      if (after == null) {
        namesOf(name).forEach(state::forgetIfEmpty);
      } else if (before == null) {
        namesOf(name).forEach(state::destroy);
      }
    });
    replica.hooks().everyRound(marks, this::tick);
  }

  /** The names under which the parts of a collection are kept, whatever its type. */
  private static List<String> namesOf(String name) {
    return List.of(
        name,
        name + ListPlace.STORE_SUFFIX,
        name + QueueTurns.STORE_SUFFIX,
        name + EntryUse.STORE_SUFFIX);
  }

  /** Begins to destroy the collection of that name, unless somebody has. */
  void begin(String name) {
    checkName(name);
    if (marks.get(name) == null) {
      put(name, ASKED, List.of());
    }
  }

  boolean isUnderWay(String name) {
    return marks.get(name) != null;
  }

  /** Whether all have agreed; the mark of a replica that is forgotten itself goes without that. */
  boolean isDone(String name) {
    return !isUnderWay(name) && !writes.isRetired();
  }

  private static void checkName(String name) {
    if (name.indexOf(HIDDEN) >= 0) {
      throw new IllegalArgumentException(
          "the name '%s' has the character U+0000, which those of hidden collections have: choose one without"
              .formatted(name));
    }
  }

  void checkMayOpen(String name) {
    checkName(name);
    if (isUnderWay(name)) {
      throw new CollectionDestroyedException(
          "the collection '"
              + name
              + "' is being destroyed, which takes until all known replicas are there and have agreed"
              + " (members: "
              + view.get().members()
              + "): open it afterwards for a new one");
    }
  }

  /** Whether all known replicas are members and have that mark, and nothing that is not here. */
  boolean isAgreed(Dot mark) {
    return gossip.isStableHere(applied -> applied.contains(mark.writer(), mark.sequence()));
  }

  private void tick() {
    closings
        .entrySet()
        .removeIf(closing -> marks.find(closing.getKey(), closing.getValue().mark) == null);
    for (Map.Entry<String, Version> mark : List.copyOf(marks.slots.entrySet())) {
      advance(mark.getKey(), mark.getValue());
    }
  }

  private void advance(String name, Version first) {
    Closing mine = closings.get(name);
    List<Dot> present = Updates.dotsOf(first);
    List<Dot> cleared = cleared(first);
    if (cleared.equals(present)) {
      if (present.stream().allMatch(this::isAgreed)) {
        writes.asOne(() -> remove(marks, name, present));
      }
    } else if (mine == null) {
      if (present.stream().allMatch(this::isAgreed)) {
        VersionVector before = VersionVector.copyOf(writes.applied());
        closings.put(name, new Closing(put(name, CLOSING, present), before));
      }
    } else if (!cleared.isEmpty()) {
      closings.remove(name); // another member was the first one, and what is there now may be new
      remove(marks, name, List.of(mine.mark));
    } else if (isAgreed(mine.mark) && clear(name, mine.before)) {
      closings.remove(name);
      writes.asOne(() -> put(name, CLEARED, List.of(mine.mark)));
    }
  }

  private List<Dot> cleared(Version first) {
    List<Dot> cleared = new ArrayList<>();
    for (Version version = first; version != null; version = version.next) {
      if (version.value(marks.values) == CLEARED) {
        cleared.add(new Dot(version.writer, version.sequence));
      }
    }
    return cleared;
  }

  private Dot put(String name, long stage, List<Dot> instead) {
    Dot mark = new Dot(writes.writer(), writes.nextSequence());
    writes.put(marks, name, stage, Version.NEVER, instead, WriteLevel.LOCAL);
    return mark;
  }

  /** Removes what was put before, some of it a round; says whether all is gone. */
  private boolean clear(String name, VersionVector before) {
    int removed = 0;
    for (String part : namesOf(name)) {
      for (LiveEntry<?> live : state.liveEntries(part)) {
        if (before.contains(live.dot().writer(), live.dot().sequence())) {
          if (removed++ == REMOVALS_A_ROUND_MAX) {
            return false;
          }
          remove(live);
        }
      }
    }
    return true;
  }

  private <K> void remove(LiveEntry<K> live) {
    remove(live.store(), live.key(), List.of(live.dot()));
  }

  private <K> PendingWrite remove(Store<K, ?> store, K key, List<Dot> dots) {
    return writes.remove(store, key, dots, WriteLevel.LOCAL, ChangeCause.LOCAL);
  }
}
