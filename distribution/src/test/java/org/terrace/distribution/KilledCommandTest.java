package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Gatherers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/**
 * Every command that starts processes, interrupted and killed at random moments, alone and with its
 * whole group: nothing of it is left. The whole build ends each command in all four ways, the short
 * one some commands in one, which the seed draws and the output names; {@code -Dterrace.kills=N}
 * does so more or less often.
 *
 * <p>The commands are those of {@code commands.txt}, which another test holds against the command
 * itself. Three of them run at a time, as most of what they do is to wait.
 */
@Tag("real-processes")
@Tag("untimed")
class KilledCommandTest {
  private static final int KILLS =
      Integer.getInteger("terrace.kills", Depth.of(EndingSignals.ALL.size(), 1));

  private static final int AT_A_TIME = 3;

  /** The commands of the short build: a trial, a proof, and one that waits for servers. */
  private static final Set<String> FEW =
      Set.of(
          "run killed.yaml",
          "prove collections --real --kills 1000",
          "database status jdbc:terrace:postgresql://silent-server/shop");

  private static final long LATEST_KILL_NANOS = 3_000_000_000L;
  private static final String LINE = "(\\d+) (.*)";
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: killed
      topology: 1/2/0/1
      load: {closed: {users: 50, think: exp(1s)}, mix: read-write}
      phases: {rampUp: 10s, run: 40s, rampDown: 3s}
      """;

  @TempDir private Path folder;

  private final List<ServerSocket> silent = new ArrayList<>();
  private ExecutorService workers;

  @BeforeEach
  void listen() throws IOException {
    workers = Executors.newFixedThreadPool(AT_A_TIME);
    for (int i = 0; i < 2; i++) {
      silent.add(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }
  }

  @AfterEach
  void close() throws IOException {
    workers.shutdownNow();
    for (ServerSocket server : silent) {
      server.close();
    }
  }

  /** The commands by threes, each with the number of processes at which it may be killed. */
  static List<List<String>> commands() throws IOException {
    List<String> lines =
        Files.readAllLines(
                SourceTree.root().resolve("distribution/src/test/resources/commands.txt"))
            .stream()
            .filter(line -> line.matches(LINE))
            .toList();
    List<String> few =
        lines.stream().filter(line -> FEW.contains(line.replaceFirst(LINE, "$2"))).toList();
    assertThat(few).as("commands.txt has those of the short build").hasSize(FEW.size());
    return lines.stream()
        .filter(line -> Depth.of(1, 0) > 0 || few.contains(line))
        .gather(Gatherers.windowFixed(AT_A_TIME))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void nothingIsLeftOf(List<String> commands) throws Exception {
    Path home = SourceTree.root().resolve("distribution/target/terrace");
    Assumptions.assumeTrue(
        Files.isDirectory(home.resolve("apps/board")) && Files.isDirectory(home.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    long seed = Seeds.next("KilledCommandTest");
    List<Future<String>> outcomes = new ArrayList<>();
    for (String line : commands) {
      int processes = Integer.parseInt(line.replaceFirst(LINE, "$1"));
      String words = line.replaceFirst(LINE, "$2");
      RandomGenerator random = Seeds.generator(seed + outcomes.size());
      Path own = Files.createDirectory(folder.resolve("command-" + outcomes.size()));
      outcomes.add(workers.submit(() -> outcomeOf(own, words, processes, random)));
    }
    List<String> lacking = new ArrayList<>();
    for (Future<String> outcome : outcomes) {
      lacking.add(outcome.get());
    }
    lacking.removeIf(String::isEmpty);
    Assumptions.assumeTrue(lacking.isEmpty(), () -> String.join("\n", lacking));
  }

  /** Ends a command again and again; gives what it said if the machine lacks what it needs. */
  private String outcomeOf(Path own, String words, int processes, RandomGenerator random)
      throws Exception {
    Files.writeString(own.resolve("killed.yaml"), SPECIFICATION);
    Files.copy(SourceTree.root().resolve("studies/fail-over.yaml"), own.resolve("fail-over.yaml"));
    String servers =
        "127.0.0.1:%d,127.0.0.1:%d"
            .formatted(silent.getFirst().getLocalPort(), silent.getLast().getLocalPort());
    List<String> signals = EndingSignals.of(random.nextInt(EndingSignals.ALL.size()), KILLS);
    System.out.println(words + ": ended by " + String.join(", ", signals));
    for (String signal : signals) {
      Files.deleteIfExists(own.resolve("killed.pcapng"));
      MarkedCommand command =
          new MarkedCommand(own, words.replace("silent-server", servers), random);
      boolean begun =
          MarkedCommand.await(() -> command.processes() >= processes || !command.isAlive());
      if (command.lacksMeans()) {
        return command.output();
      }
      assertThat(begun).as("%s starts %d processes", words, processes).isTrue();
      assertThat(command.isAlive()).as(command::output).isTrue();
      LockSupport.parkNanos(random.nextLong(LATEST_KILL_NANOS));
      assertThat(command.end(signal)).as("%s ends %s", signal, words).isTrue();
      assertThat(command.left()).as("after %s of %s", signal, words).isEmpty();
    }
    return "";
  }
}
