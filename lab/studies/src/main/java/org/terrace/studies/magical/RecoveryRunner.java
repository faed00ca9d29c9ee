package org.terrace.studies.magical;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Signals;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.services.SevenPrograms;
import org.terrace.studies.services.StruckRun;
import org.terrace.studies.services.StruckService;
import org.terrace.studies.services.StruckService.Strike;

/** Kills the primary of an application again and again. Confined to one thread. */
final class RecoveryRunner {
  private static final Pattern HAS_MEASURED = Pattern.compile("progress [1-9]");

  /** All that makes fail-over fast, as the source measured it. */
  private static final String FAIL_OVER = "all";

  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration SETTLE = Duration.ofSeconds(1);
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
    List<String> replica =
        new ArrayList<>(programs.managedReplica(subject.application(), subject.style(), FAIL_OVER));
    replica.addAll(List.of("--middleware", middleware));
    StruckService.Setup setup =
        new StruckService.Setup(name, subject.application(), subject.style(), 0, true, folder);
    StruckRun.Calls calls =
        new StruckRun.Calls(
            Setting.THINK_WITH_KILLS,
            calls(),
            setting.warmUp(),
            List.of(),
            START_WITHIN.plus(CALL_WITHIN.multipliedBy(calls())));
    StruckRun.Faults faults =
        new StruckRun.Faults(
            HAS_MEASURED,
            setting.kills(),
            setting.killInterval(),
            subject.title() + ": crash",
            victim -> Signals.send(victim.pid(), Signal.KILL));
    StruckRun run = StruckRun.of(context, programs, setup, replica, calls, faults);
    return Recovery.of(
        setting.kills(),
        run.strikes().stream().map(Strike::atNanos).toList(),
        run.probes().rows(),
        run.faulted(),
        run.unanswered());
  }

  private int calls() {
    Duration lasts = setting.killInterval().multipliedBy(setting.kills()).plus(SETTLE);
    return (int) Math.max(1, lasts.dividedBy(Setting.THINK_WITH_KILLS));
  }
}
