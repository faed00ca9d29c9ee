package org.terrace.control.naming;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.Endpoint;

/** The encoding of naming messages, registrations and references. Stateless and thread-safe. */
public final class NamingCodec {
  /** Most replicas of one service. */
  public static final int PROFILES_MAX = 256;

  /** Longest name of a service, in bytes of UTF-8. */
  static final int NAME_BYTES_MAX = 1_024;

  /** Longest registration: what is kept of a name, two of them, goes into one frame. */
  static final int REGISTRATION_BYTES_MAX = 384 << 10;

  /** An answer of more than that goes out in pages. */
  static final int PAGE_BYTES = 256 << 10;

  private static final int FOUNDERS_MAX = 1_000;
  private static final int NAMES_MAX = 100_000;
  private static final Style[] STYLES = Style.values();

  private NamingCodec() {}

  /** The message as bytes. */
  static byte[] encode(NamingMessage message) {
    Encoder out = new Encoder();
    switch (message) {
      case NamingMessage.Prepare m -> {
        head(out, 1, m.id());
        out.putString(m.name());
        putBallot(out, m.ballot());
      }
      case NamingMessage.Promised m -> {
        head(out, 2, m.id());
        putBallot(out, m.accepted());
        putOptional(out, m.value());
      }
      case NamingMessage.Accept m -> {
        head(out, 3, m.id());
        out.putString(m.name());
        putBallot(out, m.ballot());
        putRegistration(out, m.value());
      }
      case NamingMessage.Accepted m -> head(out, 4, m.id());
      case NamingMessage.Refused m -> {
        head(out, 5, m.id());
        putBallot(out, m.promised());
      }
      case NamingMessage.Learn m -> {
        head(out, 6, 0);
        putRegistration(out, m.value());
      }
      case NamingMessage.Resolve m -> {
        head(out, 7, m.id());
        out.putString(m.name());
      }
      case NamingMessage.Resolved m -> {
        head(out, 8, m.id());
        putOptional(out, m.value());
      }
      case NamingMessage.ListAll m -> {
        head(out, 9, m.id());
        out.putString(m.from());
      }
      case NamingMessage.Listed m -> putListed(out, m);
      case NamingMessage.Watch m -> {
        head(out, 11, 0);
        out.putString(m.name());
      }
      case NamingMessage.Stand m -> putStand(out, m);
      case NamingMessage.Standing m -> putStanding(out, m);
      case NamingMessage.Enter m -> {
        head(out, 14, m.id());
        out.putUnsigned(m.floor());
      }
      case NamingMessage.Entered m -> {
        head(out, 15, m.id());
        out.putFixedLong(m.incarnation());
        out.putUnsigned(m.floor());
      }
    }
    return out.toBytes();
  }

  /**
   * The message of these bytes.
   *
   * @throws MalformedDataException if they are none
   */
  static NamingMessage decode(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    int kind = in.getByte();
    long id = in.getFixedLong();
    return switch (kind) {
      case 1 -> new NamingMessage.Prepare(id, getName(in), getBallot(in));
      case 2 -> new NamingMessage.Promised(id, getBallot(in), getOptional(in));
      case 3 -> new NamingMessage.Accept(id, getName(in), getBallot(in), getRegistration(in));
      case 4 -> new NamingMessage.Accepted(id);
      case 5 -> new NamingMessage.Refused(id, getBallot(in));
      case 6 -> new NamingMessage.Learn(getRegistration(in));
      case 7 -> new NamingMessage.Resolve(id, getName(in));
      case 8 -> new NamingMessage.Resolved(id, getOptional(in));
      case 9 -> new NamingMessage.ListAll(id, in.getString());
      case 10 -> new NamingMessage.Listed(id, getAll(in), in.getString());
      case 11 -> new NamingMessage.Watch(getName(in));
      case 12 -> new NamingMessage.Stand(id, in.getFixedLong(), getCounter(in), in.getString());
      case 13 ->
          new NamingMessage.Standing(
              id,
              in.getByte() != 0,
              in.getFixedLong(),
              getFounders(in),
              getCounter(in),
              getSlots(in),
              in.getString());
      case 14 -> new NamingMessage.Enter(id, getCounter(in));
      case 15 -> new NamingMessage.Entered(id, in.getFixedLong(), getCounter(in));
      default -> throw new MalformedDataException("no naming message has the kind " + kind);
    };
  }

  private static void putListed(Encoder out, NamingMessage.Listed listed) {
    head(out, 10, listed.id());
    out.putUnsigned(listed.values().size());
    listed.values().forEach(value -> putRegistration(out, value));
    out.putString(listed.next());
  }

  private static void putStand(Encoder out, NamingMessage.Stand stand) {
    head(out, 12, stand.id());
    out.putFixedLong(stand.incarnation());
    out.putUnsigned(stand.floor());
    out.putString(stand.from());
  }

  private static void putStanding(Encoder out, NamingMessage.Standing standing) {
    head(out, 13, standing.id());
    out.putByte(standing.admitted() ? 1 : 0);
    out.putFixedLong(standing.incarnation());
    putFounders(out, standing.founders());
    out.putUnsigned(standing.floor());
    putSlots(out, standing.slots());
    out.putString(standing.next());
  }

  static void putFounders(Encoder out, Set<Long> founders) {
    out.putUnsigned(founders.size());
    founders.stream().sorted().forEach(out::putFixedLong);
  }

  static Set<Long> getFounders(Decoder in) {
    Set<Long> founders = new HashSet<>();
    int count = in.getCount(FOUNDERS_MAX);
    for (int i = 0; i < count; i++) {
      founders.add(in.getFixedLong());
    }
    return founders;
  }

  private static void head(Encoder out, int kind, long id) {
    out.putByte(kind);
    out.putFixedLong(id);
  }

