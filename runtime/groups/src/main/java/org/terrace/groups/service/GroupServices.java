package org.terrace.groups.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.VersionedKind;
import org.terrace.groups.View;

/**
 * The group membership service: every member says what it offers and how loaded it is, every member
 * knows it of all, and the first of the view starts and stops replicas to match the load.
 *
 * <p>Each round a member multicasts its own report, and sends all it knows to a member that is new;
 * a lost report is made good by the next. Who has died is the group's own business (distinct
 * suspicions), and takes its offers with it. There is no single server to lose. Thread-safe.
 *
 * <p>Source: Marian, Balakrishnan, Birman, van Renesse, "Tempest: Soft state replication in the
 * service tier", 2008, section 3.3.
 */
public final class GroupServices {
  private static final int REPORTS_MAX = 1_024;

  /** After so many rounds a replica that was told to retire and still offers is ended. */
  static final int ROUNDS_TO_RETIRE = 10;

  /** Kinds of messages, with the version of the protocol in the upper half from 4 on. */
  private static final int REPORTS = 1;

  private static final int RETIRE = 2;

  private static final int VERSION_TOLD_SINCE = 4;

  private record Own(InetSocketAddress address, DoubleSupplier load, Runnable retire) {}

  /** A replica that was told to retire, and the round in which its launcher is asked to end it. */
  private record Told(String service, String replica, long dueRound) {}

  private final Group group;
  private final ReentrantLock lock = new ReentrantLock();
  private final Registry registry = new Registry();
  private final Map<String, Own> own = new TreeMap<>();
  private final Map<String, Scaling> scalings = new HashMap<>();
  private final Map<String, ScalingOptions> scaled = new TreeMap<>();
  private final List<Told> told = new ArrayList<>();
  private final ReplicaLauncher launcher;
  private View view;
  private long rounds;
  private long version;
  private long malformedReports;

  private GroupServices(Group group, ReplicaLauncher launcher) {
    this.group = group;
    this.launcher = launcher;
    this.view = group.view();
  }

  /**
   * Opens the service at a member; one a group.
   *
   * @param period how often it reports
   * @param launcher how this member starts replicas while it is the first of the view
   */
  public static GroupServices open(Group group, Duration period, ReplicaLauncher launcher) {
    GroupServices services = new GroupServices(group, launcher);
    group.subscribe(Group.SERVICES_CHANNEL, services::receive);
    group.watch(services::viewChanged);
    group.every(period, services::round);
    return services;
  }

  /** Offers a service of this process from now on, which ends when its launcher ends it. */
  public void offer(String service, InetSocketAddress address, DoubleSupplier load) {
    offer(service, address, load, () -> {});
  }

  /**
   * Offers a service of this process from now on.
   *
   * @param load asked for once a round; see {@link Offer}
   * @param retire called, on a thread of its own, when the group has one replica too many and chose
   *     this one, whoever started it; may be called again as long as the offer stands
   */
  public void offer(
      String service, InetSocketAddress address, DoubleSupplier load, Runnable retire) {
    lock.lock();
    try {
      own.put(service, new Own(address, load, retire));
    } finally {
      lock.unlock();
    }
    report();
  }

  /** Offers it no more. */
  public void withdraw(String service) {
    lock.lock();
    try {
      own.remove(service);
    } finally {
      lock.unlock();
    }
    report();
  }

  /** Keeps the number of a service's replicas in step with its load, also while there is none. */
  public void scale(String service, ScalingOptions options) {
    lock.lock();
    try {
      scaled.put(service, options);
    } finally {
      lock.unlock();
    }
  }

  /** The replicas of a service, the least loaded first. */
  public List<Offer> replicas(String service) {
    lock.lock();
    try {
      return registry.offers(service);
    } finally {
      lock.unlock();
    }
  }

  /** The names of all services that the group offers. */
  public Set<String> services() {
    lock.lock();
    try {
      return registry.services();
    } finally {
      lock.unlock();
    }
  }

  /** The number of reports that could not be understood. */
  public long malformedReports() {
    lock.lock();
    try {
      return malformedReports;
    } finally {
      lock.unlock();
    }
  }

  private void round() {
    report();
    decide();
    endWhoDoesNotListen();
  }

  /**
   * Lets the launcher here end the replicas that were told to retire and still offer, of those that
   * it started.
   */
  private void endWhoDoesNotListen() {
    List<Told> due = new ArrayList<>();
    lock.lock();
    try {
      rounds++;
      told.removeIf(one ->
          registry.offers(one.service).stream().noneMatch(o -> o.replica().equals(one.replica)));
      told.stream().filter(one -> one.dueRound <= rounds).forEach(due::add);
      told.removeAll(due);
    } finally {
      lock.unlock();
    }
    due.forEach(one -> Thread.startVirtualThread(() -> launcher.stop(one.service, one.replica)));
  }

