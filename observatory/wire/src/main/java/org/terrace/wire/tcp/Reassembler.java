package org.terrace.wire.tcp;

import org.jspecify.annotations.Nullable;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * The reassembly of a capture's TCP connections: it finds the one a packet belongs to, begins and
 * ends them, and forgets them when they are silent for long or too many. The order of bytes within
 * one connection is the work of {@link StreamOrder}. Confined to one thread.
 */
public final class Reassembler {
  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;

  /**
   * The time for which the end of a connection is remembered, so that stragglers begin no other.
   */
  private static final long CLOSED_NANOS = 10_000_000_000L;

  /** Connections forgotten at most for one packet, so that no packet takes long. */
  private static final int FORGOTTEN_PER_PACKET = 2;

  private final TcpLimits limits;
  private final Counters counters;
  private final TrafficTable traffic;
  private final StreamOrder order;
  private final Conversations conversations;
  private final ConnectionTable table = new ConnectionTable();
  private final ConnectionList open = new ConnectionList();
  private final ConnectionList closed = new ConnectionList();
  private final ConnectionKey key = new ConnectionKey();
  private final Networks networks = new Networks();
  private int connections;
  private final Moment now = new Moment();
  private final Moment last = new Moment();

  /** A reassembler that opens a conversation for every connection with data. */
  public Reassembler(
      TcpLimits limits, Counters counters, TrafficTable traffic, Conversations conversations) {
    this.limits = limits;
    this.counters = counters;
    this.traffic = traffic;
    this.conversations = conversations;
    order = new StreamOrder(limits, counters, conversations);
  }

  /**
   * Takes in one TCP packet.
   *
   * @param packet the parsed packet
   * @param bytes the array in which its payload lies
   * @param wireBytes its length on the wire
   * @param moment when it was captured
   */
  public void packet(PacketParser packet, byte[] bytes, int wireBytes, Moment moment) {
    long timeNanos = moment.timeNanos();
    now.set(timeNanos, moment.frame());
    forgetSilent();
    int direction = key.fill(packet);
    Connection connection = table.find(key);
    if (packet.network() != 0 && networks.isMirror(packet.route())) {
      passMirror(connection, packet);
    }
    if (connection != null && mayBeAnothers(connection, packet)) {
      connection = choose(connection, direction, packet);
    }
    if (connection != null && packet.network() != 0) {
      routed(connection, direction, packet);
    }
    if (connection != null && connection.isDuplicate(direction, packet, timeNanos)) {
      counters.increment(WireCount.DUPLICATE_PACKETS);
      return;
    }
    boolean syn = (packet.flags() & SYN) != 0;
    if (connection != null && connection.streams[direction].isCopy(packet)) {
      counters.increment(WireCount.DUPLICATE_PACKETS);
      return;
    }
    if (connection != null && mustReplace(connection, direction, packet, syn)) {
      replace(connection);
      connection = null;
    }
    if (connection == null) {
      if ((!syn && packet.payloadBytes() == 0) || !mayBegin(syn)) {
        return;
      }
      connection = begin(direction, packet, syn);
      connection.isDuplicate(direction, packet, timeNanos);
    }
    if (!connection.isMetered) {
      connection.meter(traffic, now);
    }
    boolean lesserSends = direction == 0;
    traffic.add(
        lesserSends ? connection.lesserTraffic : connection.greaterTraffic,
        lesserSends ? connection.greaterTraffic : connection.lesserTraffic,
        wireBytes,
        timeNanos);
    if (!connection.closed) {
      traffic.events().packet(connection, direction, packet, moment);
    }
    boolean repeated = connection.streams[direction].repeats(packet);
    connection.signs(lesserSends, packet.payloadBytes() > 0, repeated, timeNanos);
    if (!connection.closed) {
      connection.seenBeforeNanos = connection.lastSeenNanos;
      connection.lastSeenNanos = timeNanos;
      connection.lastFrame = moment.frame();
      open.touch(connection);
      take(connection, direction, packet, bytes);
    }
  }

  /** Whether the endpoints of a packet do not tell alone that it is of a connection. */
  private boolean mayBeAnothers(Connection connection, PacketParser packet) {
    return connection.elder != null
        || (packet.network() == 0 ? connection.network != 0 : !isKnown(connection, packet));
  }

