package org.terrace.groups.simulated;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipOptions;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.View;
import org.terrace.groups.builtin.SealedFrames;
import org.terrace.groups.membership.Membership;
import org.terrace.groups.membership.MembershipCodec;
import org.terrace.groups.membership.MembershipEffect;
import org.terrace.groups.membership.MembershipEvent;
import org.terrace.groups.membership.MembershipMessage;
import org.terrace.testing.simulation.SimulatedNode;
import org.terrace.testing.simulation.Simulation;

/**
 * A group over a simulated network: the production code of the membership protocol, in virtual
 * time. Confined to the thread of its simulation.
 */
public final class SimulatedGroup implements Group {
  private static final int PORT = 1;
  private static final int DATAGRAM_BYTES_MAX = 1_400;
  private static final int HEADER_BYTES = Byte.BYTES + 2 * Long.BYTES;
  private static final long ANYBODY = 0;
  private static final int FALSE_RESETS_ONE_IN = 500;
  private static final int FALSE_REFUSALS_ONE_IN = 5_000;
  private static final String INCARNATION_FILE = "incarnation";
  private static final String REUSE_FILE = "reuse";

  /** A fault that is planted in how a member chooses the version of what it sends. */
  public enum VersionFault {
    /** None. */
    NONE,
    /** It speaks its latest version to each member that it knows. */
    LATEST_TO_EACH,
    /** It speaks its latest version to all, though one of its view does not understand it. */
    EARLY_RISE
  }

  private final SimulatedNode node;
  private final ProtocolVersions versions;
  private final VersionFault versionFault;
  private final @Nullable SealedFrames sealed;
  private final BiConsumer<String, byte[]> tap;
  private final Member self;
  private final Membership membership;
  private final Map<Integer, MessageHandler> handlers = new TreeMap<>();
  private final List<ViewHandler> viewHandlers = new ArrayList<>();
  private final Map<Long, Member> known = new TreeMap<>();
  private InetSocketAddress source = InetSocketAddress.createUnresolved("nowhere", PORT);
  private ProtocolAgreement agreement;
  private View view;
  private OptionalInt expectedMembers = OptionalInt.empty();
  private long messagesSent;
  private long messagesReceived;
  private long bytesSent;
  private long malformed;
  private long oversized;
  private long unknownSender;
  private long incompatible;
  private @Nullable String exclusion;
  private boolean closed;

  /** Opens the group on the node; it finds the nodes of the given names, whichever are up. */
  public SimulatedGroup(SimulatedNode node, MembershipOptions options, List<String> names) {
    this(node, options, names, ProtocolVersions.ofThisBuild(), VersionFault.NONE);
  }

  /** Opens it as a member that understands those versions of the protocol, with that fault. */
  public SimulatedGroup(
      SimulatedNode node,
      MembershipOptions options,
      List<String> names,
      ProtocolVersions versions,
      VersionFault versionFault) {
    this(
        node,
        options,
        names,
        versions,
        versionFault,
        false,
        Optional.empty(),
        (to, datagram) -> {});
  }

  /**
   * Opens it with frames that are sealed and checked as those on real sockets are.
   *
   * @param keys of this group; without any, frames are protected from damage alone
   * @param tap is shown each datagram with the name of the node that it goes to
   */
  public static SimulatedGroup sealed(
      SimulatedNode node,
      MembershipOptions options,
      List<String> names,
      Optional<GroupKeys> keys,
      BiConsumer<String, byte[]> tap) {
    ProtocolVersions versions = ProtocolVersions.ofThisBuild();
    return new SimulatedGroup(node, options, names, versions, VersionFault.NONE, true, keys, tap);
  }

  private SimulatedGroup(
      SimulatedNode node,
      MembershipOptions options,
      List<String> names,
      ProtocolVersions versions,
      VersionFault versionFault,
      boolean isSealed,
      Optional<GroupKeys> keys,
      BiConsumer<String, byte[]> tap) {
    this.node = node;
    this.versions = versions;
    this.versionFault = versionFault;
    this.agreement = ProtocolAgreement.of(versions, Map.of());
    this.tap = tap;
    this.self = newIncarnation(node);
    this.sealed = isSealed ? new SealedFrames(self.id(), keys, this::receive) : null;
    this.membership =
        new Membership(
            self, options, node.simulation().random(), node.time().elapsedNanos(), versions);
    this.view = membership.view();
    node.onMessage((from, message) -> {
      source = InetSocketAddress.createUnresolved(from, PORT);
      hear(message);
    });
    node.every(membership.tickPeriod().toNanos(), this::tick);
    List<InetSocketAddress> contacts =
        names.stream().map(name -> InetSocketAddress.createUnresolved(name, PORT)).toList();
    node.after(0, () -> step(new MembershipEvent.Contacts(contacts)));
  }

