package org.terrace.wire.tcp;

import org.jspecify.annotations.Nullable;
import org.terrace.wire.packet.HostAddress;
import org.terrace.wire.packet.PacketParser;

/**
 * One TCP connection. Its two endpoints are ordered by address and port: direction 0 goes from the
 * lesser to the greater, direction 1 back. Confined to the thread of its reassembler.
 */
public final class Connection {
  /** The opener's direction when nobody was seen opening. */
  public static final int UNKNOWN = -1;

  /** The time behind which a connection of one direction is one that is recorded so. */
  private static final long ONE_WAY_NANOS = 1_000_000_000L;

  final long lesserHigh;
  final long lesserLow;
  final long greaterHigh;
  final long greaterLow;
  final int ports;
  final int hash;
  final HalfStream[] streams = {new HalfStream(), new HalfStream()};
  HostAddress lesser;
  HostAddress greater;
  @Nullable HostTraffic lesserTraffic;
  @Nullable HostTraffic greaterTraffic;
  int openerDirection = UNKNOWN;
  final long firstSeenNanos;
  final long firstFrame;
  long lastSeenNanos;
  long lastFrame;

  /** The time at which the packet before the last one was seen. */
  long seenBeforeNanos;

  /** The number of the network in which it first showed; zero as long as there is none. */
  int network;

  /** The number of another network in which it showed last. */
  int otherNetwork;

  /** Whether it showed outside of any network too. */
  boolean plain;

  /** Whether one tunnel brings both directions the same way, as only a mirror does. */
  boolean mirrored;

  /** Whether its hosts have meters, as far as there is room. */
  boolean isMetered;

  boolean closed;
  @Nullable Conversation conversation;
  @Nullable Connection before;
  @Nullable Connection after;

  /** The next older connection of the same endpoints that is remembered. */
  @Nullable Connection elder;

  private final int number;

  Connection(int number, ConnectionKey key, Moment first) {
    this.number = number;
    firstSeenNanos = first.timeNanos();
    firstFrame = first.frame();
    lastSeenNanos = firstSeenNanos;
    lastFrame = firstFrame;
    seenBeforeNanos = firstSeenNanos;
    lesserHigh = key.lesserHigh;
    lesserLow = key.lesserLow;
    greaterHigh = key.greaterHigh;
    greaterLow = key.greaterLow;
    ports = key.ports;
    hash = key.hash;
    lesser = new HostAddress(lesserHigh, lesserLow);
    greater = new HostAddress(greaterHigh, greaterLow);
  }

  /** Bytes of this connection were lost between two moments. */
  void lost(long fromNanos, long toNanos) {
    if (lesserTraffic != null) {
      lesserTraffic.signs.lost(fromNanos, toNanos);
    }
    if (greaterTraffic != null) {
      greaterTraffic.signs.lost(fromNanos, toNanos);
    }
  }

  /**
   * Takes the meters of its hosts. None is made under the name of a network that may yet prove to
   * be another's: before both directions have shown, or one has shown alone for long.
   */
  void meter(TrafficTable traffic, Moment now) {
    isMetered =
        (lesser.network().isEmpty() && greater.network().isEmpty())
            || (streams[0].hasShown() && streams[1].hasShown())
            || now.timeNanos() - firstSeenNanos > ONE_WAY_NANOS;
    boolean lesserOpens =
        openerDirection == UNKNOWN ? senderPort(0) >= senderPort(1) : openerDirection == 0;
    lesserTraffic = meter(traffic, lesser, lesserOpens);
    greaterTraffic = meter(traffic, greater, !lesserOpens);
  }

  private @Nullable HostTraffic meter(TrafficTable traffic, HostAddress host, boolean opens) {
    boolean mayBeMade = isMetered || host.network().isEmpty();
    return mayBeMade ? traffic.of(host, opens) : traffic.of(host);
  }

  /** A packet went from one of its hosts to the other. */
  void signs(boolean lesserSends, boolean data, boolean repeated, long timeNanos) {
    HostTraffic from = lesserSends ? lesserTraffic : greaterTraffic;
    HostTraffic to = lesserSends ? greaterTraffic : lesserTraffic;
    if (from != null) {
      from.signs.sent(repeated, timeNanos);
    }
    if (to != null) {
      to.signs.received(data, timeNanos);
    }
  }

  /** Whether a packet is the last one of its direction once more; remembers it otherwise. */
  boolean isDuplicate(int direction, PacketParser packet, long timeNanos) {
    int shape = packet.flags() << 24 ^ packet.payloadBytes();
    return streams[direction].isDuplicate(
        packet.sequence(), packet.acknowledgement(), shape, packet.identification(), timeNanos);
  }

  /** Whether all of it that showed in a network came on one route, in the network of a number. */
  boolean showedOnlyIn(int number, int route) {
    return network == number && cameBy(0, route) && cameBy(1, route);
  }

  private boolean cameBy(int direction, int route) {
    return streams[direction].route == route || streams[direction].route == 0;
  }

  /** Takes the network within a mirror's session, zero for none, in the place of the session. */
  void leave(int session, int within) {
    network = network == session ? within : network;
    otherNetwork = network;
    plain |= within == 0;
  }

  boolean hasKey(ConnectionKey key) {
    return hash == key.hash
        && ports == key.ports
        && lesserLow == key.lesserLow
        && greaterLow == key.greaterLow
        && lesserHigh == key.lesserHigh
        && greaterHigh == key.greaterHigh;
  }

  boolean hasKeyOf(Connection other) {
    return hash == other.hash
        && ports == other.ports
        && lesserLow == other.lesserLow
        && greaterLow == other.greaterLow
        && lesserHigh == other.lesserHigh
        && greaterHigh == other.greaterHigh;
  }

  /** Whether a packet is of this connection by what it says, in whatever network it comes. */
  boolean fits(int direction, PacketParser packet) {
    return streams[direction].fits(packet, streams[1 - direction]);
  }

  /** The number of the connection, unique in the capture. */
  public int number() {
    return number;
  }

  /** The direction of the side that opened the connection, or {@link #UNKNOWN}. */
  public int openerDirection() {
    return openerDirection;
  }

  /** The time of its first packet, in nanoseconds since the Unix epoch. */
  public long firstSeenNanos() {
    return firstSeenNanos;
  }

  /** The time of its last packet so far, in nanoseconds since the Unix epoch. */
  public long lastSeenNanos() {
    return lastSeenNanos;
  }

  /** The number of its first packet. */
  public long firstFrame() {
    return firstFrame;
  }

  /** The number of its last packet so far. */
  public long lastFrame() {
    return lastFrame;
  }

  /** The bytes of a direction so far, those that were not captured among them. */
  public long streamBytes(int direction) {
    return streams[direction].streamBytes;
  }

  /** The address of the sender of a direction. */
  public HostAddress sender(int direction) {
    return direction == 0 ? lesser : greater;
  }

  /**
   * Whether the sender of a direction has a name that may stay: one of no network, or one that is
   * known from both directions, of which each may show in a network of its own.
   */
  public boolean isNamed(int direction) {
    return sender(direction).network().isEmpty()
        || (streams[0].hasShown() && streams[1].hasShown());
  }

  /** The port of the sender of a direction. */
  public int senderPort(int direction) {
    return direction == 0 ? ports >>> 16 : ports & 0xffff;
  }
}