  /** Whether a connection showed in the network of a packet before. */
  private boolean isKnown(Connection connection, PacketParser packet) {
    int network = packet.network();
    if (network == 0) {
      return connection.plain;
    }
    return network == connection.network
        || network == connection.otherNetwork
        || (connection.network != 0 && networks.isSame(network, connection.network));
  }

  /**
   * The connection among those of the same endpoints that a packet is of: the youngest that it goes
   * on with and that showed in its network, for kernels give connections of equal endpoints in
   * several networks sequence numbers near each other; else the youngest that it goes on with,
   * which shows in one more network; else the youngest of its network, or null.
   */
  private @Nullable Connection choose(Connection youngest, int direction, PacketParser packet) {
    Connection known = null;
    Connection fitting = null;
    boolean syn = (packet.flags() & SYN) != 0;
    for (Connection at = youngest; at != null; at = at.elder) {
      boolean isKnown = isKnown(at, packet);
      if (at.fits(direction, packet)) {
        if (isKnown) {
          return at;
        }
        fitting = fitting == null ? at : fitting;
        continue;
      }
      // Outside of tunnels a network does not show: the packet may begin a connection of another.
      boolean isAnothers =
          packet.network() == 0 && at.network != 0 && mustReplace(at, direction, packet, syn);
      known = known == null && isKnown && !isAnothers ? at : known;
    }
    if (fitting == null) {
      return known;
    }
    shows(fitting, packet);
    return fitting;
  }

  /** A connection shows in one more network. */
  private void shows(Connection connection, PacketParser packet) {
    int network = packet.network();
    if (network == 0) {
      connection.plain = true;
    } else if (connection.network == 0) {
      connection.network = network;
    } else {
      networks.join(network, connection.network);
      connection.otherNetwork = network;
    }
    if (network != 0) {
      name(connection, packet);
      replaceElders(connection);
    }
  }

  /** Ends those that a connection takes the place of, now that they prove to be of one network. */
  private void replaceElders(Connection connection) {
    for (Connection at = connection.elder; at != null; at = at.elder) {
      if (!at.closed && at.network != 0 && networks.isSame(at.network, connection.network)) {
        replace(at);
      }
    }
  }

  /**
   * Notes the route of a packet; a mirror sends both directions from one end to the other. Overlays
   * may too, through a gateway: the number is none on this route alone.
   */
  private void routed(Connection connection, int direction, PacketParser packet) {
    connection.streams[direction].route = packet.route();
    if (!connection.mirrored && connection.streams[1 - direction].route == packet.route()) {
      connection.mirrored = true;
      networks.mirrors(packet.route());
      leave(connection, packet.passMirror(), packet);
    }
  }

  /**
   * Passes a known mirror, whose session may be all that connections showed before it was known.
   */
  private void passMirror(@Nullable Connection youngest, PacketParser packet) {
    int session = packet.passMirror();
    for (Connection at = youngest; at != null && session != packet.network(); at = at.elder) {
      if (!at.closed && at.showedOnlyIn(session, packet.route())) {
        leave(at, session, packet);
      }
    }
  }

  private void leave(Connection connection, int session, PacketParser packet) {
    networks.isWithin(session, packet.network());
    connection.leave(session, packet.network());
    name(connection, packet);
  }

  /** Names the hosts of a connection, as far as its network is known. */
  private void name(Connection connection, PacketParser packet) {
    int network = connection.network;
    connection.lesser = networks.host(key.lesserHigh, key.lesserLow, network, packet);
    connection.greater = networks.host(key.greaterHigh, key.greaterLow, network, packet);
    connection.meter(traffic, now);
  }

  /** Whether a packet cannot belong to the connection that its endpoints name. */
  private static boolean mustReplace(
      Connection connection, int direction, PacketParser packet, boolean syn) {
    HalfStream stream = connection.streams[direction];
    if (syn) {
      return connection.closed
          || (stream.synSeen ? stream.synSequence != packet.sequence() : stream.conflicts(packet));
    }
    return !connection.closed && packet.payloadBytes() > 0 && stream.isFarFrom(packet.sequence());
  }

  private Connection begin(int direction, PacketParser packet, boolean syn) {
    if (table.size() >= limits.connectionsMax()) {
      forgetEldest();
    }
    int opener = Connection.UNKNOWN;
    if (syn) {
      opener = (packet.flags() & ACK) == 0 ? direction : 1 - direction;
    } else {
      counters.increment(WireCount.MID_STREAM_CONNECTIONS);
    }
    counters.increment(WireCount.CONNECTIONS);
    Connection connection = new Connection(connections++, key, now);
    connection.openerDirection = opener;
    connection.network = packet.network();
    connection.plain = packet.network() == 0;
    connection.streams[direction].route = packet.route();
    name(connection, packet);
    table.add(connection);
    open.append(connection);
    return connection;
  }

