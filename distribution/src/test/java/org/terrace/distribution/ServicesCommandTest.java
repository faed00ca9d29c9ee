package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.manager.ManagerProcess;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.Keeper;
import org.terrace.testing.Await;
import org.terrace.testing.Depth;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code terrace services} as a user calls it, with a naming service, managers and replicas. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("real-processes")
@Tag("untimed")
class ServicesCommandTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String SERVICE = "turnstile";

  /** The output of a call of the command and its exit code. */
  private record Call(int exitCode, String output, String messages) {}

  @TempDir private static Path directory;
  private final Deque<Process> running = new ArrayDeque<>();
  private final List<String> people = new ArrayList<>();
  private String naming = "";

  @BeforeAll
  void start() throws Exception {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    naming =
        process(
                "naming",
                java(
                    NamingProcess.class,
                    "--listen",
                    "127.63.5.1:0",
                    "--directory",
                    directory.resolve("names").toString()))
            .get(1);
    String managers =
        "127.63.5.2:" + freePort("127.63.5.2") + ",127.63.5.3:" + freePort("127.63.5.3");
    List<String> replica = java(TurnstileReplica.class, "{name}", "{address}", managers);
    for (int rank = 0; rank < 2; rank++) {
      List<String> manager =
          java(
              ManagerProcess.class,
              "--managers",
              managers,
              "--rank",
              Integer.toString(rank),
              "--naming",
              naming,
              "--service",
              SERVICE,
              "--degree",
              "2",
              "--host",
              "127.63.5.4",
              "--directory",
              directory.resolve("replicas").toString(),
              "--command",
              String.join(" ", replica));
      people.add(process("manager" + rank, manager).getLast());
    }
    awaitReplicas(all -> all.size() == 2);
  }

  @AfterAll
  void end() throws InterruptedException {
    for (Process process : running.reversed()) {
      process.destroy();
      if (!process.waitFor(PATIENCE)) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  @Tag("long")
  void itShowsEachReplicaForPeopleAndAsJson() throws Exception {
    Call shown = services("--manager", managers());
    JsonNode state = state();

    assertThat(shown.exitCode()).isZero();
    assertThat(shown.messages()).isEmpty();
    assertThat(shown.output())
        .contains(SERVICE + "  warm-passive, epoch ", " replicas", "  primary  ", "  backup ")
        .contains("pid ", " up ");
    assertThat(state.path("format").asString()).isEqualTo("terrace-services/1");
    assertThat(state.path("managersExpected").asInt()).isEqualTo(2);
    await(() -> state().path("managers").asInt() == 2, "each manager sees the other");
    for (String replica : replicas(state)) {
      assertThat(shown.output()).contains(replica);
    }
  }

  @Test
  @Tag("long")
  void aKilledReplicaIsReplacedAndItsFailOverShown() throws Exception {
    String primary = state().path("services").path(0).path("primary").asString();

    Call killed = services("kill", SERVICE, primary, "--manager", managers());

    assertThat(killed.exitCode()).isZero();
    assertThat(killed.output()).isEmpty();
    assertThat(killed.messages()).contains("obeys: kill " + SERVICE + " " + primary);
    awaitReplicas(all -> all.size() >= 2 && !all.contains(primary));
    await(
        () ->
            services("--manager", managers()).output().contains("last fail-over: " + primary + " "),
        "the fail-over is shown");
  }

  @Test
  @Tag("long")
  void aDrainedReplicaIsReplacedAndEnds() throws Exception {
    String primary = state().path("services").path(0).path("primary").asString();
    long pid = pid(state(), primary);

    Call drained = services("drain", SERVICE, primary, "--manager", managers());

    assertThat(drained.exitCode()).isZero();
    assertThat(drained.messages()).contains("obeys: drain " + SERVICE + " " + primary);
    awaitReplicas(all -> all.size() >= 2 && !all.contains(primary));
    await(() -> ProcessHandle.of(pid).isEmpty(), "the drained process ends");
  }

  @Test
  @Tag("long")
  void oneMoreReplicaIsAddedThroughWhicheverManagerIsNamed() throws Exception {
    int before = state().path("services").path(0).path("degree").asInt();

    for (String each : people) {
      assertThat(services("add", SERVICE, "--manager", each).exitCode()).isZero();
    }

    awaitReplicas(all -> all.size() >= before + 2);
    assertThat(state().path("services").path(0).path("degree").asInt()).isEqualTo(before + 2);
  }

  @Test
  @Tag("long")
  void watchedAsJsonItGivesALineEachTime() throws Exception {
    Process watching =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(
                    command("services", "--watch", "--json", "--manager", managers())));
    running.add(watching);
    BufferedReader lines = watching.inputReader(StandardCharsets.UTF_8);

    for (int line = 0; line < 3; line++) {
      JsonNode state = JsonMapper.shared().readTree(lines.readLine());
      assertThat(state.path("format").asString()).isEqualTo("terrace-services/1");
    }
    assertThat(watching.isAlive()).isTrue();
    watching.destroy();
    assertThat(watching.waitFor(PATIENCE)).isTrue();
  }

  /** The words of a call that is refused, and what it then says. */
  private record Refusal(List<String> words, String... said) {}

  @Test
  void badArgumentsEndWithTheirOwnCodeAndSayWhatThereIs() throws Exception {
    List<Refusal> refusals =
        List.of(
            new Refusal(List.of(), "--manager is missing", "prints after 'admin'"),
            new Refusal(
                List.of("drain", SERVICE, "nobody", "--manager", managers()),
                "nobody",
                "there are " + SERVICE + "-"),
            new Refusal(List.of("--manager", "nowhere"), "'nowhere'", "expected host:port"),
            new Refusal(
                List.of("kill", SERVICE, "--manager", managers()),
                "REPLICA",
                "terrace services kill --help"),
            new Refusal(
                List.of("restart", SERVICE, "--manager", managers()),
                "restart",
                "terrace services --help"),
            new Refusal(
                List.of("add", "nothing", "--manager", managers()),
                "nothing",
                "there are " + SERVICE));

    for (Refusal refusal : refusals.subList(0, Depth.of(refusals.size(), 2))) {
      Call call = services(refusal.words().toArray(String[]::new));
      assertThat(call.exitCode()).as(call.messages()).isEqualTo(2);
      assertThat(call.output()).isEmpty();
      assertThat(call.messages())
          .startsWith("terrace: ")
          .doesNotContain("\tat ")
          .contains(refusal.said());
    }
  }

  @Test
  void managersOutOfReachAreWhatTheMachineLacks() throws Exception {
    String nobody = "127.63.5.9:" + freePort("127.63.5.9");
    List<List<String>> inVain =
        List.of(
            List.of("--manager", nobody),
            List.of("add", SERVICE, "--manager", nobody),
            List.of("--manager", naming));

    for (List<String> words : inVain.subList(0, Depth.of(inVain.size(), 1))) {
      Call call = services(words.toArray(String[]::new));
      assertThat(call.exitCode()).as(call.messages()).isEqualTo(3);
      assertThat(call.messages()).contains("no replication manager answers at 127.63.5.");
    }
    assertThat(services("--manager", nobody + "," + managers()).exitCode()).isZero();
  }

  private String managers() {
    return String.join(",", people);
  }

  private JsonNode state() throws Exception {
    Call call = services("--json", "--manager", managers());
    assertThat(call.exitCode()).as(call.messages()).isZero();
    assertThat(call.output().lines()).hasSize(1);
    return JsonMapper.shared().readTree(call.output());
  }

  private static List<String> replicas(JsonNode state) {
    List<String> names = new ArrayList<>();
    for (JsonNode replica : state.path("services").path(0).path("replicas")) {
      if (!replica.path("role").asString().equals("spare")) {
        names.add(replica.path("replica").asString());
      }
    }
    return names;
  }

  private static long pid(JsonNode state, String name) {
    for (JsonNode replica : state.path("services").path(0).path("replicas")) {
      if (replica.path("replica").asString().equals(name)) {
        return replica.path("pid").asLong();
      }
    }
    throw new AssertionError("there is no " + name + " in " + state);
  }

  private void awaitReplicas(Predicate<List<String>> wanted) throws Exception {
    await(() -> wanted.test(replicas(state())), "the replicas that are wanted");
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition, String what) {
    assertThat(
            Await.until(
                PATIENCE,
                () -> {
                  try {
                    return condition.holds();
                  } catch (Exception e) {
                    throw new IllegalStateException(what, e);
                  }
                }))
        .as(what)
        .isTrue();
  }

  private Call services(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("services"));
    words.addAll(List.of(arguments));
    Path messages = Files.createTempFile(directory, "messages", ".txt");
    Process process =
        Keeper.ofThisProcess()
            .start(
                new ProcessBuilder(command(words.toArray(String[]::new)))
                    .redirectError(messages.toFile()));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Call(process.waitFor(), output, Files.readString(messages));
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(jvm());
    command.addAll(
        List.of(
            "-Dterrace.home=" + HOME,
            "-cp",
            HOME.resolve("lib") + "/*",
            "org.terrace.cli.Terrace"));
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(jvm());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  private static List<String> jvm() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow");
  }

  /** Starts a process and returns the words of its line that begins with {@code ready}. */
  private List<String> process(String name, List<String> command) throws IOException {
    Path errors = directory.resolve(name + ".log");
    ChildProcess process =
        ChildProcess.start(new ProcessBuilder(command).redirectError(errors.toFile()));
    running.add(process.process());
    return process.awaitReady();
  }

  private static int freePort(String host) throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return probe.getLocalPort();
    }
  }
}
