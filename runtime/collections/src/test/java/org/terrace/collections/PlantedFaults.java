package org.terrace.collections;

import java.util.Collection;
import java.util.Set;
import org.terrace.collections.replica.LocalWrites;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.RequestRecord;
import org.terrace.core.RequestIdentity;

/** Faults on purpose, which the oracles of the simulation must find. */
public final class PlantedFaults {
  private PlantedFaults() {}

  /** Takes note of some updates without applying them. */
  public static final class DroppedDelta extends WatchedState {
    private int updates;

    public DroppedDelta(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean apply(
        long writer, long sequence, byte[] bytes, HybridClock clock, ChangeCause cause) {
      if (!applied().contains(writer, sequence) && ++updates % 10 == 0) {
        applied().add(writer, sequence);
        return true;
      }
      return super.apply(writer, sequence, bytes, clock, cause);
    }
  }

  /** Resolves a conflict as the paper did: whatever the other side does not have goes. */
  public static final class DiscardedSide extends WatchedState {
    public DiscardedSide(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public int join(
        VersionVector theirs, Collection<Dot> theirSupersededAhead, Set<Long> liveThere) {
      for (LiveEntry<?> live : liveEntries()) {
        if (!liveThere.contains(live.version().dotFingerprint())) {
          live.remove(ChangeCause.REPAIR);
        }
      }
      return super.join(theirs, theirSupersededAhead, liveThere);
    }
  }

  /** Sums up the dots of its entries alone, whatever they hold. */
  public static final class DotsAlone extends WatchedState {
    public DotsAlone(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public long fingerprint() {
      return liveEntries().stream().mapToLong(live -> live.version().dotFingerprint()).sum();
    }
  }

  /** Retires incarnations as soon as a later one is there, whatever the other replicas know. */
  public static final class RetiredEarly extends WatchedState {
    public RetiredEarly(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public int roundsOver() {
      return 0;
    }

    @Override
    public boolean agreesBefore(long incarnation, VersionVector theirs) {
      return true;
    }
  }

  /** Says that it has left whether or not the others have what it has. */
  public static final class LeftEarly extends WatchedState {
    public LeftEarly(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean isHandedOver(VersionVector theirs) {
      return true;
    }
  }

  /** Forgets what was superseded before it came. */
  public static final class ForgottenAhead extends WatchedState {
    public ForgottenAhead(long logBytesMax) {
      super(logBytesMax);
    }

    @Override
    public boolean apply(
        long writer, long sequence, byte[] bytes, HybridClock clock, ChangeCause cause) {
      supersededAhead().clear();
      return super.apply(writer, sequence, bytes, clock, cause);
    }
  }

  /** Leaves it to the replica that decided in vain to take its effects back, dead or alive. */
  static final class LeftToItsWriter extends DecidedTwice {
    private final LocalWrites writes;

    LeftToItsWriter(LocalWrites writes) {
      super(writes);
      this.writes = writes;
    }

    @Override
    void takeBack(RequestIdentity request, RequestRecord record) {
      if (record.writer() == writes.writer()) {
        super.takeBack(request, record);
      }
    }
  }

  /** A member that takes its own knowledge of a destruction for everybody's. */
  static final class Hasty extends Destruction {
    Hasty(Replica replica, ReplicaState state) {
      super(replica, state);
    }

    @Override
    boolean isAgreed(Dot mark) {
      return true;
    }
  }
}