  private void take(Connection connection, int direction, PacketParser packet, byte[] bytes) {
    int flags = packet.flags();
    if ((flags & RST) != 0) {
      order.flush(connection, now);
      close(connection, Ending.RESET);
      return;
    }
    HalfStream stream = connection.streams[direction];
    int sequence = packet.sequence();
    if ((flags & SYN) != 0) {
      if (stream.synSeen && (flags & ACK) == 0) {
        counters.increment(WireCount.REPEATED_SYNS);
      }
      stream.synSeen = true;
      stream.synSequence = sequence;
      sequence++;
      stream.startAt(sequence);
    }
    if ((flags & ACK) != 0) {
      order.acknowledged(connection, 1 - direction, packet.acknowledgement(), now);
    }
    if (packet.payloadBytes() > 0) {
      if (packet.payloadCaptured() < packet.payloadBytes()) {
        counters.increment(WireCount.TRUNCATED_PACKETS);
      }
      order.segment(connection, direction, sequence, packet, bytes, now);
    }
    if ((flags & FIN) != 0) {
      order.fin(connection, direction, sequence + packet.payloadBytes(), now);
    }
    if (connection.streams[0].finished && connection.streams[1].finished) {
      close(connection, Ending.CLOSED);
    }
  }

  /** Ends every connection: the capture is over. */
  public void end() {
    for (Connection at = open.eldest(); at != null; at = open.eldest()) {
      order.flush(at, now);
      close(at, Ending.CAPTURE_ENDED);
    }
    traffic.end(now.timeNanos());
  }

  private void close(Connection connection, Ending ending) {
    traffic.events().end(connection, now);
    Conversation conversation = connection.conversation;
    if (conversation != null) {
      conversation.end(ending, now);
    } else {
      conversations.endedWithoutData(connection, ending);
    }
    order.release(connection);
    connection.conversation = null;
    connection.closed = true;
    open.remove(connection);
    closed.append(connection);
  }

  /**
   * Ends a connection whose endpoints another one has from now on. It is remembered as closed ones
   * are, so that what comes late of it is not taken for the other's.
   */
  private void replace(Connection connection) {
    if (!connection.closed) {
      order.flush(connection, now);
      close(connection, Ending.REPLACED);
    }
  }

  /**
   * Makes room for one more connection of the endpoints of a packet, and says whether there is any.
   * A packet midway makes none where all speak, since each would cost the one that speaks next.
   */
  private boolean mayBegin(boolean syn) {
    Connection least = table.surplus(key);
    if (least == null) {
      return true;
    }
    if (least.closed) {
      forgetClosed(least);
      return true;
    }
    if (!syn && now.timeNanos() - least.lastSeenNanos <= CLOSED_NANOS) {
      return false;
    }
    evict(least);
    return true;
  }

  private void forgetClosed(Connection connection) {
    closed.remove(connection);
    table.remove(connection);
  }

  private void forgetSilent() {
    for (int i = 0; i < FORGOTTEN_PER_PACKET; i++) {
      Connection over = closed.eldest();
      if (over != null && now.timeNanos() - over.lastSeenNanos > CLOSED_NANOS) {
        forgetClosed(over);
      }
      Connection silent = open.eldest();
      if (silent != null && now.timeNanos() - silent.lastSeenNanos > limits.idleNanosMax()) {
        evict(silent);
      }
    }
  }

  private void forgetEldest() {
    Connection over = closed.eldest();
    if (over != null) {
      forgetClosed(over);
      return;
    }
    @Nullable Connection silent = open.eldest();
    if (silent != null) {
      evict(silent);
    }
  }

  private void evict(Connection connection) {
    counters.increment(WireCount.EVICTED_CONNECTIONS);
    last.set(connection.lastSeenNanos, connection.lastFrame);
    traffic.events().end(connection, last);
    order.flush(connection, last);
    Conversation conversation = connection.conversation;
    if (conversation != null) {
      conversation.end(Ending.EVICTED, last);
    } else {
      conversations.endedWithoutData(connection, Ending.EVICTED);
    }
    order.release(connection);
    open.remove(connection);
    table.remove(connection);
  }
}
