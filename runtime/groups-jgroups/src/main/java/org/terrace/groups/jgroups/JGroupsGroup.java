package org.terrace.groups.jgroups;

import java.io.ByteArrayInputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.stack.IpAddress;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;
import org.terrace.groups.GroupHandlers;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipNews;
import org.terrace.groups.ProtocolAgreement;
import org.terrace.groups.View;

/**
 * A group over JGroups.
 *
 * <p>Each incarnation of a process has a JGroups address of its own, and a message names the
 * incarnation it is for, so none reaches a later one; a multicast is taken only from senders that
 * have said hello to this incarnation before. Thread-safe; locks are taken in this order:
 * membership, then whatever a view handler takes. Sending takes none.
 */
public final class JGroupsGroup implements Group {
  private static final System.Logger LOG = System.getLogger(JGroupsGroup.class.getName());
  private static final Duration HELLO_PERIOD = Duration.ofMillis(100);
  private static final long GOODBYE_MILLIS_MAX = 500;
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private record Peers(Map<Long, Address> addresses, Map<Address, Directory.Peer> byAddress) {}

  private final JGroupsOptions options;
  private final JChannel channel;
  private final Counts counts = new Counts();
  private final Outbox outbox;
  private final Member self;
  private final Object membershipLock = new Object();
  private final Directory directory;
  private final AtomicLong multicasts = new AtomicLong();
  private final GroupHandlers handlers;
  private final MembershipNews news;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile Peers peers = new Peers(Map.of(), Map.of());
  private volatile View view;
  private volatile ProtocolAgreement agreement;
  private int toldVersion;
  private volatile CountDownLatch goodbyesUnheard = new CountDownLatch(0);
  private volatile boolean closed;

  private JGroupsGroup(JGroupsOptions options, JChannel channel) {
    this.options = options;
    this.channel = channel;
    this.outbox = new Outbox(channel, options.member(), counts);
    long id = Member.idAt(options.member(), options.time().epochNanos());
    this.self = new Member(options.member(), id, physicalAddress(channel, options.member()));
    this.directory = new Directory(self, options.forgetAfter());
    this.view = directory.view().expecting(options.expectedMembers());
    this.news = new MembershipNews(self, Thread::startVirtualThread);
    this.agreement = directory.agreement(options.protocol());
    this.toldVersion = agreement.toAll();
    this.handlers = new GroupHandlers(options.member());
  }

