package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.ProcessStat;
import org.terrace.core.process.ProcessTree;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.fault.LateHost;
import org.terrace.nodes.fault.StubbornHost;
import org.terrace.testing.Await;

@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class SupervisorTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path directory;

  /** The account of the database has to pass through the directory that JUnit closes to others. */
  @BeforeEach
  void openDirectory() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Supervisor supervisor() {
    return new Supervisor(directory, "test-" + directory.getFileName(), TimeSource.system());
  }

  private static NodeSpecification shell(String name, String script, Readiness readiness) {
    return NodeSpecification.of(name, List.of("sh", "-c", script), readiness, SOON);
  }

  /** Started last, a node of a host that refuses is the first to be ended. */
  @Test
  void aHostThatDoesNotEndItsNodeKeepsNoOther() throws Exception {
    StubbornHost stubborn = new StubbornHost();
    Supervisor supervisor = supervisor();
    Node node = supervisor.start(shell("a", "sleep 1000", new Readiness.AtOnce()));
    Node other = supervisor.start(shell("b", "sleep 1000", new Readiness.AtOnce()), stubborn);

    assertThat(catchThrowableOfType(TerraceException.class, supervisor::close))
        .hasMessage("this host lets nothing go on");

    assertThat(node.isAlive()).isFalse();
    other.kill();
  }

  @Test
  @Timeout(30)
  void aHostThatAnswersLateHoldsUpNoOthersNodesAndLeavesNoneBehindTheEnd() throws Exception {
    LateHost late = new LateHost(true);
    Supervisor supervisor = supervisor();
    CompletableFuture<Node> starting = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            starting.complete(
                supervisor.start(
                    shell("late", "echo $$ >late; sleep 1000", new Readiness.AtOnce())
                        .within(directory, Map.of()),
                    late));
          } catch (TerraceException e) {
            starting.completeExceptionally(e);
          }
        });
    Path number = directory.resolve("late");
    assertThat(Await.until(SOON, () -> late.asked() == 1 && number.toFile().length() > 0)).isTrue();

    Node node = supervisor.start(shell("a", "sleep 1000", new Readiness.AtOnce()));
    supervisor.close();

    assertThat(node.isAlive()).isFalse();
    assertThat(starting).isNotDone();
    long pid = Long.parseLong(Files.readString(number).strip());
    late.answer();
    assertThat(starting).failsWithin(SOON).withThrowableThat().withMessageContaining("is ending");
    assertThat(Await.until(SOON, () -> ProcessHandle.of(pid).isEmpty())).isTrue();
  }

  /** A number is given again, and whoever has it then has children of its own. */
  @Test
  void whatHasEndedIsNotStruckByTheNumberItHad() throws Exception {
    Process stranger = new ProcessBuilder("sh", "-c", "sleep 1000 & wait").start();
    try (LocalHost host = new LocalHost()) {
      assertThat(Await.until(SOON, () -> stranger.toHandle().children().count() == 1)).isTrue();
      ProcessHandle child = stranger.toHandle().children().findFirst().orElseThrow();
      Process ended = new EndedProcess(stranger.pid());

      assertThat(host.signal(ended, true, Signal.KILL)).isFalse();
      host.kill(ended, true);

      assertThat(child.onExit()).isNotDone();
      assertThat(child.isAlive()).isTrue();
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
      stranger.destroyForcibly();
    }
  }

  @Test
  void aNodeIsReadyOnceItSaysSoAndItsOutputIsKept() throws Exception {
    try (Supervisor supervisor = supervisor()) {
      Node node =
          supervisor.start(
              shell("a", "echo one; echo ready; read x; echo got $x", new Readiness.Line("ready")));
      supervisor.awaitReady(node);
      assertThat(node.writeLine("gc")).isTrue();
      assertThat(node.endsWithin(SOON)).isTrue();
      assertThat(node.exit().join().status()).isZero();
      assertThat(Await.until(SOON, () -> node.logTail().contains("got gc"))).isTrue();
      assertThat(node.logFile()).content().startsWith("one\nready\n");
    }
  }

  @Test
  void aNodeThatEndsBeforeItIsReadyShowsItsLastWords() throws Exception {
    try (Supervisor supervisor = supervisor()) {
      Node node =
          supervisor.start(
              shell("b", "echo no such database; exit 7", new Readiness.Line("ready")));
      TerraceException failure =
          catchThrowableOfType(TerraceException.class, () -> supervisor.awaitReady(node));
      assertThat(failure)
          .hasMessageContaining("b ended with exit status 7")
          .hasMessageContaining(node.logFile().toString());
      assertThat(Await.until(SOON, () -> node.logTail().contains("no such database"))).isTrue();
    }
  }

  @Test
  void aNodeThatTakesTooLongIsNamed() throws Exception {
    try (Supervisor supervisor = supervisor()) {
      Node node =
          supervisor.start(
              NodeSpecification.of(
                  "slow",
                  List.of("sleep", "100"),
                  new Readiness.Port("127.15.1.1", 9),
                  Duration.ofMillis(200)));
      assertThat(catchThrowableOfType(TerraceException.class, () -> supervisor.awaitReady(node)))
          .hasMessageContaining("slow did not accept connections at 127.15.1.1:9");
    }
  }

  @Test
  void closingEndsStoppedAndStubbornNodesAndTheirChildren() throws Exception {
    Node stopped;
    Node family;
    List<Long> members;
    try (Supervisor supervisor = supervisor()) {
      stopped = supervisor.start(shell("stopped", "sleep 1000", new Readiness.AtOnce()));
      family =
          supervisor.start(
              shell("family", "setsid sleep 1000 & echo ready; wait", new Readiness.Line("ready"))
                  .forking(Signal.KILL));
      supervisor.awaitReady(family);
      stopped.signal(Signal.STOP);
      Node ended = family;
      assertThat(Await.until(SOON, () -> ended.members().size() == 2)).isTrue();
      members = family.members();
    }
    assertThat(stopped.isAlive()).isFalse();
    for (long member : members) {
      assertThat(Await.until(SOON, () -> !isAlive(member))).isTrue();
    }
  }

  @Test
  void everythingEndsWhenTheRunnerIsKilled() throws Exception {
    List<Long> members = new ArrayList<>();
    String mark = "doomed-" + directory.getFileName();
    Process runner =
        new ProcessBuilder(
                JavaCommand.small(
                    List.of(),
                    DoomedRunner.class,
                    directory.toString(),
                    mark,
                    "127.15.4.9",
                    directory.resolve("data").toString()))
            .redirectErrorStream(true)
            .start();
    List<String> output = new ArrayList<>();
    try (BufferedReader lines = runner.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.add(line);
        if (line.startsWith("member ")) {
          members.add(Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)));
        }
        if (line.equals("started")) {
          runner.destroyForcibly();
          break;
        }
      }
    } finally {
      runner.destroyForcibly();
    }
    assertThat(members).as(String.join("\n", output)).hasSizeGreaterThan(6);
    runner.waitFor();
    for (long member : members) {
      assertThat(Await.until(SOON, () -> !isAlive(member))).as("process %d", member).isTrue();
    }
    assertThat(Await.until(SOON, () -> marked(mark).isEmpty())).isTrue();
  }

  @Test
  void aBusyAddressIsNamedWithItsOwnerAndHowToEndIt() throws Exception {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress("127.15.2.1", 0));
      List<Endpoint> endpoints =
          List.of(
              new Endpoint("app1", "127.15.2.1", taken.getLocalPort()),
              new Endpoint("app2", "127.15.2.2", taken.getLocalPort()));
      long self = ProcessHandle.current().pid();
      assertThat(
              catchThrowableOfType(TerraceException.class, () -> Endpoints.requireFree(endpoints)))
          .hasMessageContaining("127.15.2.1:" + taken.getLocalPort() + " of app1 is in use")
          .hasMessageContaining("by process " + self + " (")
          .hasMessageContaining(
              System.getenv("TERRACE_KEEPERS") == null
                  ? "which is none of Terrace's; end it, if it is yours, with: kill " + self
                  : "still runs")
          .hasMessageNotContaining("app2");
    }
  }

  @Test
  void aServerOfARunThatStillRunsIsNoLeftover() throws Exception {
    int port = 18_080;
    try (Supervisor supervisor = supervisor()) {
      Node node =
          supervisor.start(
              NodeSpecification.of(
                  "app1",
                  JavaCommand.small(
                      List.of(), Listener.class, "127.15.2.3", Integer.toString(port)),
                  new Readiness.Line("ready"),
                  SOON));
      supervisor.awaitReady(node);
      List<Endpoint> endpoints = List.of(new Endpoint("app1", "127.15.2.3", port));
      assertThat(
              catchThrowableOfType(TerraceException.class, () -> Endpoints.requireFree(endpoints)))
          .hasMessageContaining("by process " + node.pid() + " (")
          .hasMessageContaining(" of the trial test-")
          .hasMessageContaining("a command of Terrace that still runs; wait for its end")
          .hasMessageContaining("kill -INT ")
          .hasMessageNotContaining("left over")
          .hasMessageNotContaining("kill -INT " + node.pid());
    }
  }

  /** Its keeper was killed as well, and the process of its owner's number began at another time. */
  @Test
  void aLeftoverOfAnEarlierTrialIsRecognised() throws Exception {
    int port = 18_081;
    ProcessBuilder builder =
        new ProcessBuilder(
            JavaCommand.small(List.of(), Listener.class, "127.15.2.4", Integer.toString(port)));
    builder.environment().put("TERRACE_TRIAL", "gone-77");
    builder
        .environment()
        .put("TERRACE_KEEPERS", "k%d.1.1".formatted(ProcessHandle.current().pid()));
    Process left = builder.start();
    try {
      assertThat(left.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
      List<Endpoint> endpoints = List.of(new Endpoint("app1", "127.15.2.4", port));
      assertThat(
              catchThrowableOfType(TerraceException.class, () -> Endpoints.requireFree(endpoints)))
          .hasMessageContaining(
              "of the trial gone-77, left over: the command that started it has ended")
          .hasMessageContaining("kill -KILL " + left.pid());
    } finally {
      left.destroyForcibly();
      left.onExit().join();
    }
  }

  /** A server that listens until it is killed. */
  static final class Listener {
    private Listener() {}

    public static void main(String[] arguments) throws IOException {
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
        System.out.println("ready");
        socket.accept().close();
      }
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessStat.of(pid).map(ProcessStat::isAlive).orElse(false);
  }

  private static List<Long> marked(String mark) {
    return ProcessTree.allProcesses().stream()
        .filter(SupervisorTest::isAlive)
        .filter(pid -> environment(pid).contains(Supervisor.MARK + "=" + mark))
        .toList();
  }

  private static String environment(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
