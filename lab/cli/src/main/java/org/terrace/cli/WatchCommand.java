package org.terrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.cli.input.DurationConverter;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.evidence.host.HostWatch;
import org.terrace.evidence.host.WatchOptions;
import org.terrace.evidence.host.WatchResult;
import org.terrace.observation.ObservationFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code terrace watch}: records what a host's kernel withholds, beside a capture. */
@Command(
    name = "watch",
    description = {
      "Records what this Linux host withholds from its servers, at tens of milliseconds.",
      "Pressure, throttling, run delay, steal, frequency, write-back, reclaim and overflowing accept",
      "queues become tables that terrace analyze --events reads; what the host does not show is",
      "listed. Needs no privileges."
    },
    footer = {
      "",
      "Examples:",
      "  terrace watch --for 1m --out host",
      "  terrace watch --node db-host --every 10ms --cgroup db1=/sys/fs/cgroup/db.slice",
      "  terrace analyze slow.pcapng --tiers tiers.yaml --events host",
      "",
      "On several hosts, watch each, and name it: --events db1=db-host."
    })
final class WatchCommand implements Callable<Integer> {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "watch",
      description = "the directory of the tables, which must be new; default: ${DEFAULT-VALUE}")
  private Path output = Path.of("watch");

  @Option(names = "--replace", description = "write over the tables in --out")
  private boolean replace;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "20ms",
      description = "time between readings, 10ms to 1s; default: ${DEFAULT-VALUE}")
  private Duration every = Duration.ofMillis(20);

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "how long, for example 1m; default: until Ctrl-C")
  private @Nullable Duration length;

  @Option(
      names = "--node",
      paramLabel = "NAME",
      defaultValue = WatchOptions.HOST,
      description = "the name of this host, or of its only server; default: ${DEFAULT-VALUE}")
  private String node = WatchOptions.HOST;

  @Option(
      names = "--cgroup",
      paramLabel = "SERVER=DIR",
      description = "the control group of a server, whose throttling is then its own; repeatable")
  private Map<String, Path> groups = new LinkedHashMap<>();

  @Option(names = "--json", description = "the account as JSON on standard output")
  private boolean json;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    if (Files.exists(output.resolve(ObservationFiles.EVENTS)) && !replace) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--out "
              + output
              + " holds tables already; name another directory, or write over them with --replace");
    }
    HostWatch watch = new HostWatch(options(), TimeSource.system());
    Terrace.endInputOnInterrupt(watch::stop);
    console.message("Watching %s every %d ms into %s", node, every.toMillis(), output);
    print(watch.run(output));
    return 0;
  }

  private WatchOptions options() {
    try {
      return new WatchOptions(node, every, length, groups);
    } catch (IllegalArgumentException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, "--every: " + e.getMessage(), e);
    }
  }

  private void print(WatchResult result) {
    if (json) {
      System.out.printf(
          Locale.ROOT,
          "{\"samples\": %d, \"events\": %d, \"ticks\": %d, \"lateTicks\": %d, \"steadyShare\": %.4f, \"coreShare\": %.4f}%n",
          result.samples(),
          result.events(),
          result.ticks(),
          result.lateTicks(),
          result.steadyShare(),
          result.coreShare());
      return;
    }
    console.message(
        "%,d readings and %,d events in %.1f s; %,d of %,d ticks came late",
        result.samples(), result.events(), result.seconds(), result.lateTicks(), result.ticks());
    console.message(
        "It cost %.2f %% of a core, %.2f %% with its start; the longest interval was %d ms",
        100 * result.steadyShare(), 100 * result.coreShare(), result.longestMillis());
    result.notVisible().forEach(each -> console.message("  not visible here: %s", each));
  }
}
