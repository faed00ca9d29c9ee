package org.terrace.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.AllowedProcessors;
import org.terrace.core.process.JavaCommand;
import org.terrace.evidence.MonotonicClock;
import org.terrace.hosts.files.AgentFolder;
import org.terrace.nodes.AddressClaims;
import org.terrace.nodes.Endpoints;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Launch;
import org.terrace.nodes.LocalHost;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.fault.BusyProcesses;
import org.terrace.nodes.fault.DisturbedPlaces;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.fault.KeptHold;
import org.terrace.nodes.fault.MemoryPressure;
import org.terrace.nodes.fault.PacketDelay;
import org.terrace.nodes.fault.PacketRules;
import org.terrace.nodes.fault.SlowDisk;
import org.terrace.nodes.machine.DiskLimit;
import org.terrace.nodes.machine.HostClocks;
import org.terrace.nodes.machine.MachineFacts;
import org.terrace.nodes.machine.MemoryGroup;
import org.terrace.nodes.machine.ProcessorQuota;
import org.terrace.nodes.machine.ProcessorSpeed;
import org.terrace.nodes.machine.ServerControlGroups;

/**
 * The machine of this process, or the network namespace that this process is in, as a host of
 * servers. Thread-safe.
 */
public final class LocalServerHost implements ServerHost {
  private static final Path MACHINE = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NETWORK = Path.of("/proc/self/ns/net");

  private final String name;
  private final Path folder;
  private final AgentFolder own;
  private final HostClocks clocks;
  private final TimeSource time;
  private final HostFacts facts;
  private final LocalHost processes = new LocalHost();
  private final ServerControlGroups groups;
  private final DisturbedPlaces disturbed;
  private final AddressClaims claims = new AddressClaims();
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<DatabaseServer> databases = new ArrayList<>();
  private boolean closed;

  /** The process that plays a node now. */
  private record Running(Process process, boolean forks) {}

  /**
   * This machine as a host.
   *
   * @param folder the folder for files of the trial; it exists
   */
  public LocalServerHost(String name, Path folder, TimeSource time) {
    this(name, folder, AgentFolder.inTemporary(), HostClocks.ofThisMachine(), time);
  }

  /**
   * The machine of this process as a host, with given clocks.
   *
   * @param own the folder with the data of databases, which is closed with this
   */
  LocalServerHost(String name, Path folder, AgentFolder own, HostClocks clocks, TimeSource time) {
    this.name = name;
    this.folder = folder;
    this.own = own;
    this.clocks = clocks;
    this.time = time;
    this.disturbed = new DisturbedPlaces(time);
    this.groups = new ServerControlGroups(processes::removeAtEnd, processes::writeFirstAtEnd, time);
    this.facts = readFacts();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public HostFacts facts() {
    return facts;
  }

  @Override
  public double slowdown() {
    return ProcessorSpeed.slowdown();
  }

  private HostFacts readFacts() {
    MachineFacts machine = MachineFacts.ofThisMachine();
    Map<String, String> facts = new TreeMap<>();
    facts.put("memoryBytes", Long.toString(machine.memoryBytes()));
    facts.put("cpu", machine.cpu());
    facts.put("kernel", machine.kernel());
    facts.put("java", machine.java());
    try {
      return new HostFacts(
          Files.readString(MACHINE).strip(),
          Files.readSymbolicLink(NETWORK).toString(),
          machine.cores(),
          AllowedProcessors.ofThisProcess(),
          ProcessorQuota.ofThisProcess(),
          JavaCommand.program(),
          folder,
          groups.warning(),
          Stream.concat(groups.leftovers().stream(), clocks.giveBackLeft().stream()).toList(),
          facts);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the kernel does not tell which machine this is (" + e + "); a trial runs on Linux alone",
          e);
    }
  }

  @Override
  public Process start(Launch launch) throws IOException {
    Process process = processes.start(governed(launch));
    running.put(launch.name(), new Running(process, launch.forks()));
    return process;
  }

  /** The launch of a server within what the watch that is open asks of its processors. */
  private synchronized Launch governed(Launch launch) {
    Launch governed = launch;
    for (AutoCloseable each : open) {
      if (each instanceof LocalWatch watch) {
        governed = governed.withCommand(watch.command(launch.name(), governed.command()));
      }
    }
    return governed;
  }

  /** The processes of a node that are there now; none before it has been started. */
  private List<Long> members(String node) {
    Running now = running.get(node);
    return now == null || !now.process().isAlive()
        ? List.of()
        : members(now.process(), now.forks());
  }

  @Override
  public List<Long> members(Process process, boolean forks) {
    return processes.members(process, forks);
  }

  @Override
  public boolean signal(Process process, boolean forks, Signal signal) {
    return processes.signal(process, forks, signal);
  }

  @Override
  public void kill(Process process, boolean forks) {
    processes.kill(process, forks);
  }

  @Override
  public boolean answers(Readiness.Port place) {
    return processes.answers(place);
  }

  @Override
  public boolean answers(Readiness.Http place) {
    return processes.answers(place);
  }

  @Override
  public List<String> listening(Process process, boolean forks) {
    return processes.listening(process, forks);
  }

  @Override
  public void requireFree(List<Endpoint> endpoints) {
    Endpoints.requireFree(endpoints);
    endpoints.forEach(endpoint -> claim(endpoint.address()));
  }

  /**
   * Claims an address of this machine for the trial until this host is closed.
   *
   * @throws TerraceException if another run has it
   */
  void claim(String address) {
    claims.claim(address);
  }

