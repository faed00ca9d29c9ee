package org.terrace.groups.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Runs replicas as processes of this machine, each by the command that a function gives for the
 * service and a replica's name. A name is used again once no process bears it, because members of a
 * group remember every name they ever met. At most {@value #PROCESSES_MAX} at once. Closing it ends
 * all; whoever kills the launcher's process leaves them running, because a service outlives the
 * member that started its replicas, and has to end them by their process ids. Thread-safe.
 */
public final class ProcessLauncher implements ReplicaLauncher, AutoCloseable {
  private static final int PROCESSES_MAX = 64;
  private static final int PATIENCE_SECONDS = 5;

  private final String prefix;
  private final Predicate<String> isTaken;
  private final BiFunction<String, String, List<String>> command;
  private final Map<String, Replica> processes = new ConcurrentHashMap<>();

  private record Replica(String service, Process process) {}

  /**
   * A launcher; the command is made from the service's name and the replica's.
   *
   * @param prefix what the names of its replicas begin with, for example the name of its member: no
   *     other launcher of the group may use the same
   * @param isTaken whether some process bears the name that was not started here: an earlier
   *     incarnation of the launcher may have left it behind
   */
  public ProcessLauncher(
      String prefix, Predicate<String> isTaken, BiFunction<String, String, List<String>> command) {
    this.prefix = prefix;
    this.isTaken = isTaken;
    this.command = command;
  }

  @Override
  public synchronized void start(String service) {
    processes.values().removeIf(replica -> !replica.process.isAlive());
    if (processes.size() >= PROCESSES_MAX) {
      throw new IllegalStateException(PROCESSES_MAX + " replicas run here already");
    }
    String replica = freeName();
    try {
      ProcessBuilder builder = new ProcessBuilder(command.apply(service, replica));
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
      processes.put(replica, new Replica(service, builder.start()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String freeName() {
    int number = 1;
    String name = prefix + "-" + number;
    while (processes.containsKey(name) || isTaken.test(name)) {
      name = prefix + "-" + ++number;
    }
    return name;
  }

  @Override
  public void stop(String service, String replica) {
    Replica started = processes.get(replica);
    if (started != null) {
      started.process.destroy();
    }
  }

  @Override
  public Set<String> running(String service) {
    return processes.entrySet().stream()
        .filter(entry -> entry.getValue().service.equals(service))
        .filter(entry -> entry.getValue().process.isAlive())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public void close() {
    List<Process> all = processes.values().stream().map(Replica::process).toList();
    all.forEach(Process::destroy);
    for (Process process : all) {
      try {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    processes.clear();
  }
}
