package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Launch;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.monitor.Resources;
import org.terrace.observation.Sample;
import org.terrace.testing.Await;

/** Faults by which an agent holds a server from outside. */
@Timeout(120)
@Tag("real-processes")
class AgentHoldTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration WATCHED = Duration.ofMillis(500);
  private static final long LIMIT = 256L << 20;
  private static final String ADDRESS = "127.94.3.1";
  private static final String BEHIND = "127.94.3.2";

  @TempDir private Path folder;
  private AgentHost host;

  @BeforeEach
  void start() {
    AgentLine line =
        AgentLine.start(
            "one", JavaCommand.small(List.of("-Xmx96m"), AgentProgram.class, folder.toString()));
    HostFacts facts = line.awaitFacts();
    host = new AgentHost("one", line, facts, facts, false, TimeSource.system());
  }

  @AfterEach
  void end() {
    host.close();
  }

  @Test
  void busyWorkStaysInTheControlGroupOfItsServerAndEndsWithTheHold() throws Exception {
    List<String> command = host.limited("database1", 0.5, List.of("sleep", "1000"));
    assumeTrue(command.size() > 2, () -> host.facts().limitWarning().orElse("no limits"));
    Path group = Path.of(command.get(3));
    host.start(new Launch("database1", command, Map.of(), Path.of("/"), false));
    assertThat(Await.until(SOON, () -> members(group) == 1)).isTrue();
    HoldPlan plan = new HoldPlan.Processor("database1");
    host.requirePermitted(plan);
    Hold hold = host.hold(plan);
    int cores = host.facts().cores();

    hold.begin();

    assertThat(Await.until(SOON, () -> members(group) == 1 + cores)).isTrue();
    assertThat(hold.end()).containsExactly(Map.entry("processes", Integer.toString(cores)));
    assertThat(members(group)).isEqualTo(1);

    hold.begin();
    assertThat(Await.until(SOON, () -> members(group) == 1 + cores)).isTrue();
    host.close();
    assertThat(Await.until(SOON, () -> !Files.exists(group.getParent()))).isTrue();
  }

  /** Else the room of the machine would seem to be taken by other programs. */
  @Test
  void busyWorkBesideAServerCountsAsWhatTheServerUsed() {
    List<String> command = host.limited("database1", 0.5, List.of("sleep", "1000"));
    assumeTrue(command.size() > 2, () -> host.facts().limitWarning().orElse("no limits"));
    WatchPlan plan =
        new WatchPlan(
            List.of(WatchPlan.Watched.of("database1", "database1", 0.5)), Duration.ofMillis(100));
    Hold hold = host.hold(new HoldPlan.Processor("database1"));
    hold.begin();
    List<Sample> samples;
    try (ServerWatch watch = host.watch(plan)) {
      // Without a condition to wait for: the readings are handed over at the end.
      assertThat(Await.until(WATCHED.multipliedBy(2), () -> false)).isFalse();
      samples = watch.end().samples();
    }
    var _ = hold.end();

    assertThat(
            samples.stream()
                .filter(sample -> sample.node().equals("database1"))
                .filter(sample -> sample.resource().equals(Resources.CPU_UTILISATION))
                .mapToDouble(Sample::value)
                .average()
                .orElseThrow())
        .isGreaterThan(0.2);
  }

  private static long members(Path group) {
    try {
      return Files.readAllLines(group).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Tag("long")
  void busyWorkIsRefusedWhereNothingWouldBoundIt() {
    assertThatThrownBy(() -> host.requirePermitted(new HoldPlan.Processor("web1")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("web1 has no limit of processor time here")
        .hasMessageContaining("limits: {web1: {cpu: 1}}");
  }

  /** A database that answers all the while, and readings that tell what it had. */
  @Test
  @Tag("long")
  void memoryIsTakenWithinTheLimitOfItsServerAndTheMonitorsTellIt() throws Exception {
    DatabasePlan plan =
        new DatabasePlan(
            DatabasePlan.DatabaseSystem.POSTGRESQL,
            "127.15.4.1",
            5432,
            "terrace",
            List.of("127.0.0.0/8"));
    DatabaseServer database = host.database(plan); // which ends with its host
    database.initialise();
    List<String> command = memoryLimited("database1", database.command());
    Path group = Path.of(command.get(3)).getParent();
    host.start(new Launch("database1", command, Map.of(), Path.of("/"), true));
    assertThat(Await.until(SOON, database::isReady)).isTrue();
    HoldPlan taken = new HoldPlan.Memory("database1", 0.9);
    host.requirePermitted(taken);
    Hold hold = host.hold(taken);

    List<Double> before = utilisation(database);
    hold.begin();
    List<Double> during = utilisation(database);
    Map<String, String> facts = hold.end();
    List<Double> after = utilisation(database);

    assertThat(before).isNotEmpty().allMatch(share -> share < 0.6);
    assertThat(during).isNotEmpty().allMatch(share -> share > 0.8 && share <= 1);
    assertThat(after).isNotEmpty().last().satisfies(share -> assertThat(share).isLessThan(0.6));
    assertThat(facts).containsEntry("limitBytes", Long.toString(LIMIT));

    hold.begin();
    host.close();
    assertThat(Await.until(SOON, () -> !Files.exists(group.getParent()))).isTrue();
  }

  /** The command within the limit; no test where this machine does not permit one. */
  private List<String> memoryLimited(String server, List<String> command) {
    try {
      return host.memoryLimited(server, LIMIT, command);
    } catch (TerraceException e) {
      return abort(e.getMessage());
    }
  }

  /** The readings of half a second, in which the database is asked again and again. */
  private List<Double> utilisation(DatabaseServer database) {
    WatchPlan plan =
        new WatchPlan(
            List.of(WatchPlan.Watched.of("database1", "database1", 1.0)), Duration.ofMillis(100));
    try (ServerWatch watch = host.watch(plan)) {
      long end = TimeSource.system().elapsedNanos() + WATCHED.toNanos();
      while (TimeSource.system().elapsedNanos() < end) {
        assertThat(database.isReady()).isTrue();
      }
      return watch.end().samples().stream()
          .filter(sample -> sample.resource().equals(Resources.MEMORY_UTILISATION))
          .map(Sample::value)
          .toList();
    }
  }

  @Test
  void memoryIsNotTakenWhereNothingWouldBoundIt() {
    assertThatThrownBy(() -> host.requirePermitted(new HoldPlan.Memory("web1", 0.9)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("web1 has no limit of memory here")
        .hasMessageContaining("limits: {web1: {memory: 512m}}");
  }

  @Test
  @Tag("long")
  void aDelayIsAskedOfTheHostThatHasTheAddress() {
    HoldPlan plan =
        new HoldPlan.Delay(
            new Endpoint("web1", "192.0.2.77", 80), Duration.ofMillis(20), Duration.ofMillis(5));

    assertThatThrownBy(() -> host.requirePermitted(plan))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("delay: packets of web1 cannot be delayed here")
        .hasMessageContaining("no network device of this host has its address 192.0.2.77");
    assertThatThrownBy(() -> host.hold(plan)).hasMessageContaining("192.0.2.77");
  }

  /** A server that connects to the one behind it, from an address or from any. */
  static final class Client {
    private Client() {}

    public static void main(String[] arguments) throws IOException {
      InetAddress behind = InetAddress.ofLiteral(BEHIND);
      int port = Integer.parseInt(arguments[0]);
      try (Socket socket =
          arguments.length > 1
              ? new Socket(behind, port, InetAddress.ofLiteral(arguments[1]), 0)
              : new Socket(behind, port)) {
        var _ = socket.getInputStream().read();
      }
    }
  }

  private Map<String, String> factsOfCut(String... source) throws IOException {
    HoldPlan plan = new HoldPlan.Cut(new Endpoint("app1", ADDRESS, 8080));
    try {
      host.requirePermitted(plan);
    } catch (TerraceException e) {
      abort(e.getMessage());
    }
    try (ServerSocket behind = new ServerSocket(0, 50, InetAddress.ofLiteral(BEHIND))) {
      List<String> arguments = new ArrayList<>(List.of(Integer.toString(behind.getLocalPort())));
      arguments.addAll(List.of(source));
      List<String> command =
          JavaCommand.small(List.of(), Client.class, arguments.toArray(String[]::new));
      Process server = host.start(new Launch("app1", command, Map.of(), Path.of("/"), true));
      try (Socket accepted = behind.accept()) {
        Hold cut = host.hold(plan);
        cut.begin();
        assertThat(accepted.isConnected()).isTrue();
        return cut.end();
      } finally {
        host.kill(server, true);
      }
    }
  }

  @Test
  void aConnectionFromAnotherAddressThanItsServersIsNotReachedByACut() throws Exception {
    Map<String, String> unbound = factsOfCut();
    Map<String, String> bound = factsOfCut(ADDRESS);

    assertThat(unbound).containsEntry("reachedConnections", "0");
    assertThat(unbound.get("unreachedConnections"))
        .startsWith("1, such as 127.0.0.1:")
        .contains(" to " + BEHIND + ":");
    assertThat(bound)
        .containsEntry("reachedConnections", "1")
        .doesNotContainKey("unreachedConnections");
  }
}
