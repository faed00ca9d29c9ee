package org.terrace.studies.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.ledger.StudyFindings;
import org.terrace.studies.design.Parameters;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyDriver;
import org.terrace.studies.services.NetworkCut;
import org.terrace.studies.services.SevenPrograms;

/**
 * Fail-over taken apart: the primary of Park'n Park dies again and again under a client that lists
 * its lots, first as in the source's set-up, then with each of its six improvements added, then
 * with what Terrace adds to them.
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
    int kills = parameters.integer("kills", 1, FAULTS_MAX, 4);
    Duration interval = parameters.duration("interval", INTERVAL_MAX, Duration.ofSeconds(3));
    Duration waiting = parameters.duration("intervalWithWait", INTERVAL_MAX, Duration.ofSeconds(9));
    Duration think = parameters.duration("think", Duration.ofMinutes(1), Duration.ofMillis(20));
    int replyBytes = parameters.integer("replyBytes", 1, REPLY_BYTES_MAX, 256);
    List<Step> steps = steps(kills, interval, waiting);
    return context -> run(context, steps, think, replyBytes, NetworkCut.ofThisNetwork());
  }

  private static List<Step> steps(int kills, Duration interval, Duration waiting) {
    List<Step> steps = new ArrayList<>();
    int all = Improvement.count();
    for (int on = 0; on <= all; on++) {
      String label = Improvement.label(on);
      Duration between = on == 0 ? waiting : interval;
      steps.add(new Step("improvements-" + on, label, on, PASSIVE, Fault.CRASH, kills, between, 0));
    }
    steps.add(new Step("spare", "spare", all, PASSIVE, Fault.CRASH, kills, interval, 1));
    steps.add(new Step("hang", "hang", all, PASSIVE, Fault.HANG, kills, interval, 0));
    steps.add(new Step("cut", "network cut", all, PASSIVE, Fault.CUT, kills, interval, 0));
    steps.add(new Step("active", "active", all, "active", Fault.CRASH, kills, interval, 0));
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
    boolean whole = programs.check(StepRunner.APPLICATION);
    return new FailOverFindings(context, results, think, replyBytes, network.obstacle(), whole)
        .toStudyFindings();
  }
}
