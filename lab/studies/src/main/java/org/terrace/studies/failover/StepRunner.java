package org.terrace.studies.failover;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Signals;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.services.EffectsOfRun;
import org.terrace.studies.services.ManagerStatus;
import org.terrace.studies.services.NetworkCut;
import org.terrace.studies.services.SevenPrograms;
import org.terrace.studies.services.StruckRun;
import org.terrace.studies.services.StruckService;

/** Runs the steps of the study, one after another, on one database. Confined to one thread. */
final class StepRunner {
  static final String APPLICATION = "park-n-park";

  private static final Pattern BEGUN = Pattern.compile("progress [1-9]");
  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final int WARM_UP_CALLS = 200;

  /** The time that each fault may take beyond its interval before the client runs out of calls. */
  private static final Duration REPAIR_MAX = Duration.ofSeconds(10);

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
    StruckService.Setup setup =
        new StruckService.Setup(
            step.name(), APPLICATION, step.style(), step.spares(), step.improvements() > 0, folder);
    String parts = Improvement.flag(step.improvements());
    List<String> replica = programs.managedReplica(APPLICATION, step.style(), parts);
    StruckRun.Calls calls =
        new StruckRun.Calls(
            think,
            step.interval().plus(REPAIR_MAX).multipliedBy(step.faults()).dividedBy(think),
            WARM_UP_CALLS,
            List.of(
                "--reply",
                Integer.toString(replyBytes),
                "--method",
                step.calls().methods,
                "--fail-over",
                parts,
                "--hedge"),
            START_WITHIN);
    StruckRun.Faults faults =
        new StruckRun.Faults(
            BEGUN,
            step.faults(),
            step.interval(),
            "improvements: %s, %s".formatted(step.label(), step.fault()),
            primary -> strike(step.fault(), primary));
    try {
      StruckRun run = StruckRun.of(context, programs, setup, replica, calls, faults);
      EffectsOfRun effects = programs.audit(step.name(), APPLICATION, run.acknowledged());
      return new StepResult(
          step, run.probes(), run.faulted(), run.strikes(), run.unanswered(), effects);
    } finally {
      network.heal();
    }
  }

  private void strike(Fault fault, ManagerStatus.Replica primary) {
    switch (fault) {
      case CRASH -> Signals.send(primary.pid(), Signal.KILL);
      case HANG -> Signals.send(primary.pid(), Signal.STOP);
      case CUT -> network.cut(primary.pid());
    }
  }
}
