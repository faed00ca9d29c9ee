package org.terrace.groups.builtin;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;
import org.terrace.groups.GroupHandlers;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipNews;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.View;
import org.terrace.groups.membership.Membership;
import org.terrace.groups.membership.MembershipCodec;
import org.terrace.groups.membership.MembershipEffect;
import org.terrace.groups.membership.MembershipEvent;
import org.terrace.groups.membership.MembershipMessage;

/**
 * The built-in group. Thread-safe.
 *
 * <p>Locks, in the order in which they may be taken: membership, then whatever a view handler
 * takes, then sending.
 */
final class BuiltInGroup implements Group {
  private static final Duration REACH_PERIOD = Duration.ofMillis(500);
  private static final Duration DISCOVERY_PERIOD = Duration.ofSeconds(2);
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** Made at the first message alone: it takes about as long as all else until a group is open. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(BuiltInGroup.class.getName());
  }

  private final GroupOptions options;
  private final Traffic traffic = new Traffic();
  private final Connections connections;
  private final Datagrams datagrams;
  private final Member self;
  private final long number;
  private final MulticastReach reach;
  private final Object membershipLock = new Object();
  private final Membership membership;
  private final SpokenVersion spoken;
  private final Exclusion exclusion;
  private final MembershipNews news;
  private final GroupHandlers handlers;
  private volatile Map<Long, Member> known = Map.of();
  private volatile View view;
  private volatile boolean closed;

  private BuiltInGroup(GroupOptions options) throws IOException {
    if (options.tls().isPresent() && !options.keys().map(GroupKeys::isEncrypting).orElse(false)) {
      throw new IllegalArgumentException(
          "TLS covers connections alone, and most data goes by datagrams: give GroupKeys.encrypting,"
              + " which cover both, as well or instead");
    }
    this.options = options;
    this.connections = new Connections(options, traffic, new Deaths());
    try {
      this.datagrams = new Datagrams(options, connections.port(), traffic);
    } catch (IOException e) {
      connections.close();
      throw e;
    }
    // Without the host's name, which others would have to look up.
    InetAddress host = InetAddress.ofLiteral(options.address().getHostAddress());
    InetSocketAddress address = new InetSocketAddress(host, connections.port());
    long id = Member.idAt(options.member(), options.time().epochNanos());
    this.self = new Member(options.member(), id, address);
    this.number = Frame.groupNumber(options.group());
    this.reach = new MulticastReach(options.time());
    this.spoken = new SpokenVersion(self, options.protocol());
    this.exclusion = new Exclusion(self, options.protocol());
    this.news = new MembershipNews(self, Thread::startVirtualThread);
    long nowNanos = options.time().elapsedNanos();
    this.membership =
        new Membership(self, options.membership(), options.random(), nowNanos, options.protocol());
    this.view = membership.view().expecting(options.expectedMembers());
    this.handlers = new GroupHandlers(options.member());
  }

  /** Opens the group and begins to look for others. */
  static BuiltInGroup open(GroupOptions options) {
    try {
      BuiltInGroup group = new BuiltInGroup(options);
      group.news.opened(group.view, options.keys().isPresent());
      group.start();
      return group;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cannot listen at "
              + options.address().getHostAddress()
              + " port "
              + options.port()
              + " for member '"
              + options.member()
              + "': "
              + e.getMessage()
              + "; choose another address or port",
          e);
    }
  }

  private void start() {
    long selfId = self.id();
    datagrams.start(new Inbox(number, selfId, options.keys(), traffic, this::receive));
    connections.start(new Inbox(number, selfId, options.keys(), traffic, this::receive));
    every(membership.tickPeriod(), () -> step(new MembershipEvent.Tick()));
    Thread.ofVirtual().name("group-" + options.member() + "-discovery").start(this::discover);
    if (datagrams.hasMulticast()) {
      every(REACH_PERIOD, this::probeReach);
    }
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
    return options.datagramBytesMax();
  }

  @Override
  public void send(Member to, int channel, ByteBuffer message) {
    GroupHandlers.checkChannel(channel);
    traffic.messagesSent.increment();
    transmit(to, channel, message);
  }

  @Override
  public void multicast(int channel, ByteBuffer message) {
    GroupHandlers.checkChannel(channel);
    traffic.messagesSent.increment();
    boolean fits = message.remaining() <= options.datagramBytesMax();
    View present = view;
    if (fits && present.members().size() > 2 && reach.reachesAll()) {
      datagrams.send(
          channel, number, self.id(), Frame.ANYBODY, options.multicast().orElseThrow(), message);
      return;
    }
    for (Member member : present.members()) {
      if (member.id() != self.id()) {
        transmit(member, channel, message);
      }
    }
  }

  private void transmit(Member to, int channel, ByteBuffer message) {
    if (closed) {
      traffic.undelivered.increment();
    } else if (message.remaining() <= options.datagramBytesMax()) {
      datagrams.send(channel, number, self.id(), to.id(), to.address(), message);
    } else if (message.remaining() <= MESSAGE_BYTES_MAX) {
      connections.send(channel, number, self.id(), to.id(), to.address(), message);
    } else {
      throw new IllegalArgumentException(
          "a message has at most " + MESSAGE_BYTES_MAX + " bytes, got " + message.remaining());
    }
  }

  @Override
  public void subscribe(int channelNumber, MessageHandler handler) {
    handlers.subscribe(channelNumber, handler);
  }

  @Override
  public void watch(ViewHandler handler) {
    synchronized (membershipLock) {
      handlers.watch(handler, view);
    }
  }

  @Override
  public void every(Duration period, Runnable task) {
    handlers.every(period, task);
  }

  @Override
  public Optional<String> exclusion() {
    return exclusion.reason();
  }

  @Override
  public ProtocolAgreement protocol() {
    return spoken.agreement();
  }

  @Override
  public GroupCounters counters() {
    return traffic.counters();
  }

  @Override
  public void close() {
    synchronized (membershipLock) {
      if (closed) {
        return;
      }
      step(new MembershipEvent.Leave());
      closed = true;
    }
    handlers.close();
    datagrams.close();
    connections.close();
  }

  private void step(MembershipEvent event) {
    synchronized (membershipLock) {
      if (closed) {
        return;
      }
      for (MembershipEffect effect : membership.step(options.time().elapsedNanos(), event)) {
        switch (effect) {
          case MembershipEffect.Send(
                  InetSocketAddress to,
                  MembershipMessage message,
                  int version) ->
              sendMembership(to, MembershipCodec.encode(message, version));
          case MembershipEffect.Agreed(ProtocolAgreement agreement) -> spoken.become(agreement);
          case MembershipEffect.ViewChanged(View changed) ->
              changeView(changed.expecting(options.expectedMembers()));
          case MembershipEffect.Outdated(Member later) -> exclusion.outdated(later);
          case MembershipEffect.Refuse(InetSocketAddress to, int nearest, int members) ->
              sendMembership(to, MembershipCodec.encodeRefusal(nearest, members));
          case MembershipEffect.Incompatible(InetSocketAddress there, int theirs, boolean yields) ->
              exclusion.incompatible(there, theirs, yields);
        }
      }
    }
  }

  private void sendMembership(InetSocketAddress to, ByteBuffer payload) {
    if (payload.remaining() <= options.datagramBytesMax()) {
      datagrams.send(Frame.MEMBERSHIP, number, self.id(), Frame.ANYBODY, to, payload);
    } else {
      connections.send(Frame.MEMBERSHIP, number, self.id(), Frame.ANYBODY, to, payload);
    }
  }

  private void changeView(View changed) {
    view = changed;
    Map<Long, Member> byId = new HashMap<>();
    Set<InetSocketAddress> addresses = new HashSet<>();
    for (Member member : changed.members()) {
      byId.put(member.id(), member);
      if (member.id() != self.id()) {
        addresses.add(member.address());
      }
    }
    changed.lost().forEach(member -> byId.put(member.id(), member));
    known = Map.copyOf(byId);
    connections.keep(addresses);
    reach.update(changed);
    datagrams.setDeafToOwnAddress(isAloneAtItsAddress(changed));
    handlers.viewChanged(changed);
    news.changed(changed);
  }

  /**
   * Whether nobody at this member's address is to be heard. In a smaller group nobody at another
   * address might hear, and tell of, a newcomer at this one.
   */
  private boolean isAloneAtItsAddress(View changed) {
    return changed.members().size() > 2
        && changed.others().stream()
            .noneMatch(other -> options.address().equals(other.address().getAddress()));
  }

  /** Takes what connections tell of processes that have ended to the membership. */
  private final class Deaths implements Link.Watcher {
    @Override
    public void ended(InetSocketAddress address) {
      memberAt(address).ifPresent(id -> step(new MembershipEvent.Disconnected(id)));
    }

    @Override
    public void refused(InetSocketAddress address) {
      memberAt(address).ifPresent(id -> step(new MembershipEvent.Refused(id)));
    }

    private Optional<Long> memberAt(InetSocketAddress address) {
      return view.others().stream()
          .filter(member -> member.address().equals(address))
          .map(Member::id)
          .findFirst();
    }
  }

  private void receive(Frame frame, ByteBuffer payload, InetSocketAddress source) {
    int channel = frame.channel();
    if (channel > Frame.MEMBERSHIP && channel < CHANNELS) {
      deliver(frame, payload);
      return;
    }
    switch (channel) {
      case Frame.MEMBERSHIP -> receiveMembership(frame, payload, source);
      case Frame.REACH_PROBE -> {
        datagrams.send(
            Frame.REACH_ANSWER, number, self.id(), frame.sender(), source, EMPTY.duplicate());
        if (!known.containsKey(frame.sender())) {
          step(new MembershipEvent.Stranger(source));
        }
      }
      case Frame.REACH_ANSWER -> reach.heardBy(frame.sender(), view);
      default -> traffic.malformed.increment();
    }
  }

  private void receiveMembership(Frame frame, ByteBuffer payload, InetSocketAddress source) {
    switch (MembershipCodec.decodeEvent(payload, options.protocol(), source)) {
      case MembershipEvent.Received received
          when received.message().from().id() == frame.sender() ->
          step(received);
      case MembershipEvent.Incompatible other -> {
        traffic.incompatible.increment();
        step(other);
      }
      case MembershipEvent.Corrected corrected -> {
        traffic.incompatible.increment();
        step(corrected);
      }
      case null, default -> traffic.malformed.increment();
    }
  }

  private void deliver(Frame frame, ByteBuffer payload) {
    Member from = known.get(frame.sender());
    if (from == null) {
      traffic.unknownSender.increment();
    } else if (handlers.handles(frame.channel())) {
      traffic.messagesReceived.increment();
      handlers.deliver(frame.channel(), from, payload);
    }
  }

  private void probeReach() {
    reach.update(view);
    datagrams.send(
        Frame.REACH_PROBE,
        number,
        self.id(),
        Frame.ANYBODY,
        options.multicast().orElseThrow(),
        EMPTY.duplicate());
  }

  /** Looks for contacts now and again, away from the timer, since a look-up may block. */
  private void discover() {
    ContactLookup contacts = new ContactLookup(options.discovery());
    List<InetSocketAddress> found = List.of();
    while (!closed) {
      try {
        List<InetSocketAddress> latest = contacts.find();
        if (!latest.equals(found)) {
          found = latest;
          step(new MembershipEvent.Contacts(latest));
        }
      } catch (RuntimeException e) {
        Log.LOG.log(Level.WARNING, "The discovery of group member " + self + " failed", e);
      }
      try {
        TimeUnit.NANOSECONDS.sleep(DISCOVERY_PERIOD.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
