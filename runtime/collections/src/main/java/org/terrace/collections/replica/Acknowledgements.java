package org.terrace.collections.replica;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.groups.Member;

/**
 * The progress of the view's other members in applying this replica's updates without a gap
 * (members that leave apart), and the updates that wait for it. Confined to the holder of the
 * replica's lock.
 */
final class Acknowledgements {
  /** One other member and what is known of it. */
  static final class Peer {
    final Member member;

    /** Updates up to here were made before the member came: it gets them by state transfer. */
    final long joinedAt;

    long floor;
    long resendUpTo;
    int backoffTicks;

    /** Whether one unanswered update has been sent again since the last answer. */
    boolean probed;

    int waitTicks;

    Peer(Member member, long joinedAt) {
      this.member = member;
      this.joinedAt = joinedAt;
      this.resendUpTo = joinedAt;
    }

    /** Whether it has all that was made before it came. */
    boolean isComplete() {
      return floor >= joinedAt;
    }
  }

  private static final int WRITES_WAITING_MAX = 1 << 17;

  private final Map<Long, Peer> peers = new TreeMap<>();
  private final Map<WriteLevel, Waiting> pending = new TreeMap<>();

  /** The updates of one level: those that wait, the last one, and up to where it was reached. */
  private static final class Waiting {
    final Deque<PendingWrite> writes = new ArrayDeque<>();
    long last;
    long reached;

    void reach(long floor) {
      reached = Math.max(reached, Math.min(floor, last));
    }
  }

  /** Sets which others are to have the updates of this replica; new ones from that update on. */
  void othersChanged(List<Member> others, long sequence) {
    Set<Long> ids = others.stream().map(Member::id).collect(Collectors.toSet());
    peers.keySet().retainAll(ids);
    for (Member other : others) {
      peers.computeIfAbsent(other.id(), absent -> new Peer(other, sequence));
    }
    settle();
  }

  /** The members that have all that was made before they came, and what that was up to. */
  Map<Long, Long> asked() {
    Map<Long, Long> asked = new TreeMap<>();
    for (Peer peer : peers.values()) {
      if (peer.isComplete()) {
        asked.put(peer.member.id(), peer.joinedAt);
      }
    }
    return asked;
  }

  Iterable<Peer> peers() {
    return peers.values();
  }

  /** Takes note of an answer; says whether it tells anything new. */
  boolean acknowledged(long member, long floor) {
    Peer peer = peers.get(member);
    if (peer == null || floor <= peer.floor) {
      return false;
    }
    peer.floor = floor;
    peer.backoffTicks = 0;
    peer.probed = false;
    settle();
    return true;
  }

  /** Whether any other member has answered the update, or there is none. */
  boolean isAnswered(long sequence) {
    boolean answered = peers.isEmpty();
    for (Peer peer : peers.values()) {
      answered |= Math.max(peer.floor, peer.joinedAt) >= sequence;
    }
    return answered;
  }

  void register(PendingWrite write) {
    if (isReached(write.level, write.sequence)) {
      write.acknowledge();
    } else {
      waiting(write.level).writes.addLast(write);
    }
  }

  /** Whether as many hold the update as the level asks, or have held it since it was made. */
  boolean isReached(WriteLevel level, long sequence) {
    Waiting waiting = waiting(level);
    waiting.last = Math.max(waiting.last, sequence);
    waiting.reach(floorOf(level));
    return sequence <= waiting.reached;
  }

  private Waiting waiting(WriteLevel level) {
    return pending.computeIfAbsent(level, absent -> new Waiting());
  }

  void abandon(PendingWrite write) {
    waiting(write.level).writes.remove(write);
  }

  /** Fails if too many updates wait for others to allow so many more. */
  void checkRoom(int updates) {
    if (waiting() + updates > WRITES_WAITING_MAX) {
      throw new WriteRefusedException(
          waiting() + " updates wait for acknowledgement already: try again later");
    }
  }

  int waiting() {
    int waiting = 0;
    for (Waiting level : pending.values()) {
      waiting += level.writes.size();
    }
    return waiting;
  }

  private void settle() {
    for (Map.Entry<WriteLevel, Waiting> level : pending.entrySet()) {
      Deque<PendingWrite> writes = level.getValue().writes;
      long floor = floorOf(level.getKey());
      level.getValue().reach(floor);
      while (!writes.isEmpty() && writes.peekFirst().sequence <= floor) {
        writes.removeFirst().acknowledge();
      }
    }
  }

  /**
   * The update up to which the level is reached. Every member is asked for once it has all that was
   * made before it came: what it lacks of that is on its way to it, and what is made since reaches
   * it as it reaches the others.
   */
  private long floorOf(WriteLevel level) {
    int others = level.holders() - 1;
    long floor = Long.MAX_VALUE;
    if (level.everyMember()) {
      for (Peer peer : peers.values()) {
        floor = peer.isComplete() ? Math.min(floor, peer.floor) : floor;
      }
    }
    return Math.min(floor, floorOfAny(others));
  }

  /** The update up to which that many others have all. */
  private long floorOfAny(int others) {
    if (others == 0) {
      return Long.MAX_VALUE;
    }
    if (others > peers.size()) {
      return 0;
    }
    long[] floors = new long[peers.size()];
    int index = 0;
    for (Peer peer : peers.values()) {
      floors[index++] = peer.floor;
    }
    Arrays.sort(floors);
    return floors[floors.length - others];
  }
}
