package org.terrace.control.manager;

import org.terrace.control.ServiceReference;
import org.terrace.control.naming.NamingCodec;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.Endpoint;

/** A message from a replica or manager to a manager, or its answer. Immutable. */
sealed interface ManagerMessage {
  /** No epoch or term is higher. */
  long EPOCH_MAX = 1L << 62;

  /** A replica registers itself. */
  record ReplicaHello(String service, Endpoint endpoint, long pid) implements ManagerMessage {}

  /** Another manager makes itself known. */
  record PeerHello(String manager) implements ManagerMessage {}

  /** A replica that is being started waits for what it needs, and has not failed. */
  record Starting(String replica) implements ManagerMessage {}

  /**
   * The sender is alive.
   *
   * @param known of a manager the latest term it knows; of a replica the highest epoch of its
   *     service that its database has shown it, 0 for none; of a manager to a replica 0
   */
  record Beat(long known) implements ManagerMessage {}

  /** The replica has finished its calls. */
  record Drained() implements ManagerMessage {}

  /** The reference that the replica is part of, or a spare of. */
  record Assigned(ServiceReference reference) implements ManagerMessage {}

  /** Finish the calls under way and take no more. */
  record Drain() implements ManagerMessage {}

  /** The message as bytes. */
  static byte[] encode(ManagerMessage message) {
    Encoder out = new Encoder();
    switch (message) {
      case ReplicaHello hello -> {
        out.putByte(1);
        out.putString(hello.service());
        NamingCodec.putEndpoint(out, hello.endpoint());
        out.putUnsigned(hello.pid());
      }
      case PeerHello hello -> {
        out.putByte(2);
        out.putString(hello.manager());
      }
      case Beat(long term) -> {
        out.putByte(3);
        out.putUnsigned(term);
      }
      case Drained() -> out.putByte(4);
      case Assigned(ServiceReference reference) -> {
        out.putByte(5);
        NamingCodec.putReference(out, reference);
      }
      case Drain() -> out.putByte(6);
      case Starting(String replica) -> {
        out.putByte(7);
        out.putString(replica);
      }
    }
    return out.toBytes();
  }

  /**
   * The message of these bytes.
   *
   * @throws MalformedDataException if they are none
   */
  static ManagerMessage decode(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    int kind = in.getByte();
    return switch (kind) {
      case 1 -> hello(in.getString(), NamingCodec.getEndpoint(in), in.getUnsigned());
      case 2 -> new PeerHello(in.getString());
      case 3 -> beat(in.getUnsigned());
      case 4 -> new Drained();
      case 5 -> new Assigned(NamingCodec.getReference(in));
      case 6 -> new Drain();
      case 7 -> new Starting(in.getString());
      default -> throw new MalformedDataException("no manager message has the kind " + kind);
    };
  }

  /** The process of a replica may be ended by its number and name: both must be some. */
  private static ReplicaHello hello(String service, Endpoint endpoint, long pid) {
    if (endpoint.replica().isBlank()) {
      throw new MalformedDataException("a replica of " + service + " has no name");
    }
    return new ReplicaHello(service, endpoint, notBelow(1, pid));
  }

  /** An epoch near the end of the numbers would leave none for the next primary. */
  private static Beat beat(long known) {
    if (known > EPOCH_MAX) {
      throw new MalformedDataException("no epoch or term is " + known);
    }
    return new Beat(notBelow(0, known));
  }

  private static long notBelow(long least, long value) {
    if (value < least) {
      throw new MalformedDataException("expected a number of " + least + " or more, got " + value);
    }
    return value;
  }
}
