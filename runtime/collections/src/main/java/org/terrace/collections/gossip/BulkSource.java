package org.terrace.collections.gossip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.state.LiveEntry;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.groups.Member;

/**
 * The giving side of a transfer of all entries: a list of the entries as they were when the puller
 * asked for the first part, encoded part by part as it asks on. The entries do not change, so the
 * list is a copy-on-write snapshot. Confined to the holder of the replica's lock.
 */
final class BulkSource {
  private static final long IDLE_MAX_NANOS = 10_000_000_000L;
  private static final int TRANSFERS_MAX = 8;

  private static final class Transfer {
    final long number;
    final List<LiveEntry<?>> entries;
    final VersionVector applied;
    final List<Dot> supersededAhead;

    /** The places among the entries at which the parts begin. */
    final List<Integer> parts = new ArrayList<>(List.of(0));

    long activeNanos;

    Transfer(long number, ReplicaState state) {
      this.number = number;
      this.entries = state.liveEntries();
      this.applied = VersionVector.copyOf(state.applied());
      this.supersededAhead = List.copyOf(state.supersededAhead());
    }
  }

  private final ReplicaState state;
  private final int messageBytesMax;
  private final Map<Long, Transfer> transfers = new HashMap<>();

  BulkSource(ReplicaState state, int messageBytesMax) {
    this.state = state;
    this.messageBytesMax = messageBytesMax;
  }

  /** The part that is asked for, or null if there is none. */
  @Nullable Encoder answer(long nowNanos, Member from, Decoder in) {
    long number = in.getUnsigned();
    int part = in.getCount(Integer.MAX_VALUE);
    transfers.values().removeIf(idle -> nowNanos - idle.activeNanos > IDLE_MAX_NANOS);
    Transfer transfer = transfers.get(from.id());
    if (part == 0 && (transfer == null || transfer.number < number)) {
      if (transfer == null && transfers.size() == TRANSFERS_MAX) {
        return null;
      }
      transfer = new Transfer(number, state);
      transfers.put(from.id(), transfer);
    }
    if (transfer == null || transfer.number != number || part >= transfer.parts.size()) {
      return null;
    }
    transfer.activeNanos = nowNanos;
    return part(transfer, part);
  }

  private Encoder part(Transfer transfer, int part) {
    Encoder entries = new Encoder();
    int next = transfer.parts.get(part);
    int count = 0;
    while (next < transfer.entries.size() && entries.length() < messageBytesMax) {
      transfer.entries.get(next).toStateEntry().encode(entries);
      next++;
      count++;
    }
    boolean last = next == transfer.entries.size();
    Encoder out = StateTransfer.message(Message.BULK, transfer.number);
    out.putUnsigned(part);
    out.putByte(last ? 1 : 0);
    out.putUnsigned(count);
    out.putRaw(entries.array(), 0, entries.length());
    if (last) {
      transfer.applied.encode(out);
      Delta.putDots(out, transfer.supersededAhead);
    } else if (transfer.parts.size() == part + 1) {
      transfer.parts.add(next);
    }
    return out;
  }
}
