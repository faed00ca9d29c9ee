package org.terrace.hosts;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.ProcessStat;
import org.terrace.hosts.network.NamespaceNetwork;
import org.terrace.hosts.network.NetworkProof;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.MemoryUse;
import org.terrace.nodes.fault.DisturbedPlaces;
import org.terrace.nodes.machine.ControlGroup;
import org.terrace.nodes.machine.HostFrequency;
import org.terrace.nodes.machine.LimitUse;
import org.terrace.nodes.machine.MemoryGroup;
import org.terrace.nodes.machine.ServerControlGroups;
import org.terrace.nodes.machine.Throttling;
import org.terrace.nodes.monitor.AcceptQueue;
import org.terrace.nodes.monitor.EarlyEnd;
import org.terrace.nodes.monitor.KeptEvents;
import org.terrace.nodes.monitor.KeptSamples;
import org.terrace.nodes.monitor.PoolMonitor;
import org.terrace.nodes.monitor.ReadingRoom;
import org.terrace.nodes.monitor.ResourceMonitor;
import org.terrace.nodes.monitor.Resources;
import org.terrace.nodes.setting.MetricsPlace;

/** A watch of servers of this machine. Thread-safe. */
final class LocalWatch implements ServerWatch {
  private static final char STOPPED = 'T';

  /** The readings after the end of a fault of the network that may lack for it. */
  private static final int READINGS_AFTER_FAULT = 2;

  /** The age of a process may be told too long by as much. */
  private static final Duration TICK =
      Duration.ofSeconds(1).dividedBy(ProcessStat.TICKS_PER_SECOND);

  private final Map<String, ControlGroup> groups;
  private final Map<String, AcceptQueue> queues = new HashMap<>();
  private final ResourceMonitor monitor;
  private final PoolMonitor pools;
  private final Throttling throttling;
  private final HostGovernors governors;
  private final KeptSamples samples;
  private final KeptEvents events;
  private final TimeSource time;
  private final int watched;
  private final long begunNanos;
  private final EarlyEnd limits = new EarlyEnd();
  private final Function<String, List<Long>> members;
  private final List<String> unlimited = new ArrayList<>();
  private boolean closed;

  /** Starts to watch, and keeps what it reads in some of this process's heap. */
  LocalWatch(
      WatchPlan plan,
      ServerControlGroups groups,
      Function<String, List<Long>> members,
      DisturbedPlaces disturbed,
      Optional<HostFrequency> clock,
      TimeSource time) {
    this(plan, groups, members, disturbed, clock, time, ReadingRoom.ofHeap());
  }

  /**
   * Starts to watch.
   *
   * @param groups the control groups of the servers that have one
   * @param members gives the processes of a node at the moment
   * @param disturbed the places that planned faults of the network hold
   * @param clock the control of the machine's own clock, where there is one
   * @param room the room for what is read
   */
  LocalWatch(
      WatchPlan plan,
      ServerControlGroups groups,
      Function<String, List<Long>> members,
      DisturbedPlaces disturbed,
      Optional<HostFrequency> clock,
      TimeSource time,
      ReadingRoom room) {
    this.time = time;
    this.samples = new KeptSamples(room);
    this.events = new KeptEvents(room);
    this.watched = plan.servers().size();
    this.groups = new HashMap<>();
    Map<String, MetricsPlace> metrics = new HashMap<>();
    Map<String, String> nodes = new HashMap<>();
    List<ResourceMonitor.Target> targets = new ArrayList<>();
    enforceStorage(plan, groups, members);
    for (WatchPlan.Watched server : plan.servers()) {
      server.network().ifPresent(limit -> NetworkProof.ofServer(limit).run(time));
    }
    for (WatchPlan.Watched server : plan.servers()) {
      Optional<AcceptQueue> queue = server.listens().map(this::queue);
      queue.ifPresent(each -> queues.put(server.name(), each));
      groups.processor(server.name()).ifPresent(group -> this.groups.put(server.name(), group));
      server.metrics().ifPresent(place -> metrics.put(server.name(), place));
      nodes.put(server.name(), server.node());
      targets.add(
          new ResourceMonitor.Target(
              server.name(),
              server.cores(),
              () -> members.apply(server.node()),
              groups.processor(server.name()),
              readings(
                  groups.memory(server.name()),
                  groups.disk(server.name()).map(group -> LimitUse.of(group, time)),
                  server.network().map(limit -> NamespaceNetwork.use(limit, time)),
                  queue)));
    }
    this.members = server -> members.apply(nodes.getOrDefault(server, server));
    this.begunNanos = time.elapsedNanos();
    this.monitor = new ResourceMonitor(targets, plan.interval(), time, samples);
    PoolMonitor.Presence presence =
        presence(
            this.members, server -> isDisturbed(metrics.get(server), disturbed, plan.interval()));
    this.pools = new PoolMonitor(metrics, plan.interval(), time, presence, samples);
    this.throttling = new Throttling(this.groups, time, events);
    this.governors = new HostGovernors(plan, this.groups, members, clock, time, events);
  }

