package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.hosts.ServerWatch.LimitsInForce;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Signals;
import org.terrace.nodes.machine.ProcessorQuota;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Sample;
import org.terrace.testing.Await;

/** A watch of several hosts of which one, whose agent is stopped, does not answer. */
@Timeout(120)
@Tag("real-processes")
class TrialWatchTest {
  private static final Duration READ_WITHIN = Duration.ofSeconds(2);
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path folder;

  private static AgentHost host(String name, AgentLine line) {
    HostFacts facts = line.awaitFacts();
    return new AgentHost(name, line, facts, facts, true, TimeSource.system());
  }

  private AgentLine agent(String name) {
    return AgentLine.start(
        name, JavaCommand.small(List.of("-Xmx96m"), AgentProgram.class, folder.toString()));
  }

  private static boolean isInForce(Path group) {
    try {
      Path quota = group.resolve("cpu.cfs_quota_us");
      return Files.exists(quota)
          ? !Files.readString(quota).strip().equals("-1")
          : !Files.readString(group.resolve("cpu.max")).startsWith("max");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aHostThatAnswersLateLeavesNoOthersServersWithoutTheirLimits() throws Exception {
    AgentLine stopped = agent("late");
    long pid = stopped.process().pid();
    try (AgentHost late = host("late", stopped);
        AgentHost other = host("other", agent("other"))) {
      List<String> command = other.limited("app1", 0.5, List.of("true"));
      assumeTrue(command.size() > 2, () -> other.facts().limitWarning().orElse("no limits"));
      Path group = Path.of(command.get(3)).getParent();
      WatchPlan plan = new WatchPlan(List.of(), Duration.ofSeconds(1));
      Map<ServerHost, WatchPlan> plans = new LinkedHashMap<>();
      plans.put(late, plan);
      plans.put(
          other,
          new WatchPlan(List.of(WatchPlan.Watched.of("app1", "app1", 0.5)), Duration.ofSeconds(1)));
      try (TrialWatch watch = new TrialWatch(plans, other)) {
        assertThat(isInForce(group)).isFalse();
        Signals.send(pid, Signal.STOP);
        CompletableFuture<List<LimitsInForce>> enforcing;
        long goesOnNanos;
        try {
          assertThat(Await.until(SOON, () -> hasStopped(pid))).isTrue();
          enforcing = CompletableFuture.supplyAsync(watch::enforceLimits);

          assertThat(Await.until(SOON, () -> isInForce(group))).isTrue();
          assertThat(enforcing).isNotDone();
          // The other one reads its clock once its group is in force.
          long read = TimeSource.system().elapsedNanos() + READ_WITHIN.toNanos();
          assertThat(Await.until(SOON, () -> TimeSource.system().elapsedNanos() > read)).isTrue();
          goesOnNanos = TimeSource.system().epochNanos();
        } finally {
          Signals.send(pid, Signal.CONT);
        }
        assertThat(enforcing).succeedsWithin(SOON);
        LimitsInForce ofLate = enforcing.join().getFirst();
        LimitsInForce ofOther = enforcing.join().getLast();
        assertThat(ofLate.sinceNanos()).isGreaterThanOrEqualTo(goesOnNanos);
        assertThat(ofLate.servers()).isEmpty();
        assertThat(ofOther.sinceNanos()).isLessThanOrEqualTo(goesOnNanos);
        assertThat(ofOther.servers()).containsExactly("app1");
      }
    }
  }

  /** Whether all threads of a process stand still, which they do a moment after they are told. */
  private static boolean hasStopped(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A host whose agent, a shell, tells its clock and starts a watch, and writes down when it is
   * asked for what it read.
   *
   * @param answer what it does then, with the number of the request and the readings
   * @param readings the readings of which it may tell
   */
  private static AgentHost shell(
      String name, Path asked, String answer, String readings, HostFacts facts) {
    String script =
        """
        echo '{"agent":1}'
        while read -r line; do
          id=${line#*'"id":'}
          id=${id%%,*}
          case $line in
            *'"do":"watched"'*) echo asked >"$0"; eval "$1" ;;
            *'"do":"clock"'*) echo "{\\"id\\":$id,\\"is\\":{\\"epochNanos\\":1}}" ;;
            *) echo "{\\"id\\":$id,\\"is\\":1}" ;;
          esac
        done
        """;
    AgentLine line =
        AgentLine.start(name, List.of("sh", "-c", script, asked.toString(), answer, readings));
    var _ = line.awaitLine("{\"agent\":");
    return new AgentHost(name, line, facts, facts, true, TimeSource.system());
  }

  /** The first would hold up the second for two minutes. */
  @Test
  void aHostThatDoesNotTellWhatItReadHoldsUpNoOther() throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    try (LocalServerHost here = new LocalServerHost("local", folder, TimeSource.system());
        AgentHost other = shell("other", second, "exit", "", here.facts())) {
      WatchPlan plan = new WatchPlan(List.of(), Duration.ofSeconds(1));
      Map<ServerHost, WatchPlan> plans = new LinkedHashMap<>();
      CompletableFuture<WatchReadings> ending;
      try (AgentHost silent = shell("silent", first, "true", "", here.facts())) {
        plans.put(silent, plan);
        plans.put(other, plan);
        TrialWatch watch = new TrialWatch(plans, here);
        ending = CompletableFuture.supplyAsync(watch::end);

        assertThat(Await.until(SOON, () -> Files.exists(first) && Files.exists(second))).isTrue();
      }
      assertThat(ending)
          .failsWithin(SOON)
          .withThrowableThat()
          .havingRootCause()
          .isInstanceOf(TerraceException.class)
          .withMessageContaining("does not answer any more");
    }
  }

  @Test
  void whatAnAgentHadNoRoomForIsToldWithItsHost() {
    WatchReadings whole =
        new WatchReadings(
            List.of(),
            List.of(),
            List.of(),
            List.of("3 samples were not kept"),
            List.of("app1 ran freely"),
            MonitorCost.NONE);
    String page = AgentMessages.JSON.writeValueAsString(AgentResults.page(whole, 0));
    String answer = "printf '{\"id\":%s,\"is\":%s}\\n' \"$id\" \"$2\"";
    try (LocalServerHost here = new LocalServerHost("local", folder, TimeSource.system());
        AgentHost far = shell("far", folder.resolve("asked"), answer, page, here.facts());
        TrialWatch watch =
            new TrialWatch(Map.of(far, new WatchPlan(List.of(), Duration.ofSeconds(1))), here)) {
      WatchReadings read = watch.end();
      assertThat(read.lost()).containsExactly("far: 3 samples were not kept");
      assertThat(read.limitsLost()).containsExactly("app1 ran freely");
    }
  }

  /** The nodes under which the readings of a whole machine by a host here are kept. */
  private List<String> machines(OptionalDouble quota, Set<Integer> otherProcessors) {
    Sample used = new Sample(Resources.MACHINE, Resources.CPU_UTILISATION, 1, 0.5);
    WatchReadings whole =
        new WatchReadings(
            List.of(used), List.of(), List.of(), List.of(), List.of(), MonitorCost.NONE);
    String page = AgentMessages.JSON.writeValueAsString(AgentResults.page(whole, 0));
    String answer = "printf '{\"id\":%s,\"is\":%s}\\n' \"$id\" \"$2\"";
    try (LocalServerHost here = new LocalServerHost("local", folder, TimeSource.system())) {
      HostFacts own = here.facts();
      HostFacts facts =
          new HostFacts(
              own.machine(),
              "another",
              own.cores(),
              otherProcessors.isEmpty() ? own.processors() : otherProcessors,
              quota,
              own.java(),
              own.folder(),
              own.limitWarning(),
              List.of(),
              Map.of());
      try (AgentHost box = shell("box", folder.resolve("asked"), answer, page, facts);
          TrialWatch watch =
              new TrialWatch(Map.of(box, new WatchPlan(List.of(), Duration.ofSeconds(1))), here)) {
        return watch.end().samples().stream().map(Sample::node).toList();
      }
    }
  }

  @Test
  void aContainerOfThisMachineWithProcessorsOrAQuotaOfItsOwnHasReadingsOfItsOwn() {
    OptionalDouble here = ProcessorQuota.ofThisProcess();

    assertThat(machines(here, Set.of())).isEmpty();
    assertThat(machines(here, Set.of(4_095))).containsExactly("machine-box");
    assertThat(machines(OptionalDouble.of(0.75), Set.of())).containsExactly("machine-box");
  }
}
