package org.terrace.load;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.terrace.core.TimeSource;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.ThinkTime;

/** Short runs of load for tests. */
final class LoadRuns {
  private LoadRuns() {}

  static LoadPlan plan(URI target, LoadPlan.Model model, String think, Path output) {
    return new LoadPlan(
        List.of(target),
        model,
        ThinkTime.parse(think),
        Map.of(),
        Mix.READ_WRITE,
        phases(200, 1500, 10_000),
        LoadPace.STEADY,
        7,
        List.of("127.16.9.1"),
        new LoadPlan.Limits(Duration.ofSeconds(10), Duration.ofSeconds(10), 1000),
        output);
  }

  static LoadPlan.Phases phases(long rampUpMillis, long runMillis, long rampDownMillis) {
    return new LoadPlan.Phases(
        Duration.ofMillis(rampUpMillis),
        Duration.ofMillis(runMillis),
        Duration.ofMillis(rampDownMillis));
  }

  static LoadPlan with(LoadPlan plan, LoadPlan.Phases phases, LoadPlan.Limits limits) {
    return new LoadPlan(
        plan.targets(),
        plan.model(),
        plan.think(),
        plan.thinkOverrides(),
        plan.mix(),
        phases,
        plan.pace(),
        plan.seed(),
        plan.sourceAddresses(),
        limits,
        plan.output());
  }

  static LoadPlan with(LoadPlan plan, LoadPace pace) {
    return new LoadPlan(
        plan.targets(),
        plan.model(),
        plan.think(),
        plan.thinkOverrides(),
        plan.mix(),
        plan.phases(),
        pace,
        plan.seed(),
        plan.sourceAddresses(),
        plan.limits(),
        plan.output());
  }

  static LoadPlan with(LoadPlan plan, String mix) {
    return new LoadPlan(
        plan.targets(),
        plan.model(),
        plan.think(),
        plan.thinkOverrides(),
        mix,
        plan.phases(),
        plan.pace(),
        plan.seed(),
        plan.sourceAddresses(),
        plan.limits(),
        plan.output());
  }

  static LoadResult run(LoadPlan plan) {
    new LoadEngine(plan, TimeSource.system(), new Silent()).run();
    return LoadResult.read(plan.output());
  }

  private record Silent() implements LoadListener {
    @Override
    public void phase(String phase, long startNanos, long endNanos) {}

    @Override
    public void progress(LoadProgress progress) {}
  }
}
