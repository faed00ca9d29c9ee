package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.Supervisor;
import org.terrace.observation.Sample;
import org.terrace.testing.Await;

/** An agent as a process of its own, asked over its pipe: the same by all that do not end it. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class AgentTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  /** The folder that the agents may read and write. */
  @TempDir private static Path trial;

  private static AgentLine line;
  private static AgentHost host;

  @TempDir private Path here;
  private Path there;
  private Supervisor supervisor;

  @BeforeAll
  static void startAgent() {
    line = started("one");
    host = hostOf(line);
  }

  @AfterAll
  static void endAgent() {
    host.close();
  }

  @BeforeEach
  void start() throws IOException {
    there = Files.createTempDirectory(trial, "test");
    supervisor = new Supervisor(here, "agent-" + here.getFileName(), TimeSource.system());
  }

  @AfterEach
  void end() {
    supervisor.close();
  }

  private static AgentLine started(String name) {
    return AgentLine.start(
        name, JavaCommand.small(List.of("-Xmx96m"), AgentProgram.class, trial.toString()));
  }

  private static AgentHost hostOf(AgentLine agent) {
    TimeSource time = TimeSource.system();
    HostFacts facts = agent.awaitFacts();
    HostFacts local = new LocalServerHost("local", trial, time).facts();
    return new AgentHost("one", agent, facts, local, false, time);
  }

  private static NodeSpecification shell(String script) {
    return NodeSpecification.of(
        "app1", List.of("sh", "-c", script), new Readiness.Line("ready"), SOON);
  }

  @Test
  void nodesRunThereAsTheyDoHere() throws Exception {
    Node node = supervisor.start(shell("echo one; echo ready; read x; echo got $x; exit 3"), host);
    supervisor.awaitReady(node);

    assertThat(node.writeLine("gc")).isTrue();
    assertThat(node.endsWithin(SOON)).isTrue();

    assertThat(node.exit().join().status()).isEqualTo(3);
    assertThat(Await.until(SOON, () -> node.logTail().contains("got gc"))).isTrue();
    assertThat(node.logFile()).content().startsWith("one\nready\n");
    assertThat(node.pid()).isNotEqualTo(line.process().pid());
    assertThat(node.writeLine("more")).isFalse();
  }

  @Test
  @Tag("long")
  void aForkingNodeIsStoppedAndKilledWhole() throws Exception {
    Node node =
        supervisor.start(shell("setsid sleep 1000 & echo ready; wait").forking(Signal.TERM), host);
    supervisor.awaitReady(node);
    assertThat(Await.until(SOON, () -> node.members().size() == 2)).isTrue();
    List<Long> members = node.members();

    assertThat(node.signal(Signal.STOP)).isTrue();
    node.kill();

    assertThat(node.exit().join().status()).isEqualTo(AgentProcess.LOST);
    assertThat(Await.until(SOON, () -> members.stream().noneMatch(pid -> isRunning(pid)))).isTrue();
  }

  private static boolean isRunning(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  @Test
  void theSpeedOfItsProcessorsIsMeasuredThere() {
    assertThat(host.slowdown()).isBetween(0.2, 5.0);
  }

  @Test
  void whatCannotBeStartedIsSaid() {
    NodeSpecification missing =
        NodeSpecification.of("web1", List.of("/no/such/program"), new Readiness.AtOnce(), SOON);

    Node node = supervisor.start(missing, host);

    // setsid is there, and ends with the status that shells have for this.
    assertThat(node.exit().join().status()).isEqualTo(127);
  }

  @Test
  @Tag("long")
  void muchOutputArrivesWholeAndInOrder() throws Exception {
    Node node = supervisor.start(shell("echo ready; seq 1 200000"), host);
    assertThat(node.endsWithin(Duration.ofSeconds(60))).isTrue();
    assertThat(Await.until(SOON, () -> node.logTail().contains("200000"))).isTrue();

    List<String> lines = Files.readAllLines(node.logFile());

    assertThat(lines).hasSize(200_001);
    for (int number = 1; number <= 200_000; number++) {
      assertThat(lines.get(number)).isEqualTo(Integer.toString(number));
    }
  }

  @Test
  void filesTravelWholeAndOnlyInTheTrialsFolder() throws Exception {
    byte[] bytes = new byte[3 * AgentMessages.CHUNK_BYTES + 17];
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = (byte) ((at * 31) >>> 3);
    }
    Files.write(there.resolve("capture.pcapng"), bytes);

    List<String> progress = new ArrayList<>();
    host.fetch(there.resolve("capture.pcapng"), here.resolve("capture.pcapng"), progress::add);
    host.put(there.resolve("web1.conf"), "Listen 1\n");

    assertThat(here.resolve("capture.pcapng")).hasBinaryContent(bytes);
    assertThat(here.resolve("capture.pcapng.new")).doesNotExist();
    assertThat(progress)
        .hasSizeGreaterThanOrEqualTo(2)
        .first()
        .asString()
        .matches("the host \\S+ has handed over \\d+\\.\\d of \\d+\\.\\d MB of capture.pcapng");
    assertThat(progress.getLast()).matches(".* handed over (\\S+) of \\1 MB of capture.pcapng");
    assertThat(there.resolve("web1.conf")).hasContent("Listen 1\n");
    for (Path outside : List.of(Path.of("/etc/passwd"), trial.resolve("../escaped"))) {
      assertThat(catchThrowableOfType(TerraceException.class, () -> host.put(outside, "x")))
          .hasMessageContaining("is not in " + trial);
      assertThat(
              catchThrowableOfType(
                  TerraceException.class, () -> host.fetch(outside, here.resolve("x"))))
          .hasMessageContaining("is not in " + trial);
    }
  }

  @Test
  void whatArrivesWithOtherBytesThanWereSentIsNotWritten() {
    Path file = there.resolve("web1.conf");
    try (AgentConnection connection = new AgentConnection("two", another(), TimeSource.system())) {
      assertThatThrownBy(() ->
              connection.call(
                  "put",
                  AgentMessages.JSON.valueToTree(
                      Map.of("file", file, "content", "Listen 1", "sha256", "00"))))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining(file + " arrived with other bytes than were sent");
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void linksDoNotLeadOutOfTheTrialsFolder() throws Exception {
    Path elsewhere = Files.createDirectory(here.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("secret"), "x");
    Files.createSymbolicLink(there.resolve("file"), elsewhere.resolve("secret"));
    Files.createSymbolicLink(there.resolve("folder"), elsewhere);

    for (Path link : List.of(there.resolve("file"), there.resolve("folder/secret"))) {
      assertThatThrownBy(() -> host.fetch(link, here.resolve("copy")))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("is not in " + trial);
      assertThatThrownBy(() -> host.put(link, "y")).hasMessageContaining("is not in " + trial);
    }
    assertThat(elsewhere.resolve("secret")).hasContent("x");
    assertThat(here.resolve("copy")).doesNotExist();
    assertThat(here.resolve("copy.new")).doesNotExist();
  }

  /** As the log of a server's pauses is while later trials use the same server. */
  @Test
  @Tag("long")
  void aFileThatGrowsIsCopiedAsItWas() throws Exception {
    Path log = there.resolve("app1.gc.log");
    Files.writeString(log, "line\n".repeat(300_000));
    AtomicBoolean copied = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              try (Writer lines = Files.newBufferedWriter(log, StandardOpenOption.APPEND)) {
                while (!copied.get()) {
                  lines.write("more\n");
                  lines.flush();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      host.fetch(log, here.resolve("app1.gc.log"));
    } finally {
      copied.set(true);
      writer.join();
    }

    byte[] arrived = Files.readAllBytes(here.resolve("app1.gc.log"));
    assertThat(arrived.length).isGreaterThanOrEqualTo(1_500_000);
    assertThat(arrived).isEqualTo(Arrays.copyOf(Files.readAllBytes(log), arrived.length));
  }

  /** An environment may ask every JVM to say much, and a JVM warns on its standard output. */
  @Test
  @Tag("long")
  void whatAJvmSaysOfItselfIsNoMessage() throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "JAVA_TOOL_OPTIONS=-Xlog:class+load"));
    command.addAll(
        JavaCommand.of(
            JavaCommand.program(),
            NamespaceAgents.OPTIONS,
            System.getProperty("java.class.path"),
            AgentProgram.class.getName(),
            List.of(there.toString())));
    AgentLine talking = AgentLine.start("two", command);
    HostFacts facts = talking.awaitFacts();
    try (AgentHost two = new AgentHost("two", talking, facts, facts, true, TimeSource.system())) {
      assertThat(two.monotonicClock().errorNanos()).isPositive();
      two.put(there.resolve("x"), "y");
      assertThat(two.answers(new Readiness.Http("127.15.1.1", 9, "/"))).isFalse();
    }
  }

  @Test
  void aTakenAddressIsToldByTheHost() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint endpoint = new Endpoint("web1", "127.0.0.1", taken.getLocalPort());

      assertThatThrownBy(() -> host.requireFree(List.of(endpoint)))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("host one")
          .hasMessageContaining("in use");
      assertThat(host.answers(new Readiness.Port("127.0.0.1", taken.getLocalPort()))).isTrue();
    }
    assertThat(host.answers(new Readiness.Port("127.15.1.1", 9))).isFalse();
  }

  @Test
  @Tag("long")
  void aWatchReadsWhatServersUse() throws Exception {
    Path go = here.resolve("go");
    Node node =
        supervisor.start(
            shell(
                    "echo ready; until [ -e '%s' ]; do sleep 0.1; done; timeout 2 sh -c 'while :; do :; done'"
                        .formatted(go))
                .forking(Signal.TERM),
            host);
    supervisor.awaitReady(node);
    WatchReadings result;
    InetAddress here = InetAddress.ofLiteral("127.0.0.1");
    // Nobody accepts: the one connection is half of what may wait.
    try (ServerSocket listening = new ServerSocket(0, 1, here);
        Socket _ = new Socket(here, listening.getLocalPort());
        ServerWatch watch = host.watch(plan(listening.getLocalPort()))) {
      watch.enforceLimits();
      Files.createFile(go);
      assertThat(node.exit()).succeedsWithin(SOON);
      result = watch.end();
    }
    assertThat(result.warnings()).isEmpty();
    assertThat(result.samples())
        .filteredOn(sample -> sample.resource().equals("accept-queue-share"))
        .isNotEmpty()
        .allMatch(sample -> sample.node().equals("app1") && sample.value() == 0.5);
    assertThat(result.samples())
        .filteredOn(sample -> sample.node().equals("app1"))
        .extracting(Sample::resource)
        .contains("cpu-utilisation", "memory-bytes");
    MonitorCost cost = result.cost();
    assertThat(cost.servers()).isOne();
    assertThat(cost.elapsedNanos()).isGreaterThan(1_000_000_000);
    assertThat(cost.coreShare()).isBetween(1e-5, 1.0);
    assertThat(cost).asString().contains("the monitors of 1 server took");
    assertThat(result.samples())
        .filteredOn(sample -> sample.resource().equals("cpu-utilisation"))
        .filteredOn(sample -> sample.node().equals("app1"))
        .anySatisfy(sample -> assertThat(sample.value()).isPositive());
  }

  private static WatchPlan plan(int port) {
    Endpoint listens = new Endpoint("app1", "127.0.0.1", port);
    return new WatchPlan(
        List.of(
            new WatchPlan.Watched(
                "app1",
                "app1",
                1.0,
                Optional.of(listens),
                Optional.empty(),
                Optional.empty(),
                Optional.empty())),
        Duration.ofMillis(100));
  }

  /** The clock of the same machine differs by nothing, so each reading's bound must hold that. */
  @Test
  @Tag("long")
  void theOffsetOfTheClockIsWithinItsBound() {
    assertThat(host.clockOffset()).isEqualTo(ClockOffset.SAME_CLOCK);
    AgentConnection connection = new AgentConnection("one", another(), TimeSource.system());

    ClockOffset offset = connection.clockOffset();
    connection.close();

    System.out.println(offset);
    assertThat(Math.abs(offset.offsetNanos())).isLessThanOrEqualTo(offset.errorNanos() + 2_000);
    assertThat(offset.errorNanos()).isLessThan(100_000_000);
  }

  private static AgentLine another() {
    AgentLine other = started("two");
    var _ = other.awaitFacts();
    return other;
  }

  @Test
  void whenTheAgentIsGoneEverythingSaysSo() throws Exception {
    AgentLine ending = started("one");
    try (AgentHost gone = hostOf(ending)) {
      Node node = supervisor.start(shell("echo ready; sleep 1000"), gone);
      supervisor.awaitReady(node);
      long pid = node.pid();

      ending.process().destroyForcibly();

      assertThat(node.exit().get(10, java.util.concurrent.TimeUnit.SECONDS).status())
          .isEqualTo(AgentProcess.LOST);
      assertThatThrownBy(gone::monotonicClock)
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("the host one does not answer any more");
      assertThat(Await.until(SOON, () -> !isRunning(pid))).as("its keeper ended it").isTrue();
    }
  }

  @Test
  @Tag("long")
  void whatTheAgentDoesNotKnowIsRefusedInASentence() {
    AgentConnection connection = new AgentConnection("two", another(), TimeSource.system());
    try (connection) {
      assertThatThrownBy(() -> connection.call("fly", AgentMessages.JSON.createObjectNode()))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("host two: 'fly' is no request that an agent of version 1 knows");
      assertThatThrownBy(() ->
              connection.call("hold-end", AgentMessages.JSON.valueToTree(Map.of("number", 77))))
          .hasMessageContaining("nothing has the number 77");
    }
  }

  @Test
  void anAgentOfAnotherVersionIsRefused() {
    AgentLine other =
        AgentLine.start("old", List.of("sh", "-c", "echo motd; echo '{\"agent\":99}'; cat"));

    assertThatThrownBy(other::awaitFacts)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("speaks version 99, expected 1");
    other.close(1);
  }

  @Test
  @Tag("long")
  void whatAHostSaysInsteadIsShown() {
    AgentLine other =
        AgentLine.start("far", List.of("sh", "-c", "echo 'Permission denied' >&2; exit 255"));

    assertThatThrownBy(other::awaitFacts)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the agent of the host far ended before it was ready")
        .hasMessageContaining("Permission denied");
  }

  @Test
  @Tag("long")
  void aMessageWithoutEndIsNotHeldForEver() {
    byte[] endless = new byte[AgentMessages.LONGEST + 2];
    java.util.Arrays.fill(endless, (byte) 'x');
    AgentMessages messages =
        new AgentMessages(new java.io.ByteArrayInputStream(endless), new ByteArrayOutputStream());

    assertThatThrownBy(messages::line).isInstanceOf(IOException.class).hasMessageContaining("more");
    assertThat(new String(endless, 0, 1, StandardCharsets.US_ASCII)).isEqualTo("x");
  }
}
