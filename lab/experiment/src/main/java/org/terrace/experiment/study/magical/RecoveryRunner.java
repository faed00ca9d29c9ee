package org.terrace.experiment.study.magical;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.node.Node;
import org.terrace.experiment.node.NodeSpecification;
import org.terrace.experiment.node.NodeSpecification.Readiness;
import org.terrace.experiment.node.Signal;
import org.terrace.experiment.node.Signals;
import org.terrace.experiment.study.StudyContext;
import org.terrace.experiment.study.services.ClientSummary;
import org.terrace.experiment.study.services.FaultedCall;
import org.terrace.experiment.study.services.ManagerClient;
import org.terrace.experiment.study.services.ManagerStatus;
import org.terrace.experiment.study.services.ProbeFile;
import org.terrace.experiment.study.services.SevenPrograms;

/**
 * Kills the primary of an application again and again while one client calls; a replication manager
 * starts new replicas. Confined to one thread.
 */
final class RecoveryRunner {
  private static final Pattern HAS_MEASURED = Pattern.compile("progress [1-9]");

  /** All that make fail-over fast, as the source measured it. */
  private static final int IMPROVEMENTS = 6;

  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
  private static final Duration SETTLE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration CALL_WITHIN = Duration.ofMillis(500);

  private final StudyContext context;
  private final SevenPrograms programs;
  private final Setting setting;

  RecoveryRunner(StudyContext context, SevenPrograms programs, Setting setting) {
    this.context = context;
    this.programs = programs;
    this.setting = setting;
  }

  Recovery run(Subject subject, String middleware) throws InterruptedException {
    String name = ApplicationRunner.name(subject, middleware) + "-crashes";
    Path folder = context.folder(name);
    Node naming = programs.naming(name + "-naming", folder.resolve("names"));
    List<String> replica =
        new ArrayList<>(
            programs.managedReplica(subject.application(), subject.style(), IMPROVEMENTS));
    replica.addAll(List.of("--middleware", middleware));
    Node manager =
        programs.manager(
            name + "-manager",
            subject.application(),
            subject.style(),
            2,
            0,
            folder.resolve("replicas"),
            replica);
    try (ManagerClient asked = programs.askManager()) {
      awaitTwo(asked, "", START_WITHIN);
      Node client = client(name, subject, folder);
      List<Long> kills = kill(subject, asked, client);
      Duration limit = START_WITHIN.plus(CALL_WITHIN.multipliedBy(calls()));
      ApplicationRunner.awaitEnd(client, limit);
      return Recovery.of(
          setting.kills(),
          kills,
          ProbeFile.read(List.of(folder.resolve("client.csv"))).rows(),
          FaultedCall.read(folder.resolve("fail-overs.json")),
          ClientSummary.read(folder.resolve("summary.json")).unanswered());
    } finally {
      manager.stop(STOP_WITHIN);
      naming.stop(STOP_WITHIN);
    }
  }

  private int calls() {
    Duration lasts = setting.killInterval().multipliedBy(setting.kills()).plus(SETTLE);
    return (int) Math.max(1, lasts.dividedBy(Setting.THINK_WITH_KILLS));
  }

  private Node client(String name, Subject subject, Path folder) {
    List<String> arguments =
        List.of(
            "--naming",
            programs.namingAddress(),
            "--style",
            subject.style(),
            "--clients",
            "1",
            "--think",
            Setting.THINK_WITH_KILLS.toMillis() + "ms",
            "--calls",
            Integer.toString(calls()),
            "--warm-up",
            Integer.toString(setting.warmUp()),
            "--seed",
            Long.toString(context.study().seed()),
            "--probes",
            folder.resolve("client.csv").toString(),
            "--summary",
            folder.resolve("summary.json").toString(),
            "--failovers",
            folder.resolve("fail-overs.json").toString());
    return context
        .supervisor()
        .start(
            NodeSpecification.of(
                name + "-client",
                programs.clients(subject.application(), arguments),
                new Readiness.AtOnce(),
                START_WITHIN));
  }

  /** Waits until two replicas stand, none of them the lost one; false when they do not in time. */
  private boolean standWithout(ManagerClient asked, String lost, Duration within)
      throws InterruptedException {
    long deadline = context.time().elapsedNanos() + within.toNanos();
    while (!asked.status().isRestoredWithout(lost)) {
      if (context.time().elapsedNanos() > deadline) {
        return false;
      }
      Thread.sleep(POLL);
    }
    return true;
  }

  private void awaitTwo(ManagerClient asked, String lost, Duration within)
      throws InterruptedException {
    if (!standWithout(asked, lost, within)) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "two replicas did not stand within "
              + within.toSeconds()
              + " s; see the logs of the manager");
    }
  }

  private List<Long> kill(Subject subject, ManagerClient asked, Node client)
      throws InterruptedException {
    List<Long> kills = new ArrayList<>();
    awaitMeasuredCalls(client);
    for (int kill = 0; kill < setting.kills() && client.isAlive(); kill++) {
      long begin = context.time().elapsedNanos();
      context
          .listener()
          .progress("%s: crash %d of %d".formatted(subject.title(), kill + 1, setting.kills()));
      ManagerStatus.Replica primary = victim(asked.status());
      if (primary != null) {
        kills.add(context.time().epochNanos());
        Signals.send(primary.pid(), Signal.KILL);
        standWithout(asked, primary.name(), START_WITHIN);
      }
      long rest = setting.killInterval().toNanos() - (context.time().elapsedNanos() - begin);
      if (rest > 0) {
        Thread.sleep(Duration.ofNanos(rest));
      }
    }
    return kills;
  }

  private static ManagerStatus.@Nullable Replica victim(ManagerStatus status) {
    return status.primary().or(() -> status.replicas().stream().findFirst()).orElse(null);
  }

  /** The client says once a second how far it is. */
  private void awaitMeasuredCalls(Node client) throws InterruptedException {
    long deadline = context.time().elapsedNanos() + START_WITHIN.toNanos();
    while (client.isAlive()
        && !HAS_MEASURED.matcher(client.logTail()).find()
        && context.time().elapsedNanos() < deadline) {
      Thread.sleep(POLL);
    }
  }
}
