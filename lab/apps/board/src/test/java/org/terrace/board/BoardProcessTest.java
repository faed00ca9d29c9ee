package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.ChildProcess;

/** The two programs as processes of their own, as a trial starts them. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class BoardProcessTest {
  private static final String ADDRESS = "127.14.2.8";

  @Test
  void aServerTellsWhenItIsReadyAnswersObeysAndEndsOnSigterm(
      RunningBoard board, @TempDir Path temporaryDirectory) throws Exception {
    int port = freePort();
    int metricsPort = freePort();
    try (ChildProcess server =
        start(
            server(
                board,
                port,
                "--database-local-address",
                "127.14.2.77",
                "--metrics",
                ADDRESS + ":" + metricsPort),
            "-Djava.io.tmpdir=" + temporaryDirectory)) {
      Process process = server.process();
      server.awaitReady();
      assertThat(temporaryDirectory).as("what a killed server would leave").isEmptyDirectory();
      try (Visitor visitor = new Visitor("http://" + ADDRESS + ":" + port)) {
        assertThat(visitor.get("/health").html()).isEqualTo("ok");
        assertThat(visitor.get("/").state()).isEqualTo("StoriesOfTheDay");
      }
      try (Visitor monitor = new Visitor("http://" + ADDRESS + ":" + metricsPort)) {
        assertThat(monitor.get("/metrics").html())
            .contains("terrace_pool_in_use{pool=\"threads\"} 0\n")
            .contains("terrace_pool_size{pool=\"connections\"} ");
      }
      assertThat(
              board.number(
                  "SELECT count(*) FROM pg_stat_activity WHERE client_addr = '127.14.2.77'"
                      + " AND application_name = 'process'"))
          .isPositive();
      process.outputWriter().append("gc-pressure 0.2\nwhat\n").flush();
      assertThat(server.awaitLine(line -> true)).startsWith("gc-pressure start ");
      assertThat(server.awaitLine(line -> true)).startsWith("gc-pressure end ");
      assertThat(server.awaitLine(line -> true)).isEqualTo("unknown what");
      // Not Process.destroy(), which closes the streams as well.
      process.toHandle().destroy();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(server.output().readLine()).isNull();
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(errors(process)).isEmpty();
    }
  }

  @Test
  void aBusyPortIsNamed(RunningBoard board) throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      Process process = start(server(board, busy.getLocalPort())).process();
      assertThat(process.waitFor()).isEqualTo(3);
      assertThat(errors(process))
          .contains(ADDRESS + " port " + busy.getLocalPort())
          .doesNotContain("\tat ");
    }
  }

  @Test
  void wrongFlagsAreNamed(RunningBoard board) throws Exception {
    Process process = start(server(board, freePort(), "--pol", "20")).process();
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(errors(process)).contains("--pol").contains("--pool").contains("Usage");

    Process load =
        start(List.of(BoardLoader.class.getName(), "--database-url", "x", "--scale", "big"))
            .process();
    assertThat(load.waitFor()).isEqualTo(2);
    assertThat(errors(load)).contains("--scale is 'big'").contains("a number above 0");
  }

  @Test
  void aDatabaseThatIsNotThereIsNamed() throws Exception {
    String url = "jdbc:postgresql://127.14.4.8:" + freePort() + "/board";
    Process load = start(List.of(BoardLoader.class.getName(), "--database-url", url)).process();
    assertThat(load.waitFor()).isEqualTo(3);
    assertThat(errors(load)).contains(url).doesNotContain("\tat ");
  }

  private static List<String> server(RunningBoard board, int port, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                BoardServer.class.getName(),
                "--name",
                "process",
                "--address",
                ADDRESS,
                "--port",
                String.valueOf(port),
                "--database-url",
                board.databaseUrl(),
                "--database-user",
                "board",
                "--pool",
                "3"));
    command.addAll(List.of(more));
    return command;
  }

  private static ChildProcess start(List<String> mainAndArguments, String... jvmOptions)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(1, List.of(jvmOptions));
    command.addAll(mainAndArguments);
    return ChildProcess.start(new ProcessBuilder(command));
  }

  private static String errors(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
      return socket.getLocalPort();
    }
  }
}
