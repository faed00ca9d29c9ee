package org.terrace.studies.transients;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.terrace.experiment.Experiment;
import org.terrace.specification.SpecificationReader;

/**
 * The experiment of a run, as a user could write it.
 *
 * @param name what messages call it
 * @param text the YAML
 */
record TransientSpecification(String name, String text) {
  /** The part of the application server's free heap that the maker of garbage keeps alive. */
  static final double LIVE = 0.25;

  /** The experiment of a setting. */
  static TransientSpecification of(
      TransientSetting setting, TransientParameters parameters, String network, long seed) {
    String bursts =
        ", bursts: {every: %s, for: %s, factor: %d}"
            .formatted(
                millis(parameters.burstEvery()),
                millis(parameters.burst()),
                parameters.burstFactor());
    List<String> lines =
        common(setting.folder(), parameters.users(setting), parameters.thinkMillis(), bursts);
    lines.add("phases: " + phases(parameters, parameters.run()));
    switch (setting.kind()) {
      case COLLECTOR -> {
        lines.add(
            "faults: [{gc-pressure: app1, at: 0s, for: %s, live: %s}]"
                .formatted(millis(parameters.run()), LIVE));
        lines.add("heap: {app: %dm}".formatted(parameters.heapMebibytes()));
        lines.add("collector: {app: %s}".formatted(parameters.collector(setting)));
      }
      case GOVERNOR ->
          lines.add(
              "limits: {database: {cpu: %s, calibrated: true%s}}"
                  .formatted(
                      parameters.databaseMillicores() / 1_000.0,
                      setting.isCured() ? "" : ", governor: " + millis(parameters.lag())));
    }
    lines.add("observe: {packets: true, sample: 1s}");
    return ending(setting.folder(), lines, network, seed);
  }

  /** The experiment beside which ways of watching are on and off in turn; its load is even. */
  static TransientSpecification ofWatching(
      TransientParameters parameters, Duration run, String network, long seed) {
    String name = "watching";
    List<String> lines =
        common(name, parameters.governorUsers().get(1), parameters.thinkMillis(), "");
    lines.add("phases: " + phases(parameters, run));
    lines.add("observe: {packets: false, sample: 10m}");
    return ending(name, lines, network, seed);
  }

  private static List<String> common(String name, int users, int thinkMillis, String bursts) {
    List<String> lines = new ArrayList<>();
    lines.add("kind: Experiment");
    lines.add("name: " + name);
    lines.add("topology: 1/1/0/1");
    lines.add(
        "load: {closed: {users: %d, think: exp(%dms)}, mix: browse-only%s}"
            .formatted(users, thinkMillis, bursts));
    return lines;
  }

  private static TransientSpecification ending(
      String name, List<String> lines, String network, long seed) {
    lines.add("network: " + network);
    lines.add("seed: " + seed);
    return new TransientSpecification(name, String.join("\n", lines) + "\n");
  }

  private static String phases(TransientParameters parameters, Duration run) {
    return "{rampUp: %s, run: %s, rampDown: 1s}"
        .formatted(millis(parameters.rampUp()), millis(run));
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }

  /** The experiment as a program has it. */
  Experiment experiment() {
    return SpecificationReader.read(name, text);
  }
}
