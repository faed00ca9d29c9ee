package org.terrace.studies.softstate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.nodes.Node;
import org.terrace.studies.design.StudyContext;
import tools.jackson.databind.JsonNode;

/** One replica of three is killed, again and again, under load. Confined to one thread. */
final class CrashRun {
  /**
   * The result of a run.
   *
   * @param kills how many replicas were killed
   * @param expelledNanos for each kill that was noticed in time, how long until both survivors had
   *     a view without the dead one, the shortest first
   * @param calls latencies of the calls meanwhile
   * @param failed calls that came to nothing
   * @param missing acknowledged updates that a replica lacked at the end
   * @param tooMany updates that were there without having been asked for
   */
  record Result(
      int kills, long[] expelledNanos, Latency calls, long failed, long missing, long tooMany) {}

  private static final int REPLICAS = LatencyRuns.REPLICAS;
  private static final Duration BETWEEN = Duration.ofSeconds(5);
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(10);

  private final StudyContext context;
  private final CartPrograms programs;
  private final int kills;

  CrashRun(StudyContext context, CartPrograms programs, int kills) {
    this.context = context;
    this.programs = programs;
    this.kills = kills;
  }

  Result run() throws InterruptedException {
    context
        .listener()
        .message("crashes: one of three replicas is killed, %d times".formatted(kills));
    Path folder = context.folder("crashes");
    Map<String, List<String>> commands = new LinkedHashMap<>();
    for (int number = 1; number <= REPLICAS; number++) {
      commands.put("crashes-" + CartPrograms.name(number), replica(number));
    }
    List<Node> nodes = programs.startAll(commands);
    programs.awaitMembers(nodes);
    Duration lasts = BETWEEN.multipliedBy(kills).plus(SETTLE);
    Path json = folder.resolve("load.json");
    Node load =
        programs.begin(
            "crashes-load",
            programs.cart(
                "CartLoad",
                List.of(
                    "--replicas",
                    programs.replicas(REPLICAS),
                    "--clients",
                    "8",
                    "--duration-s",
                    Long.toString(lasts.toSeconds()),
                    "--seed",
                    Long.toString(context.study().seed()),
                    "--json",
                    json.toString())));
    Thread.sleep(SETTLE);
    List<Long> expelled = new ArrayList<>();
    for (int kill = 1; kill <= kills; kill++) {
      context.listener().progress("crashes: %d of %d".formatted(kill, kills));
      strike(nodes, kill).ifPresent(expelled::add);
    }
    JsonNode summary = programs.finish(load, json, lasts);
    programs.stop(nodes);
    return new Result(
        kills,
        expelled.stream().mapToLong(Long::longValue).sorted().toArray(),
        Latency.of(summary.path("calls")),
        CartRun.failures(summary),
        summary.path("acknowledgedUpdatesMissing").asLong(),
        summary.path("updatesTooMany").asLong());
  }

  private List<String> replica(int number) {
    return programs.cart("CartServer", programs.member(number, REPLICAS));
  }

  /** Kills the last replica, waits until the others know, and starts another in its place. */
  private Optional<Long> strike(List<Node> nodes, int kill) throws InterruptedException {
    long begin = context.time().elapsedNanos();
    String without = "members " + (REPLICAS - 1);
    AtomicInteger seen = new AtomicInteger();
    AtomicLong seenNanos = new AtomicLong();
    Node dead = nodes.removeLast();
    for (Node survivor : nodes) {
      survivor.listen(line -> {
        if (line.equals(without)) {
          seenNanos.accumulateAndGet(context.time().elapsedNanos(), Math::max);
          seen.incrementAndGet();
        }
      });
    }
    long killed = context.time().elapsedNanos();
    dead.kill();
    long deadline = begin + BETWEEN.toNanos();
    while (seen.get() < nodes.size() && context.time().elapsedNanos() < deadline) {
      Thread.sleep(POLL);
    }
    Optional<Long> expelled =
        seen.get() < nodes.size() ? Optional.empty() : Optional.of(seenNanos.get() - killed);
    nodes.add(
        programs.start(
            "crashes-%s-again%d".formatted(CartPrograms.name(REPLICAS), kill), replica(REPLICAS)));
    programs.awaitMembers(nodes);
    long rest = deadline - context.time().elapsedNanos();
    if (rest > 0) {
      Thread.sleep(Duration.ofNanos(rest));
    }
    return expelled;
  }
}