  private static List<Registration> getAll(Decoder in) {
    int count = in.getCount(Math.min(NAMES_MAX, in.remaining()));
    List<Registration> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(getRegistration(in));
    }
    return all;
  }

  static void putSlots(Encoder out, SortedMap<String, Acceptor.Slot> slots) {
    out.putUnsigned(slots.size());
    slots.forEach((name, slot) -> putSlot(out, name, slot));
  }

  private static void putSlot(Encoder out, String name, Acceptor.Slot slot) {
    out.putString(name);
    putBallot(out, slot.promised());
    putBallot(out, slot.accepted());
    putOptional(out, slot.value());
    putOptional(out, slot.chosen());
  }

  /** The number of bytes that a name takes with what is kept of it. */
  static int size(String name, Acceptor.Slot slot) {
    Encoder out = new Encoder();
    putSlot(out, name, slot);
    return out.length();
  }

  static SortedMap<String, Acceptor.Slot> getSlots(Decoder in) {
    SortedMap<String, Acceptor.Slot> slots = new TreeMap<>();
    int count = in.getCount(Math.min(NAMES_MAX, in.remaining()));
    for (int i = 0; i < count; i++) {
      slots.put(
          getName(in),
          new Acceptor.Slot(getBallot(in), getBallot(in), getOptional(in), getOptional(in)));
    }
    return slots;
  }

  static long getCounter(Decoder in) {
    long counter = notNegative(in.getUnsigned());
    if (counter > Ballot.COUNTER_MAX) {
      throw new MalformedDataException("no round has the counter " + counter);
    }
    return counter;
  }

  static void putBallot(Encoder out, Ballot ballot) {
    out.putUnsigned(ballot.counter());
    out.putFixedLong(ballot.proposer());
  }

  static Ballot getBallot(Decoder in) {
    return new Ballot(getCounter(in), in.getFixedLong());
  }

  static void putOptional(Encoder out, @Nullable Registration value) {
    out.putByte(value == null ? 0 : 1);
    if (value != null) {
      putRegistration(out, value);
    }
  }

  static @Nullable Registration getOptional(Decoder in) {
    return in.getByte() == 0 ? null : getRegistration(in);
  }

  static void putRegistration(Encoder out, Registration value) {
    putReference(out, value.reference());
    out.putUnsigned(value.term());
    out.putUnsigned(value.degree());
  }

  static Registration getRegistration(Decoder in) {
    int before = in.remaining();
    Registration value =
        new Registration(
            getReference(in), notNegative(in.getUnsigned()), in.getCount(PROFILES_MAX));
    String excess = excess(value.service(), before - in.remaining());
    if (excess != null) {
      throw new MalformedDataException(excess);
    }
    return value;
  }

  /** The words that say by how much a registration is too long to be kept; null if it is not. */
  static @Nullable String excess(Registration value) {
    Encoder out = new Encoder();
    putRegistration(out, value);
    return excess(value.service(), out.length());
  }

  private static @Nullable String excess(String name, int registrationBytes) {
    int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (nameBytes > NAME_BYTES_MAX) {
      return "a name has at most " + NAME_BYTES_MAX + " bytes, not " + nameBytes;
    }
    return registrationBytes <= REGISTRATION_BYTES_MAX
        ? null
        : "the registration of "
            + name
            + " has at most "
            + REGISTRATION_BYTES_MAX
            + " bytes, not "
            + registrationBytes
            + ": list fewer replicas, or give them shorter keys";
  }

  private static String getName(Decoder in) {
    int before = in.remaining();
    String name = in.getString();
    if (before - in.remaining() > NAME_BYTES_MAX + Short.BYTES) {
      throw new MalformedDataException("a name has at most " + NAME_BYTES_MAX + " bytes");
    }
    return name;
  }

  /** Writes a reference. */
  public static void putReference(Encoder out, ServiceReference reference) {
    out.putString(reference.service());
    out.putByte(reference.style().ordinal());
    out.putUnsigned(reference.epoch());
    out.putUnsigned(reference.version());
    out.putUnsigned(reference.endpoints().size());
    reference.endpoints().forEach(endpoint -> putEndpoint(out, endpoint));
  }

  /**
   * Reads a reference.
   *
   * @throws MalformedDataException if the bytes are none
   */
  public static ServiceReference getReference(Decoder in) {
    String service = in.getString();
    int style = in.getByte();
    if (style >= STYLES.length) {
      throw new MalformedDataException("no style has the number " + style);
    }
    long epoch = notNegative(in.getUnsigned());
    long version = notNegative(in.getUnsigned());
    int count = in.getCount(PROFILES_MAX);
    List<Endpoint> endpoints = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      endpoints.add(getEndpoint(in));
    }
    return new ServiceReference(service, STYLES[style], epoch, version, endpoints);
  }

  /** Writes an endpoint. */
  public static void putEndpoint(Encoder out, Endpoint endpoint) {
    out.putString(endpoint.replica());
    out.putString(endpoint.middleware());
    out.putString(endpoint.host());
    out.putUnsigned(endpoint.port());
    out.putString(endpoint.key());
  }

  /**
   * Reads an endpoint.
   *
   * @throws MalformedDataException if the bytes are none
   */
  public static Endpoint getEndpoint(Decoder in) {
    String replica = in.getString();
    String middleware = in.getString();
    String host = in.getString();
    int port = in.getCount(65_535);
    if (port == 0) {
      throw new MalformedDataException("the replica " + replica + " has port 0");
    }
    return new Endpoint(replica, middleware, host, port, in.getString());
  }

  private static long notNegative(long value) {
    if (value < 0) {
      throw new MalformedDataException("expected a number of 0 or more, got " + value);
    }
    return value;
  }
}