  @Override
  public synchronized List<String> limited(String server, double cores, List<String> command) {
    requireOpen();
    return groups.limited(server, cores, command);
  }

  @Override
  public synchronized List<String> memoryLimited(String server, long bytes, List<String> command) {
    requireOpen();
    return groups.memoryLimited(server, bytes, command);
  }

  @Override
  public synchronized List<String> diskLimited(
      String server, long bytesPerSecond, List<String> command) {
    requireOpen();
    return groups.diskLimited(server, bytesPerSecond, command);
  }

  @Override
  public synchronized void liftLimits() {
    groups.suspend();
  }

  @Override
  public synchronized DatabaseServer database(DatabasePlan plan) {
    requireOpen();
    DatabaseServer database = LocalDatabase.of(plan, own.data());
    databases.add(database);
    return database;
  }

  @Override
  public void requirePermitted(HoldPlan plan) {
    switch (plan) {
      case HoldPlan.Openings _ -> PacketRules.openings(PacketRules.NOBODY).tryOut();
      case HoldPlan.Cut _ -> PacketRules.cut(PacketRules.NOBODY).tryOut();
      case HoldPlan.Loss loss -> PacketRules.loss(PacketRules.NOBODY, loss.share()).tryOut();
      case HoldPlan.Bandwidth narrow ->
          PacketRules.bandwidth(PacketRules.NOBODY, narrow.bytesPerSecond()).tryOut();
      case HoldPlan.Delay delay -> PacketDelay.tryOut(delay.endpoint());
      case HoldPlan.Storage storage -> DiskLimit.of(members(storage.server())).close();
      case HoldPlan.Processor processor -> {
        var _ = groups.requireProcessor(processor.server());
      }
      case HoldPlan.Memory taken -> {
        var _ = groups.requireMemory(taken.server());
      }
    }
  }

  @Override
  public Hold hold(HoldPlan plan) {
    Hold hold =
        switch (plan) {
          case HoldPlan.Openings openings -> PacketRules.openings(openings.endpoint());
          case HoldPlan.Cut cut -> PacketRules.cut(cut.endpoint());
          case HoldPlan.Loss loss -> PacketRules.loss(loss.endpoint(), loss.share());
          case HoldPlan.Bandwidth narrow ->
              PacketRules.bandwidth(narrow.endpoint(), narrow.bytesPerSecond());
          case HoldPlan.Delay delay -> PacketDelay.of(delay.endpoint(), delay.by(), delay.jitter());
          case HoldPlan.Storage storage ->
              new SlowDisk(
                  () -> members(storage.server()),
                  storage.bytesPerSecond(),
                  processes::removeAtEnd,
                  processes::writeFirstAtEnd);
          case HoldPlan.Processor processor ->
              new BusyProcesses(
                  processor.server(),
                  processes,
                  groups.requireProcessor(processor.server())::command,
                  facts.cores());
          case HoldPlan.Memory taken -> {
            MemoryGroup group = groups.requireMemory(taken.server());
            yield new MemoryPressure(
                taken.server(),
                processes,
                group::command,
                group.limitBytes(),
                group::use,
                taken.share());
          }
        };
    return opened(new KeptHold(plan.noted(disturbed, this::members, hold)));
  }

  @Override
  public ServerWatch watch(WatchPlan plan) {
    return opened(
        new LocalWatch(
            plan, groups, this::members, disturbed, clocks.control(processes::restoreAtEnd), time));
  }

  @Override
  public HostCapture capture(CapturePlan plan) {
    return opened(LocalCapture.start(plan));
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    synchronized (this) {
      if (!closed) {
        open.add(closeable);
        return closeable;
      }
    }
    closeAnyway(closeable);
    throw ending();
  }

  /** Refuses what is asked for while the host ends, which must not outlive it. */
  private void requireOpen() {
    if (closed) {
      throw ending();
    }
  }

  private TerraceException ending() {
    return new TerraceException(ErrorCode.CHECK_FAILED, name + " is ending: nothing starts now");
  }

  @Override
  public void put(Path file, String content) {
    try {
      Path temporary = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(temporary, content);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, name + ": " + file + " cannot be written: " + e, e);
    }
  }

  @Override
  public void fetch(Path there, Path here, Consumer<String> progress) {
    if (there.equals(here)) {
      return;
    }
    try {
      Path temporary = here.resolveSibling(here.getFileName() + ".new");
      Files.copy(there, temporary, StandardCopyOption.REPLACE_EXISTING);
      Files.move(temporary, here, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, name + ": " + there + " cannot be copied: " + e, e);
    }
  }

  @Override
  public MonotonicClock monotonicClock() {
    return MonotonicClock.measure(time);
  }

  @Override
  public ClockOffset clockOffset() {
    return ClockOffset.SAME_CLOCK;
  }

  @Override
  public HostClock clock() {
    return HostClock.OF_THIS_MACHINE;
  }

  /** Ends what is left of all that was started here, and deletes its data. May be called again. */
  @Override
  public void close() {
    List<AutoCloseable> closing;
    List<DatabaseServer> stores;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      closing = List.copyOf(open);
      stores = List.copyOf(databases);
    }
    closing.reversed().forEach(LocalServerHost::closeAnyway);
    processes.close();
    stores.forEach(LocalServerHost::closeAnyway);
    groups.close();
    claims.close();
    closeAnyway(own);
  }

  /** Closes one of several: an error must not keep the others from their end. */
  private static void closeAnyway(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      assert e != null; // a capture tells it to whoever asks for its counts
    }
  }
}
