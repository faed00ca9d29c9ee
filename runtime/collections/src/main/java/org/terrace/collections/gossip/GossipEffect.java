package org.terrace.collections.gossip;

import java.util.List;
import java.util.Set;
import org.terrace.collections.replication.Reconciliation;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;

/** An action that anti-entropy asks of its replica, in the order in which it is given. */
public sealed interface GossipEffect {
  /** Send that message to that member. */
  record Send(Member to, Encoder message) implements GossipEffect {}

  /** Take note that the member has applied this replica's updates up to the floor. */
  record Acknowledged(Member from, long floor) implements GossipEffect {}

  /** Tell every member how far its updates have been applied here. */
  record AcknowledgeAll() implements GossipEffect {}

  /** Put these bytes, as a new update of this replica. */
  record Put(long store, byte[] key, byte[] value, long expiresMillis, List<Dot> superseded)
      implements GossipEffect {
    /** Copies the dots. */
    public Put {
      superseded = List.copyOf(superseded);
    }
  }

  /** Remove these puts, by a new update of this replica. */
  record Remove(long store, byte[] key, List<Dot> superseded) implements GossipEffect {
    /** Copies the dots. */
    public Remove {
      superseded = List.copyOf(superseded);
    }
  }

  /**
   * Join what another replica had applied, after the puts and removals before it; then acknowledge
   * to all, and tell of the repair.
   *
   * @param peer name of the other replica
   * @param added entries that came and were new
   * @param theirs what it had applied
   * @param supersededAhead what it knew to be superseded without having it
   * @param liveThere fingerprints of the dots of the entries that were live there
   */
  record Join(
      String peer, int added, VersionVector theirs, List<Dot> supersededAhead, Set<Long> liveThere)
      implements GossipEffect {}

  /** Tell of a repair. */
  record Reconciled(Reconciliation reconciliation) implements GossipEffect {}
}
