package org.terrace.nodes.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/** The control groups of the servers of one host, by the servers' names. Thread-safe. */
public final class ServerControlGroups implements AutoCloseable {
  private final CpuLimits limits = CpuLimits.open();
  private final MemoryLimits memoryLimits = new MemoryLimits();
  private final Map<String, ControlGroup> groups = new ConcurrentHashMap<>();
  private final Map<String, MemoryGroup> memoryGroups = new ConcurrentHashMap<>();
  private final Map<String, DiskGroup> diskGroups = new ConcurrentHashMap<>();
  private final Consumer<Path> removeAtEnd;
  private final BiConsumer<Path, String> writeFirstAtEnd;
  private final TimeSource time;

  /**
   * Groups of servers of which none has one yet.
   *
   * @param removeAtEnd told of each folder that is to be removed when this process dies
   * @param writeFirstAtEnd told of each file of the kernel, and of the line that is to be written
   *     to it when this process dies, before servers are killed
   */
  public ServerControlGroups(
      Consumer<Path> removeAtEnd, BiConsumer<Path, String> writeFirstAtEnd, TimeSource time) {
    this.removeAtEnd = removeAtEnd;
    this.writeFirstAtEnd = writeFirstAtEnd;
    this.time = time;
    // It is there already, though no server may come to be limited by this process.
    limits.folder().ifPresent(removeAtEnd);
  }

  /** The reason why processor time is not limited here; empty when it can be. */
  public Optional<String> warning() {
    return limits.warning();
  }

  /** The remains that were found of runs that died, one sentence each. */
  public List<String> leftovers() {
    return limits.leftovers();
  }

  /**
   * The command that starts a server within its limit of processor time, which is suspended when
   * its group is made; the same command where limits are not permitted.
   *
   * @throws TerraceException when the kernel refuses
   */
  public synchronized List<String> limited(String server, double cores, List<String> command) {
    ControlGroup group = groups.get(server);
    if (group == null) {
      Optional<ControlGroup> made = limits.limit(server, cores);
      if (made.isEmpty()) {
        return command;
      }
      group = made.get();
      // A JVM compiles for longer than a ramp-up lasts where it is held back:
      // docs/decisions/0265.
      group.suspend();
      groups.put(server, group);
      remember(group.folder());
    }
    return group.command(command);
  }

  /**
   * The command that starts a server within its limit of memory, which is in force at once.
   *
   * @throws TerraceException when this machine does not permit it
   */
  public synchronized List<String> memoryLimited(String server, long bytes, List<String> command) {
    MemoryGroup group = memoryGroups.get(server);
    if (group == null) {
      group = memoryLimits.limit(server, bytes, Optional.ofNullable(groups.get(server)));
      memoryGroups.put(server, group);
      remember(group.folder());
    }
    return group.command(command);
  }

  /**
   * The command that starts a server whose storage is limited, which is not in force before {@link
   * DiskGroup#enforce}.
   *
   * @throws TerraceException when this machine does not permit it
   */
  public synchronized List<String> diskLimited(
      String server, long bytesPerSecond, List<String> command) {
    DiskGroup group = diskGroups.get(server);
    if (group == null) {
      group = DiskGroup.make(server, bytesPerSecond, writeFirstAtEnd, time);
      diskGroups.put(server, group);
      removeAtEnd.accept(group.folder());
    }
    return group.command(command);
  }

  /** Lifts all limits of processor time and of storage, until each is enforced. */
  public void suspend() {
    groups.values().forEach(ControlGroup::suspend);
    diskGroups.values().forEach(DiskGroup::suspend);
  }

  private void remember(Path group) {
    removeAtEnd.accept(group);
    Path run = group.getParent();
    if (run != null) {
      removeAtEnd.accept(run);
    }
  }

  /** The group that limits a server's processor time; empty where it has none. */
  public Optional<ControlGroup> processor(String server) {
    return Optional.ofNullable(groups.get(server));
  }

  /** The group that limits a server's memory; empty where it has none. */
  public Optional<MemoryGroup> memory(String server) {
    return Optional.ofNullable(memoryGroups.get(server));
  }

  /** The group that limits a server's storage; empty where it has none. */
  public Optional<DiskGroup> disk(String server) {
    return Optional.ofNullable(diskGroups.get(server));
  }

  /**
   * The group that limits a server's processor time, for work beside it.
   *
   * @throws TerraceException if it has none
   */
  public ControlGroup requireProcessor(String server) {
    return processor(server)
        .orElseThrow(() ->
            new TerraceException(
                ErrorCode.MACHINE_LACKS,
                "cpu: %s has no limit of processor time here, within which work beside it would stay; give it one, such as 'limits: {%s: {cpu: 1}}'%s"
                    .formatted(
                        server,
                        server,
                        limits.warning().map(why -> " (but " + why + ")").orElse(""))));
  }

  /**
   * The group that limits a server's memory, for what is taken beside it.
   *
   * @throws TerraceException if it has none
   */
  public MemoryGroup requireMemory(String server) {
    return memory(server)
        .orElseThrow(() ->
            new TerraceException(
                ErrorCode.MACHINE_LACKS,
                "memory: %s has no limit of memory here, within which the fault would stay; give it one, such as 'limits: {%s: {memory: 512m}}'"
                    .formatted(server, server)));
  }

  /** Removes all groups that have no processes any more. */
  @Override
  public void close() {
    limits.close();
    memoryLimits.close();
    diskGroups.values().forEach(DiskGroup::close);
  }
}
