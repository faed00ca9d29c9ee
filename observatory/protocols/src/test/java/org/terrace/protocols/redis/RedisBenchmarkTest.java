package org.terrace.protocols.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.process.ChildProcess;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.RecordingRelay;
import org.terrace.protocols.decoder.Script;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.tcp.Conversation.Ending;

/** The commands that a real redis-benchmark says it sent to a real redis-server. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(60)
class RedisBenchmarkTest {
  private static final int COMMANDS = 1_000;

  @TempDir private Path directory;

  private static void assumeInstalled(String... programs) {
    for (String program : programs) {
      Assumptions.assumeTrue(
          Arrays.stream(System.getenv("PATH").split(":", -1))
              .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))),
          program + " is not installed (Debian: redis-server, redis-tools)");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private ChildProcess server(int port) throws IOException {
    ChildProcess server =
        ChildProcess.start(
            new ProcessBuilder(
                    "redis-server", "--bind", "127.0.0.1", "--port", "" + port, "--save", "")
                .directory(directory.toFile())
                .redirectErrorStream(true));
    try {
      server.awaitLine(line -> line.contains("Ready to accept connections"));
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return server;
  }

  private void benchmark(int port, int pipelined) throws IOException, InterruptedException {
    Process benchmark =
        new ProcessBuilder(
                "redis-benchmark",
                "-p",
                "" + port,
                "-n",
                "" + COMMANDS,
                "-c",
                "5",
                "-P",
                "" + pipelined,
                "-t",
                "set,get,lpush,lrange_100",
                "-q")
            .redirectErrorStream(true)
            .start();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    benchmark.getInputStream().transferTo(said);
    assertThat(benchmark.waitFor()).as(said.toString(StandardCharsets.UTF_8)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void benchmarkHasAsManyRequestsAsItSent(int pipelined) throws Exception {
    assumeInstalled("redis-server", "redis-benchmark");
    int port = freePort();
    List<Script> conversations;
    try (ChildProcess server = server(port);
        RecordingRelay relay = RecordingRelay.to(port)) {
      benchmark(relay.port(), pipelined);
      conversations = relay.conversations();
      assertThat(server.isAlive()).isTrue();
    }

    List<Row> rows =
        conversations.stream()
            .flatMap(script -> script.play(RedisDecoder::new, Ending.CLOSED).stream())
            .toList();

    assertThat(rows).allMatch(row -> row.outcome() == Outcome.OK);
    assertThat(
            rows.stream().collect(Collectors.groupingBy(Row::requestClass, Collectors.counting())))
        .containsEntry("SET", (long) COMMANDS)
        .containsEntry("GET", (long) COMMANDS)
        .containsEntry("LRANGE", (long) COMMANDS)
        .containsKey("CONFIG GET");
  }

  @Test
  void repliesOfTheThirdVersionOfTheProtocolAnswerTheirCommands() throws Exception {
    assumeInstalled("redis-server", "redis-cli");
    int port = freePort();
    List<Script> conversations;
    try (ChildProcess server = server(port);
        RecordingRelay relay = RecordingRelay.to(port)) {
      Process client =
          new ProcessBuilder("redis-cli", "-3", "-p", "" + relay.port())
              .redirectErrorStream(true)
              .start();
      client
          .outputWriter(StandardCharsets.UTF_8)
          .append("HSET h a 1 b 2\nHGETALL h\nSADD s x\nSMEMBERS s\nZADD z 1.5 a\n")
          .append("ZRANGE z 0 -1 WITHSCORES\nGET none\nMULTI\nGET none\nEXEC\nGET h\n")
          .close();
      client.getInputStream().transferTo(OutputStream.nullOutputStream());
      assertThat(client.waitFor()).isZero();
      conversations = relay.conversations();
      assertThat(server.isAlive()).isTrue();
    }

    assertThat(conversations)
        .singleElement()
        .extracting(script -> script.play(RedisDecoder::new, Ending.CLOSED))
        .satisfies(rows ->
            assertThat(rows.stream().map(Row::requestClass).toList())
                .containsSubsequence(
                    "HELLO",
                    "HSET",
                    "HGETALL",
                    "SADD",
                    "SMEMBERS",
                    "ZADD",
                    "ZRANGE",
                    "GET",
                    "MULTI",
                    "GET",
                    "EXEC",
                    "GET"));
  }
}