  /** Tells the member how many processes the group is meant to have, before anybody watches it. */
  public SimulatedGroup expecting(int members) {
    expectedMembers = OptionalInt.of(members);
    view = view.expecting(expectedMembers);
    return this;
  }

  private void tick() {
    step(new MembershipEvent.Tick());
    view.others().forEach(this::watchConnection);
  }

  /**
   * Tells what a connection would: its end when the other's process ends, which its machine then
   * confirms unless the network is cut; and now and again an end for no reason.
   */
  private void watchConnection(Member other) {
    Simulation simulation = node.simulation();
    String name = other.address().getHostString();
    boolean ended = !simulation.node(name).isRunning() && simulation.isConnected(node.name(), name);
    if (ended || simulation.random().nextInt(FALSE_RESETS_ONE_IN) == 0) {
      step(new MembershipEvent.Disconnected(other.id()));
    }
    if (ended || simulation.random().nextInt(FALSE_REFUSALS_ONE_IN) == 0) {
      step(new MembershipEvent.Refused(other.id()));
    }
  }

  /** Lets the connection to the member end, whether or not it has. */
  void loseConnection(Member other) {
    step(new MembershipEvent.Disconnected(other.id()));
  }

  /** Lets the member's machine refuse a connection, whether or not anybody listens there. */
  void refuseConnection(Member other) {
    step(new MembershipEvent.Refused(other.id()));
  }

  /** Plants a fault: from now on the node's incarnations share one identity. */
  public static void plantReusedIdentity(SimulatedNode node) {
    node.disk().put(REUSE_FILE, new byte[0]);
  }

  /** An incarnation later than all earlier ones of this node, whatever its clock says. */
  private static Member newIncarnation(SimulatedNode node) {
    byte[] before = node.disk().get(INCARNATION_FILE);
    long now = node.time().epochNanos();
    long id =
        before == null
            ? Member.idAt(node.name(), now)
            : Member.idAfter(node.name(), now, ByteBuffer.wrap(before).getLong());
    if (before != null && node.disk().containsKey(REUSE_FILE)) {
      id = ByteBuffer.wrap(before).getLong();
    }
    node.disk().put(INCARNATION_FILE, ByteBuffer.allocate(Long.BYTES).putLong(id).array());
    return new Member(node.name(), id, InetSocketAddress.createUnresolved(node.name(), PORT));
  }

  @Override
  public Member self() {
    return self;
  }

  @Override
  public View view() {
    return view;
  }

  @Override
  public int datagramBytesMax() {
    return DATAGRAM_BYTES_MAX;
  }

  @Override
  public void send(Member to, int channel, ByteBuffer message) {
    checkChannel(channel);
    messagesSent++;
    transmit(to, channel, message);
  }

  @Override
  public void multicast(int channel, ByteBuffer message) {
    checkChannel(channel);
    messagesSent++;
    for (Member other : view.others()) {
      transmit(other, channel, message.duplicate());
    }
  }

  @Override
  public void subscribe(int channel, MessageHandler handler) {
    checkChannel(channel);
    if (handlers.putIfAbsent(channel, handler) != null) {
      throw new IllegalStateException("channel " + channel + " has a handler already");
    }
  }

  @Override
  public void watch(ViewHandler handler) {
    viewHandlers.add(handler);
    handler.changed(view);
  }

  @Override
  public void every(Duration period, Runnable task) {
    node.every(
        period.toNanos(),
        () -> {
          if (!closed) {
            task.run();
          }
        });
  }

  @Override
  public Optional<String> exclusion() {
    return Optional.ofNullable(exclusion);
  }

  @Override
  public ProtocolAgreement protocol() {
    return switch (versionFault) {
      case NONE -> agreement;
      case LATEST_TO_EACH -> {
        Map<Long, Integer> latest = new TreeMap<>();
        agreement.toEach().keySet().forEach(id -> latest.put(id, versions.most()));
        yield new ProtocolAgreement(versions, agreement.toAll(), agreement.leastOfOthers(), latest);
      }
      case EARLY_RISE ->
          new ProtocolAgreement(
              versions, versions.most(), agreement.leastOfOthers(), agreement.toEach());
    };
  }