  /**
   * Puts the limits of storage in force and proves each, all at once. All have ended when one is
   * refused: a group in which something is under way could not be removed.
   */
  private static void enforceStorage(
      WatchPlan plan, ServerControlGroups groups, Function<String, List<Long>> members) {
    List<CompletableFuture<Void>> proofs = new ArrayList<>();
    for (WatchPlan.Watched server : plan.servers()) {
      groups
          .disk(server.name())
          .ifPresent(group ->
              proofs.add(
                  CompletableFuture.runAsync(
                      () -> group.enforce(members.apply(server.node())),
                      Thread::startVirtualThread)));
    }
    try {
      CompletableFuture.allOf(proofs.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof TerraceException refusal ? refusal : e;
    }
  }

  /** The presence of servers, of which a fault holds some away at the moment. */
  private static PoolMonitor.Presence presence(
      Function<String, List<Long>> processes, Predicate<String> isHeld) {
    return new PoolMonitor.Presence() {
      @Override
      public boolean isThere(String server) {
        return LocalWatch.isThere(processes.apply(server)) && !isHeld.test(server);
      }

      @Override
      public boolean beganWithin(String server, Duration within) {
        return LocalWatch.beganWithin(processes.apply(server), within);
      }
    };
  }

  /** Whether a fault may take a reading: one asked for in it, and the next, may fail after it. */
  private static boolean isDisturbed(
      @Nullable MetricsPlace place, DisturbedPlaces disturbed, Duration interval) {
    return place != null
        && place.at().getHost() != null
        && disturbed.isDisturbed(
            place.at().getHost(),
            place.at().getPort(),
            interval.multipliedBy(READINGS_AFTER_FAULT),
            interval);
  }

  /** Whether any of a server's processes runs, which none does that was killed or stopped. */
  private static boolean isThere(List<Long> members) {
    return members.stream()
        .flatMap(pid -> ProcessStat.of(pid).stream())
        .anyMatch(process -> process.isAlive() && process.state() != STOPPED);
  }

  /** Whether the first of a server's processes, which started the others, began so lately. */
  private static boolean beganWithin(List<Long> members, Duration within) {
    return members.stream()
        .findFirst()
        .flatMap(ProcessStat::of)
        .flatMap(ProcessStat::age)
        .filter(age -> age.compareTo(within.plus(TICK)) <= 0)
        .isPresent();
  }

  private AcceptQueue queue(Endpoint listens) {
    return new AcceptQueue(
        new InetSocketAddress(InetAddress.ofLiteral(listens.address()), listens.port()), time);
  }

  /**
   * The readings of what limits a server's memory, its storage and its network, and of the
   * connections that it has not accepted.
   */
  private static Supplier<Map<String, Double>> readings(
      Optional<MemoryGroup> memory,
      Optional<LimitUse> disk,
      Optional<LimitUse> network,
      Optional<AcceptQueue> queue) {
    return () -> {
      Map<String, Double> readings = new HashMap<>();
      memory.ifPresent(group -> {
        MemoryUse use = group.use();
        readings.put(Resources.MEMORY_UTILISATION, (double) use.keptBytes() / group.limitBytes());
        readings.put(Resources.CACHE_BYTES, (double) use.cacheBytes());
      });
      disk.map(LimitUse::next)
          .ifPresent(
              share -> share.ifPresent(value -> readings.put(Resources.DISK_UTILISATION, value)));
      network
          .map(LimitUse::next)
          .ifPresent(share ->
              share.ifPresent(value -> readings.put(Resources.NETWORK_UTILISATION, value)));
      queue.map(AcceptQueue::next).ifPresent(readings::putAll);
      return readings;
    };
  }

  /** The command that starts a node again within what its governor asks for. */
  List<String> command(String node, List<String> command) {
    return governors.command(node, command);
  }

  @Override
  public synchronized LimitsInForce enforceLimits() {
    pools.countFromNow();
    groups.values().forEach(ControlGroup::enforce);
    LimitsInForce inForce = new LimitsInForce(time.epochNanos(), groups.keySet());
    governors.start();
    return inForce;
  }

  @Override
  public synchronized WatchReadings end() {
    MonitorCost cost =
        new MonitorCost(
            watched,
            monitor.cpuNanos() + pools.cpuNanos() + throttling.cpuNanos(),
            time.elapsedNanos() - begunNanos);
    limits.noting(governors::checkBound).run();
    limits.noting(this::checkMembers).run();
    stop();
    List<String> warnings = new ArrayList<>(governors.warnings());
    warnings.addAll(pools.warnings());
    String untold =
        queues.entrySet().stream()
            .filter(queue -> queue.getValue().isRefused())
            .map(Map.Entry::getKey)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!untold.isEmpty()) {
      warnings.add(
          "the kernel does not tell of the accept queues of "
              + untold
              + " (sock_diag), so that they were no candidates");
    }
    WatchReadings readings =
        new WatchReadings(samples.list(), events.list(), warnings, lost(), limitsLost(), cost);
    forget();
    return readings;
  }