  private void report() {
    Encoder out = new Encoder();
    lock.lock();
    try {
      List<Offer> offers = new ArrayList<>();
      own.forEach((service, mine) ->
          offers.add(
              new Offer(service, group.self().name(), mine.address, mine.load.getAsDouble())));
      Report report = new Report(group.self().id(), ++version, offers);
      registry.join(report);
      out.putByte(REPORTS);
      out.putUnsigned(1);
      report.encode(out);
    } finally {
      lock.unlock();
    }
    sendToAll(out);
  }

  private void receive(Member from, ByteBuffer message) {
    Decoder in = Decoder.copyOf(message);
    lock.lock();
    try {
      int first = in.getByte();
      switch (isUnderstood(VersionedKind.versionOf(first)) ? VersionedKind.kindOf(first) : 0) {
        case REPORTS -> receiveReports(in);
        case RETIRE -> retire(in.getString(), in.getString());
        default -> malformedReports++;
      }
    } catch (MalformedDataException e) {
      malformedReports++;
    } finally {
      lock.unlock();
    }
  }

  private boolean isUnderstood(int version) {
    return version == 0
        || (version >= VERSION_TOLD_SINCE && group.protocol().own().contains(version));
  }

  /** The message, whose first byte is its kind, as one of that version of the protocol. */
  private static ByteBuffer inVersion(int version, Encoder message) {
    byte[] bytes = message.toBytes();
    if (version >= VERSION_TOLD_SINCE) {
      VersionedKind.setVersion(bytes, version);
    }
    return ByteBuffer.wrap(bytes);
  }

  private void sendToAll(Encoder message) {
    group.multicast(Group.SERVICES_CHANNEL, inVersion(group.protocol().toAll(), message));
  }

  private void receiveReports(Decoder in) {
    int count = in.getCount(REPORTS_MAX);
    for (int i = 0; i < count; i++) {
      Report report = Report.decode(in);
      if (view.contains(report.member())) {
        registry.join(report);
      }
    }
  }

  /** Ends the service here if it is this member that is named. To be called with the lock. */
  private void retire(String service, String replica) {
    Own mine = own.get(service);
    if (mine != null && replica.equals(group.self().name())) {
      Thread.ofPlatform().name("retire").start(mine.retire);
    }
  }

  private void viewChanged(View changed) {
    List<Member> joined = new ArrayList<>();
    Encoder out = new Encoder();
    lock.lock();
    try {
      for (Member other : changed.others()) {
        if (!view.contains(other.id())) {
          joined.add(other);
        }
      }
      view = changed;
      registry.retain(changed);
      List<Report> all = registry.reports().stream().limit(REPORTS_MAX).toList();
      out.putByte(REPORTS);
      out.putUnsigned(all.size());
      all.forEach(report -> report.encode(out));
    } finally {
      lock.unlock();
    }
    for (Member member : joined) {
      ByteBuffer message = inVersion(group.protocol().with(member), out);
      group.send(member, Group.SERVICES_CHANNEL, message);
    }
  }

  /** The member of lowest identity starts and stops; it may be two for as long as views differ. */
  private void decide() {
    Map<String, Scaling.Decision> decisions = new TreeMap<>();
    lock.lock();
    try {
      if (view.members().getFirst().id() != group.self().id()) {
        scalings.clear();
        return;
      }
      scaled.forEach((service, options) -> {
        Scaling scaling = scalings.computeIfAbsent(service, name -> new Scaling(options));
        Optional<Scaling.Decision> decision = round(service, scaling);
        decision.ifPresent(present -> decisions.put(service, present));
      });
    } finally {
      lock.unlock();
    }
    decisions.forEach(this::perform);
  }

  private Optional<Scaling.Decision> round(String service, Scaling scaling) {
    List<Offer> offers = registry.offers(service);
    Set<String> unseen = new HashSet<>(launcher.running(service));
    offers.forEach(offer -> unseen.remove(offer.replica()));
    return scaling.round(offers, unseen.size());
  }

  /** Launchers start and stop aside, since a process takes its time; all else is done here. */
  private void perform(String service, Scaling.Decision decision) {
    switch (decision) {
      case Scaling.Decision.Start() -> Thread.startVirtualThread(() -> launcher.start(service));
      case Scaling.Decision.Stop(String replica) -> stop(service, replica);
    }
  }

  private void stop(String service, String replica) {
    Encoder out = new Encoder();
    out.putByte(RETIRE);
    out.putString(service);
    out.putString(replica);
    sendToAll(out);
    lock.lock();
    try {
      told.removeIf(one -> one.service.equals(service) && one.replica.equals(replica));
      told.add(new Told(service, replica, rounds + ROUNDS_TO_RETIRE));
      retire(service, replica);
    } finally {
      lock.unlock();
    }
  }
}
