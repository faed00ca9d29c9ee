package org.terrace.studies.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.studies.design.Parameters;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyDriver;
import org.terrace.studies.failover.Step.Calls;
import org.terrace.studies.services.NetworkCut;
import org.terrace.studies.services.SevenPrograms;

/**
 * Fail-over taken apart: the primary of Park'n Park dies again and again under a client that lists
 * its lots, first as in the source's set-up, then with each of its six improvements added, then
 * with what Terrace adds to them, under reads and under updates that must happen once.
 *
 * <p>Source: Lawrance, Aggarwal, Jamal, Kim, Sinha, "Latency analysis" of Park'n Park (Carnegie
 * Mellon University, 2006).
 */
public final class FailOverStudy implements StudyDriver {
  private static final int FAULTS_MAX = 1_000;
  private static final int REPLY_BYTES_MAX = 64 << 10;
  private static final Duration INTERVAL_MAX = Duration.ofMinutes(10);
  private static final String PASSIVE = "warm-passive";

  @Override
  public List<String> claims() {
    return FailOverClaims.IDS;
  }

  @Override
  public boolean breaksNetwork() {
    return true;
  }

  @Override
  public Plan plan(Parameters parameters) {
    int kills = parameters.integer("kills", 1, FAULTS_MAX, 6);
    int goalKills = parameters.integer("goalKills", 1, FAULTS_MAX, 20);
    Duration interval = parameters.duration("interval", INTERVAL_MAX, Duration.ofMillis(1_500));
    Duration waiting = parameters.duration("intervalWithWait", INTERVAL_MAX, Duration.ofSeconds(8));
    Duration think = parameters.duration("think", Duration.ofMinutes(1), Duration.ofMillis(20));
    int replyBytes = parameters.integer("replyBytes", 1, REPLY_BYTES_MAX, 256);
    List<Step> steps = steps(kills, goalKills, interval, waiting);
    return context -> run(context, steps, think, replyBytes, NetworkCut.ofThisNetwork());
  }

  private static List<Step> steps(int kills, int goalKills, Duration interval, Duration waiting) {
    List<Step> steps = new ArrayList<>();
    int all = Improvement.count();
    for (int on = 0; on <= all; on++) {
      int faults = on == all ? goalKills : kills;
      Duration between = on == 0 ? waiting : interval;
      String name = "improvements-" + on;
      String label = Improvement.label(on);
      steps.add(new Step(name, label, on, PASSIVE, Calls.READS, Fault.CRASH, faults, between, 0));
    }
    Step reads = steps.getLast().withFaults(Fault.CRASH, kills);
    steps.add(reads.withName("spare", "spare").withSpares(1));
    steps.add(reads.withName("hang", "hang").withFaults(Fault.HANG, kills));
    steps.add(reads.withName("cut", "network cut").withFaults(Fault.CUT, kills));
    Step updates = reads.withCalls(Calls.UPDATES).withFaults(Fault.CRASH, goalKills);
    steps.add(updates.withName("updates", "updates"));
    steps.add(updates.withName("updates-hang", "updates, hang").withFaults(Fault.HANG, goalKills));
    steps.add(updates.withName("updates-cut", "updates, cut").withFaults(Fault.CUT, goalKills));
    steps.add(updates.withName("active", "updates, active").withStyle("active"));
    return steps;
  }

  private static StudyFindings run(
      StudyContext context, List<Step> all, Duration think, int replyBytes, NetworkCut network)
      throws InterruptedException {
    List<Step> steps = new ArrayList<>(all);
    if (network.obstacle().isPresent()) {
      context.listener().warning("the network is not cut: " + network.obstacle().get());
      steps.removeIf(step -> step.fault() == Fault.CUT);
    }
    context.listener().message("starting the database");
    SevenPrograms programs = SevenPrograms.withDatabase(context);
    StepRunner runner = new StepRunner(context, programs, think, replyBytes, network);
    List<StepResult> results = new ArrayList<>();
    for (Step step : steps) {
      context
          .listener()
          .message(
              "improvements: %s, %d faults, one each %.1f s"
                  .formatted(step.label(), step.faults(), step.interval().toMillis() / 1e3));
      results.add(runner.run(step));
    }
    return new FailOverFindings(context, results, think, replyBytes, network.obstacle())
        .toStudyFindings();
  }
}
