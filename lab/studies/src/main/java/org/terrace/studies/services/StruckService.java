package org.terrace.studies.services;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.control.client.ManagerClient;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.studies.design.StudyContext;

/**
 * An application of two replicas whose primary is struck again and again while one client calls; a
 * replication manager starts new replicas. Confined to one thread.
 */
public final class StruckService implements AutoCloseable {
  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(10);

  /** The time for which a repair is awaited, though the next fault be due. */
  private static final Duration REPAIRED_WITHIN = Duration.ofSeconds(10);

  private static final int REPLICAS = 2;

  /**
   * The set-up of a service that is to be struck.
   *
   * @param name how its processes' names begin
   * @param application one of the seven
   * @param style how the replicas share the work
   * @param spares replicas kept running beyond the two that answer
   * @param promptDetection whether the manager takes the end of a process for a crash at once; if
   *     not, it waits for missed heartbeats
   * @param folder for the client's rows and the processes' files
   */
  public record Setup(
      String name,
      String application,
      String style,
      int spares,
      boolean promptDetection,
      Path folder) {}

  /** A fault: when it happened since the Unix epoch, and how long until redundancy was back. */
  public record Strike(long atNanos, OptionalLong restoredAfterNanos) {}

  private final StudyContext context;
  private final SevenPrograms programs;
  private final Setup setup;
  private final Node naming;
  private final Node manager;
  private final ManagerClient asked;

  private StruckService(
      StudyContext context, SevenPrograms programs, Setup setup, Node naming, Node manager) {
    this.context = context;
    this.programs = programs;
    this.setup = setup;
    this.naming = naming;
    this.manager = manager;
    asked = programs.askManager();
  }

  /** Starts it, and returns when two replicas stand. */
  public static StruckService start(
      StudyContext context, SevenPrograms programs, Setup setup, List<String> replica)
      throws InterruptedException {
    Node naming = programs.naming(setup.name() + "-naming", setup.folder().resolve("names"));
    Node manager =
        programs.manager(
            setup.name() + "-manager",
            setup.application(),
            setup.style(),
            REPLICAS,
            setup.spares(),
            setup.promptDetection(),
            setup.folder().resolve("replicas"),
            replica);
    StruckService service = new StruckService(context, programs, setup, naming, manager);
    service.awaitReplicas();
    return service;
  }

  /** Starts the one client, which makes so many calls unless it is told to end. */
  public Node client(Duration think, long calls, int warmUp, List<String> more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--naming",
                programs.namingAddress(),
                "--style",
                setup.style(),
                "--clients",
                "1",
                "--think",
                think.toMillis() + "ms",
                "--calls",
                Long.toString(calls),
                "--warm-up",
                Integer.toString(warmUp),
                "--seed",
                Long.toString(context.study().seed()),
                "--probes",
                probes().toString(),
                "--summary",
                summary().toString(),
                "--failovers",
                failOvers().toString(),
                "--acknowledged",
                acknowledged().toString()));
    arguments.addAll(more);
    return context
        .supervisor()
        .start(
            NodeSpecification.of(
                setup.name() + "-client",
                programs.clients(setup.application(), arguments),
                new Readiness.AtOnce(),
                START_WITHIN));
  }

  /**
   * Strikes the primary, or in active style any replica, once in each interval while the client
   * runs; later where the repair takes longer.
   *
   * @param begun what the client has said when the first is due; it says once a second how far it
   *     is
   * @param doing what is told of each strike
   */
  public List<Strike> strike(
      Node client,
      Pattern begun,
      int times,
      Duration interval,
      String doing,
      Consumer<ManagerStatus.Replica> fault)
      throws InterruptedException {
    List<Strike> strikes = new ArrayList<>();
    awaitBegun(client, begun);
    for (int strike = 0; strike < times && client.isAlive(); strike++) {
      long begin = context.time().elapsedNanos();
      context.listener().progress("%s %d of %d".formatted(doing, strike + 1, times));
      // A replica that was lost for another reason would leave nobody to take over.
      awaitReplicas();
      ManagerStatus.Replica victim = victim(ManagerStatus.of(asked.state()));
      if (victim != null) {
        long atNanos = context.time().epochNanos();
        fault.accept(victim);
        strikes.add(
            new Strike(
                atNanos,
                standWithout(victim.name(), repairedWithin(interval))
                    ? OptionalLong.of(context.time().epochNanos() - atNanos)
                    : OptionalLong.empty()));
      }
      long rest = interval.toNanos() - (context.time().elapsedNanos() - begin);
      if (rest > 0) {
        Thread.sleep(Duration.ofNanos(rest));
      }
    }
    return strikes;
  }

  private static Duration repairedWithin(Duration interval) {
    return interval.compareTo(REPAIRED_WITHIN) > 0 ? interval : REPAIRED_WITHIN;
  }

  private static ManagerStatus.@Nullable Replica victim(ManagerStatus status) {
    return status.primary().or(() -> status.replicas().stream().findFirst()).orElse(null);
  }

  private void awaitBegun(Node client, Pattern begun) throws InterruptedException {
    long deadline = context.time().elapsedNanos() + START_WITHIN.toNanos();
    while (client.isAlive()
        && !begun.matcher(client.logTail()).find()
        && context.time().elapsedNanos() < deadline) {
      Thread.sleep(POLL);
    }
  }

  private void awaitReplicas() throws InterruptedException {
    if (!standWithout("", START_WITHIN)) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "two replicas of %s did not stand within %d s; see the logs of the manager"
              .formatted(setup.application(), START_WITHIN.toSeconds()));
    }
  }

  /** Waits until two replicas stand, none of them the lost one; false when they do not in time. */
  private boolean standWithout(String lost, Duration within) throws InterruptedException {
    long deadline = context.time().elapsedNanos() + within.toNanos();
    while (!ManagerStatus.of(asked.state()).isRestoredWithout(lost)) {
      if (context.time().elapsedNanos() > deadline) {
        return false;
      }
      Thread.sleep(POLL);
    }
    return true;
  }

  /** The file of the client's calls. */
  public Path probes() {
    return setup.folder().resolve("client.csv");
  }

  /** The file of the calls that met a fault. */
  public Path failOvers() {
    return setup.folder().resolve("fail-overs.json");
  }

  /** The file of the client's summary. */
  public Path summary() {
    return setup.folder().resolve("summary.json");
  }

  /** The file of the updates that the client was told to be done. */
  public Path acknowledged() {
    return setup.folder().resolve("acknowledged.csv");
  }

  /** Ends manager, replicas and naming service. */
  @Override
  public void close() {
    asked.close();
    try {
      manager.stop(STOP_WITHIN);
      naming.stop(STOP_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
