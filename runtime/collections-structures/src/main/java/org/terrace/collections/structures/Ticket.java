package org.terrace.collections.structures;

import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;

/**
 * The place of an element in a queue: the stamp of its arrival. Immutable.
 *
 * @param stamp the hybrid clock's stamp
 * @param writer the replica at which it was added
 * @param sequence the update that added it
 */
public record Ticket(long stamp, long writer, long sequence) implements Comparable<Ticket> {
  /** The codec of tickets. */
  public static final Codec<Ticket> CODEC =
      Codecs.immutable(
          (ticket, out) -> {
            out.putFixedLong(ticket.stamp);
            out.putFixedLong(ticket.writer);
            out.putUnsigned(ticket.sequence);
          },
          in -> new Ticket(in.getFixedLong(), in.getFixedLong(), in.getUnsigned()));

  @Override
  public int compareTo(Ticket other) {
    if (stamp != other.stamp) {
      return Long.compare(stamp, other.stamp);
    }
    return writer != other.writer
        ? Long.compare(writer, other.writer)
        : Long.compare(sequence, other.sequence);
  }
}