  /**
   * Joins the group, or begins it when nobody answers.
   *
   * @throws TerraceException if the stack is not a valid one, or cannot listen where it says
   */
  public static JGroupsGroup open(JGroupsOptions options) {
    JChannel channel = channel(options);
    try {
      channel.setName(options.member());
      channel.connect(options.group());
    } catch (Exception e) {
      channel.close();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "member '%s' cannot join group '%s' with the stack %s: %s; choose another address or port"
              .formatted(options.member(), options.group(), options.stack().source(), e),
          e);
    }
    JGroupsGroup group = new JGroupsGroup(options, channel);
    group.news.opened(group.view, true); // what protects its messages is the stack's
    group.start();
    return group;
  }

  private static JChannel channel(JGroupsOptions options) {
    byte[] xml = options.stack().xml().getBytes(StandardCharsets.UTF_8);
    try {
      return new JChannel(new ByteArrayInputStream(xml));
    } catch (Exception e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "the JGroups stack %s is not valid: %s; see the JGroups manual for its protocols"
              .formatted(options.stack().source(), e.getMessage()),
          e);
    }
  }

  private static InetSocketAddress physicalAddress(JChannel channel, String name) {
    return channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, channel.getAddress()))
            instanceof IpAddress ip
        ? new InetSocketAddress(ip.getIpAddress(), ip.getPort())
        : InetSocketAddress.createUnresolved(name, 0);
  }

  private void start() {
    outbox.start();
    channel.setReceiver(
        new Receiver() {
          @Override
          public void receive(Message message) {
            JGroupsGroup.this.receive(message);
          }

          @Override
          public void viewAccepted(org.jgroups.View changed) {
            step(() -> addressesChanged(changed));
          }
        });
    step(() -> addressesChanged(channel.getView()));
    every(HELLO_PERIOD, () -> step(this::greetStrangers));
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
  public void send(Member to, int channelNumber, ByteBuffer message) {
    GroupHandlers.checkChannel(channelNumber);
    checkSize(message);
    counts.messagesSent.increment();
    Address address = peers.addresses.get(to.id());
    if (address == null) {
      counts.undelivered.increment();
    } else {
      send(address, new Envelope(channelNumber, to.id(), 0), message);
    }
  }

  @Override
  public void multicast(int channelNumber, ByteBuffer message) {
    GroupHandlers.checkChannel(channelNumber);
    checkSize(message);
    counts.messagesSent.increment();
    Envelope envelope = new Envelope(channelNumber, Envelope.ANYBODY, multicasts.incrementAndGet());
    if (!peers.addresses.isEmpty()) {
      send(null, envelope, message);
    }
  }

  private void send(@Nullable Address to, Envelope envelope, ByteBuffer payload) {
    Message message = new BytesMessage(to, envelope.seal(payload));
    message.setFlag(Message.TransientFlag.DONT_LOOPBACK);
    outbox.add(message);
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
  public ProtocolAgreement protocol() {
    return agreement;
  }

  @Override
  public GroupCounters counters() {
    return counts.toCounters();
  }

  /** Says goodbye, waits half a second at most until all have heard it, and leaves. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    Map<Long, Address> others = peers.addresses;
    goodbyesUnheard = new CountDownLatch(others.size());
    others.forEach((id, address) -> send(address, new Envelope(Envelope.GOODBYE, id, 0), EMPTY));
    try {
      if (!goodbyesUnheard.await(GOODBYE_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
        LOG.log(Level.INFO, "Group member {0} left without being heard by all", self);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (membershipLock) {
      closed = true;
    }
    handlers.close();
    outbox.close();
    channel.close();
  }

  /** Changes the directory and tells of the view that results. */
  private void step(Runnable change) {
    synchronized (membershipLock) {
      if (closed) {
        return;
      }
      change.run();
      agree(directory.agreement(options.protocol()));
      View changed = directory.takeChangedView();
      if (changed == null) {
        return;
      }
      Map<Address, Directory.Peer> live = directory.livePeers();
      Map<Long, Address> addresses = new HashMap<>();
      live.values().forEach(peer -> addresses.put(peer.member().id(), peer.address()));
      peers = new Peers(Map.copyOf(addresses), Map.copyOf(live));
      view = changed.expecting(options.expectedMembers());
      news.changed(view);
      handlers.viewChanged(view);
    }
  }

  /** Speaks in these versions; that somebody's hello has not come yet is not worth a line. */
  private void agree(ProtocolAgreement latest) {
    agreement = latest;
    int before = toldVersion;
    if (latest.toAll() != before && directory.strangers().isEmpty()) {
      toldVersion = latest.toAll();
      LOG.log(
          Level.INFO,
          "Group member {0} speaks version {1} of the protocol to all from now on, before it was {2}",
          self,
          latest.toAll(),
          before);
    }
  }

  private void addressesChanged(org.jgroups.View changed) {
    List<Address> others =
        changed.getMembers().stream()
            .filter(address -> !address.equals(channel.getAddress()))
            .toList();
    directory.addressesChanged(others, options.time().elapsedNanos());
    greetStrangers();
  }

  private void greetStrangers() {
    directory.forget(options.time().elapsedNanos());
    directory.strangers().forEach(address -> sayHello(address, true));
  }

  private void sayHello(Address to, boolean wantsAnswer) {
    Hello hello = new Hello(self, options.protocol(), multicasts.get(), wantsAnswer);
    send(to, new Envelope(Envelope.HELLO, Envelope.ANYBODY, 0), hello.encode());
  }

  private void receive(Message message) {
    Address from = message.getSrc();
    if (!message.hasArray() || from == null) {
      counts.malformed.increment();
      return;
    }
    ByteBuffer bytes =
        ByteBuffer.wrap(message.getArray(), message.getOffset(), message.getLength()).slice();
    if (!Envelope.isPlausible(bytes)) {
      counts.malformed.increment();
      return;
    }
    Envelope envelope = Envelope.open(bytes);
    if (envelope.receiver() != Envelope.ANYBODY && envelope.receiver() != self.id()) {
      return;
    }
    if (envelope.kind() >= 1 && envelope.kind() < CHANNELS) {
      deliver(from, envelope, bytes);
      return;
    }
    switch (envelope.kind()) {
      case Envelope.HELLO -> receiveHello(from, bytes);
      case Envelope.GOODBYE -> {
        step(() -> directory.heardGoodbye(from));
        send(from, new Envelope(Envelope.GOODBYE_HEARD, Envelope.ANYBODY, 0), EMPTY);
      }
      case Envelope.GOODBYE_HEARD -> goodbyesUnheard.countDown();
      default -> counts.malformed.increment();
    }
  }

  private void receiveHello(Address from, ByteBuffer bytes) {
    Hello hello = Hello.decode(bytes);
    if (hello == null) {
      counts.malformed.increment();
      return;
    }
    step(() -> {
      directory.heardHello(from, hello);
      if (hello.wantsAnswer()) {
        sayHello(from, false);
      }
    });
  }

  private void deliver(Address from, Envelope envelope, ByteBuffer payload) {
    Directory.Peer peer = peers.byAddress.get(from);
    boolean multicast = envelope.receiver() == Envelope.ANYBODY;
    if (peer == null || (multicast && envelope.number() <= peer.multicastsBefore())) {
      counts.unknownSender.increment();
      return;
    }
    if (handlers.handles(envelope.kind()) && !closed) {
      counts.messagesReceived.increment();
      handlers.deliver(envelope.kind(), peer.member(), payload);
    }
  }

  private static void checkSize(ByteBuffer message) {
    if (message.remaining() > MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a message has at most " + MESSAGE_BYTES_MAX + " bytes, got " + message.remaining());
    }
  }
}