  @Override
  public GroupCounters counters() {
    return new GroupCounters(
        messagesSent,
        messagesReceived,
        bytesSent,
        malformed,
        0,
        0,
        oversized,
        unknownSender,
        incompatible,
        0);
  }

  @Override
  public void close() {
    if (!closed) {
      step(new MembershipEvent.Leave());
      closed = true;
    }
  }

  private void step(MembershipEvent event) {
    if (closed) {
      return;
    }
    for (MembershipEffect effect : membership.step(node.time().elapsedNanos(), event)) {
      switch (effect) {
        case MembershipEffect.Send(InetSocketAddress to, MembershipMessage message, int version) ->
            sendMembership(to, MembershipCodec.encode(message, asPlanted(version)));
        case MembershipEffect.Outdated(Member later) -> exclusion = "known as " + later;
        case MembershipEffect.Refuse(InetSocketAddress to, int nearest, int members) ->
            sendMembership(to, MembershipCodec.encodeRefusal(nearest, members));
        case MembershipEffect.Incompatible other -> {
          if (other.yields()) {
            exclusion = "refused: " + other;
          }
        }
        case MembershipEffect.Agreed(ProtocolAgreement changed) -> agreement = changed;
        case MembershipEffect.ViewChanged(View seen) -> {
          View changed = seen.expecting(expectedMembers);
          view = changed;
          known.clear();
          changed.members().forEach(member -> known.put(member.id(), member));
          changed.lost().forEach(member -> known.put(member.id(), member));
          List.copyOf(viewHandlers).forEach(handler -> handler.changed(changed));
        }
      }
    }
  }

  private int asPlanted(int version) {
    return versionFault == VersionFault.LATEST_TO_EACH ? versions.most() : version;
  }

  private void sendMembership(InetSocketAddress to, ByteBuffer message) {
    transmit(to.getHostString(), frame(0, ANYBODY, message));
  }

  private void transmit(Member to, int channel, ByteBuffer message) {
    if (closed) {
      return;
    }
    if (message.remaining() > MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException("a message of " + message.remaining() + " bytes");
    }
    byte[] frame = frame(channel, to.id(), message);
    bytesSent += frame.length;
    transmit(to.address().getHostString(), frame);
  }

  private void transmit(String to, byte[] frame) {
    byte[] datagram = sealed == null ? frame : sealed.seal(frame);
    tap.accept(to, datagram);
    node.send(to, datagram);
  }

  /** Takes a datagram, whoever sent it. */
  public void hear(byte[] datagram) {
    if (sealed == null) {
      receive(datagram);
    } else {
      sealed.take(datagram);
    }
  }

  /** Datagrams that were not taken for genuine, or came before. */
  public long refusedDatagrams() {
    return sealed == null ? 0 : sealed.refused();
  }

  private byte[] frame(int channel, long receiver, ByteBuffer message) {
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + message.remaining());
    frame.put((byte) channel).putLong(self.id()).putLong(receiver);
    return frame.put(message.duplicate()).array();
  }

  private void receive(byte[] frame) {
    if (closed) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(frame).asReadOnlyBuffer();
    int channel = in.get();
    long sender = in.getLong();
    long receiver = in.getLong();
    if (receiver != ANYBODY && receiver != self.id()) {
      return;
    }
    if (channel == 0) {
      receiveMembership(in);
      return;
    }
    Member from = known.get(sender);
    MessageHandler handler = handlers.get(channel);
    if (from == null) {
      unknownSender++;
    } else if (handler != null) {
      messagesReceived++;
      handler.receive(from, in);
    }
  }

  private void receiveMembership(ByteBuffer in) {
    MembershipEvent event = MembershipCodec.decodeEvent(in, versions, source);
    if (event == null) {
      malformed++;
      return;
    }
    if (!(event instanceof MembershipEvent.Received)) {
      incompatible++;
    }
    step(event);
  }

  private static void checkChannel(int channel) {
    if (channel < 1 || channel >= CHANNELS) {
      throw new IllegalArgumentException("a channel is 1 to " + (CHANNELS - 1) + ": " + channel);
    }
  }
}
