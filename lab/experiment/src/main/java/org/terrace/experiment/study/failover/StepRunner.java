package org.terrace.experiment.study.failover;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.node.Node;
import org.terrace.experiment.node.NodeSpecification;
import org.terrace.experiment.node.NodeSpecification.Readiness;
import org.terrace.experiment.node.Signal;
import org.terrace.experiment.node.Signals;
import org.terrace.experiment.study.StudyContext;
import org.terrace.experiment.study.failover.StepResult.Injected;
import org.terrace.experiment.study.services.ClientSummary;
import org.terrace.experiment.study.services.FaultedCall;
import org.terrace.experiment.study.services.ManagerClient;
import org.terrace.experiment.study.services.ManagerStatus;
import org.terrace.experiment.study.services.NetworkCut;
import org.terrace.experiment.study.services.ProbeFile;
import org.terrace.experiment.study.services.SevenPrograms;

/** Runs the steps of the study, one after another, on one database. Confined to one thread. */
final class StepRunner {
  static final String APPLICATION = "park-n-park";

  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
  private static final Duration SETTLE = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final int WARM_UP_CALLS = 200;

  private final StudyContext context;
  private final SevenPrograms programs;
  private final Duration think;
  private final int replyBytes;
  private final NetworkCut network;

  StepRunner(
      StudyContext context,
      SevenPrograms programs,
      Duration think,
      int replyBytes,
      NetworkCut network) {
    this.context = context;
    this.programs = programs;
    this.think = think;
    this.replyBytes = replyBytes;
    this.network = network;
  }

  StepResult run(Step step) throws InterruptedException {
    Path folder = context.folder(step.name());
    programs.setUp(APPLICATION);
    Node naming = programs.naming(step.name() + "-naming", folder.resolve("names"));
    Node manager =
        programs.manager(
            step.name() + "-manager",
            APPLICATION,
            step.style(),
            2,
            step.spares(),
            folder.resolve("replicas"),
            programs.managedReplica(APPLICATION, step.style(), step.improvements()));
    try (ManagerClient asked = programs.askManager()) {
      awaitReplicas(asked);
      Node client = client(step, folder);
      List<Injected> faults = inject(step, asked, client);
      Duration rest = step.interval().multipliedBy(2).plus(START_WITHIN);
      if (!client.endsWithin(rest)) {
        client.kill();
        throw new TerraceException(
            ErrorCode.CHECK_FAILED,
            step.name() + ": the client did not end; see " + client.logFile());
      }
      int status = client.exit().join().status();
      if (status > 1) {
        throw new TerraceException(
            ErrorCode.CHECK_FAILED,
            step.name() + ": the client failed; the end of its log:\n" + client.logTail());
      }
      return new StepResult(
          step,
          ProbeFile.read(List.of(folder.resolve("client.csv"))),
          FaultedCall.read(folder.resolve("fail-overs.json")),
          faults,
          unanswered(folder.resolve("summary.json")));
    } finally {
      network.heal();
      manager.stop(STOP_WITHIN);
      naming.stop(STOP_WITHIN);
    }
  }

  private static int unanswered(Path summary) {
    return ClientSummary.read(summary).unanswered();
  }

  private Node client(Step step, Path folder) {
    Duration lasts = step.interval().multipliedBy(step.faults()).plus(SETTLE);
    long calls = lasts.dividedBy(think);
    List<String> arguments =
        List.of(
            "--naming",
            programs.namingAddress(),
            "--style",
            step.style(),
            "--clients",
            "1",
            "--think",
            think.toMillis() + "ms",
            "--reply",
            Integer.toString(replyBytes),
            "--method",
            "getLots",
            "--calls",
            Long.toString(calls),
            "--warm-up",
            Integer.toString(WARM_UP_CALLS),
            "--seed",
            Long.toString(context.study().seed()),
            "--improvements",
            Integer.toString(step.improvements()),
            "--hedge",
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
                step.name() + "-client",
                programs.clients(APPLICATION, arguments),
                new Readiness.AtOnce(),
                START_WITHIN));
  }

  private void awaitReplicas(ManagerClient asked) throws InterruptedException {
    long deadline = context.time().elapsedNanos() + START_WITHIN.toNanos();
    while (!asked.status().isRestoredWithout("")) {
      if (context.time().elapsedNanos() > deadline) {
        throw new TerraceException(
            ErrorCode.CHECK_FAILED,
            "two replicas of " + APPLICATION + " did not start; see the logs of the manager");
      }
      Thread.sleep(POLL);
    }
  }

  private List<Injected> inject(Step step, ManagerClient asked, Node client)
      throws InterruptedException {
    List<Injected> faults = new ArrayList<>();
    awaitFirstCalls(client);
    for (int fault = 0; fault < step.faults() && client.isAlive(); fault++) {
      long begin = context.time().elapsedNanos();
      ManagerStatus.Replica primary = asked.status().primary().orElse(null);
      if (primary != null) {
        faults.add(strike(step, asked, primary));
      }
      context
          .listener()
          .progress(
              "improvements %s: %s %d of %d"
                  .formatted(step.label(), step.fault(), fault + 1, step.faults()));
      long rest = step.interval().toNanos() - (context.time().elapsedNanos() - begin);
      if (rest > 0) {
        Thread.sleep(Duration.ofNanos(rest));
      }
    }
    return faults;
  }

  /** The client says once a second how far it is. */
  private void awaitFirstCalls(Node client) throws InterruptedException {
    long deadline = context.time().elapsedNanos() + START_WITHIN.toNanos();
    while (client.isAlive()
        && !client.logTail().contains("progress ")
        && context.time().elapsedNanos() < deadline) {
      Thread.sleep(POLL);
    }
  }

  private Injected strike(Step step, ManagerClient asked, ManagerStatus.Replica primary)
      throws InterruptedException {
    long atNanos = context.time().epochNanos();
    switch (step.fault()) {
      case CRASH -> Signals.send(primary.pid(), Signal.KILL);
      case HANG -> Signals.send(primary.pid(), Signal.STOP);
      case CUT -> network.cut(primary.pid());
    }
    long limit = context.time().elapsedNanos() + step.interval().toNanos();
    while (context.time().elapsedNanos() < limit) {
      if (asked.status().isRestoredWithout(primary.name())) {
        return new Injected(atNanos, OptionalLong.of(context.time().epochNanos() - atNanos));
      }
      Thread.sleep(POLL);
    }
    return new Injected(atNanos, OptionalLong.empty());
  }
}