  /** Looks, while the servers run, whether their processes are in the groups that limit them. */
  private void checkMembers() {
    groups.forEach((server, group) -> {
      List<Long> outside = new ArrayList<>(members.apply(server));
      outside.removeAll(group.processes());
      outside.removeIf(pid -> ProcessStat.of(pid).filter(ProcessStat::isAlive).isEmpty());
      if (!outside.isEmpty()) {
        unlimited.add(
            "%d processes of %s, such as %d, have left the control group that limits its processor time"
                .formatted(outside.size(), server, outside.getFirst()));
      }
    });
  }

  private List<String> limitsLost() {
    List<String> lost = new ArrayList<>(governors.limitsLost());
    lost.addAll(unlimited);
    limits
        .reason()
        .ifPresent(why -> lost.add("it cannot be told where limited servers ran: " + why));
    return lost;
  }

  /** The reasons for which not all is there, a sentence each. */
  private List<String> lost() {
    List<String> lost = new ArrayList<>();
    monitor
        .failure()
        .ifPresent(why -> lost.add("what servers used was not read to the end of the run: " + why));
    throttling
        .failure()
        .ifPresent(why ->
            lost.add("whether servers were held back was not read to the end of the run: " + why));
    pools
        .failure()
        .ifPresent(
            why -> lost.add("how full pools of servers were was not read each time: " + why));
    lost.addAll(governors.lost());
    lost.addAll(pools.gaps());
    if (samples.leftOut() > 0) {
      lost.add(
          "%d samples of what servers used were not kept beside %d that were, since the room was full; a shorter run or a longer interval takes less"
              .formatted(samples.leftOut(), samples.list().size()));
    }
    if (events.leftOut() > 0) {
      lost.add(
          "%d stretches in which servers were held back were not kept beside %d that were, since the room was full; a shorter run takes less"
              .formatted(events.leftOut(), events.list().size()));
    }
    return lost;
  }

  private void stop() {
    if (!closed) {
      closed = true;
      governors.close();
      throttling.close();
      pools.close();
      monitor.close();
    }
  }

  /** Leaves the heap to the next watch: a host keeps each that it had until its own end. */
  private void forget() {
    samples.clear();
    events.clear();
  }

  @Override
  public synchronized void close() {
    stop();
    forget();
  }
}
