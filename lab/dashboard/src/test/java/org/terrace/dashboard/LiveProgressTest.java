package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageServer;
import org.terrace.dashboard.results.ServedDirectory;
import org.terrace.experiment.progress.ProgressFile;
import org.terrace.experiment.progress.ProgressReader;
import org.terrace.observation.Event;
import org.terrace.testing.Await;

/** The progress of a command is seen while it works. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class LiveProgressTest {
  @TempDir Path folder;
  private Dashboard dashboard;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(folder.resolve("served/run.unfinished"));
    dashboard = serve(folder.resolve("served"));
  }

  private static Dashboard serve(Path directory) {
    return Dashboard.start(
        new DashboardOptions(directory, "127.0.0.1", 0, Optional.empty()), TimeSource.system());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  private static ProgressFile begin(Path directory) {
    return ProgressFile.begin(
        directory, "experiment", "quickstart", TimeSource.system(), warning -> {});
  }

  private static String second(int users) {
    return "{\"second\":1,\"phase\":\"run\",\"users\":%d,\"requestsPerSecond\":12.5,\"errors\":3,\"p50Micros\":900,\"p99Micros\":4200}"
        .formatted(users);
  }

  /** Or else a standstill would look like the fastest service of all. */
  @Test
  void aSecondInWhichNoPageEndedHasNoResponseTime() throws IOException {
    ProgressFile file = begin(folder.resolve("served/run.unfinished"));
    file.phase("running the load");
    file.figures(second(40));
    file.figures(
        "{\"second\":2,\"phase\":\"run\",\"users\":40,\"requestsPerSecond\":0,\"errors\":0,\"p50Micros\":0,\"p99Micros\":0}");

    assertThat(RawHttp.get(dashboard.port(), "/").text())
        .contains("<b>–</b>")
        .doesNotContain("0 ms");
    assertThat(RawHttp.get(dashboard.port(), "/result/run.unfinished").text())
        .contains("<dd>–</dd>", "in some seconds none did")
        .doesNotContain("0 ms<");
    file.end();
  }

  /** A stream of events that is read as it comes. */
  private record Stream(Socket socket, BufferedReader lines) implements AutoCloseable {
    static Stream open(int port, String target) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new Stream(
          socket,
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
    }

    /** Reads on until a line holds a text. */
    String await(String text) throws IOException {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(text)) {
          return line;
        }
      }
      return "the stream ended";
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void whatARunTellsIsSeenAtOnceAndItsEndLeadsToTheResult() throws IOException {
    Path unfinished = folder.resolve("served/run.unfinished");
    ProgressFile file = begin(unfinished);
    file.phase("running the load");
    file.figures(second(40));
    assertThat(RawHttp.get(dashboard.port(), "/").text())
        .contains("1 running", "running the load", "href=\"/result/run.unfinished\"");
    assertThat(RawHttp.get(dashboard.port(), "/result/run.unfinished").text())
        .contains("Running the load", "data-events=\"/live/run.unfinished\"", "4.20 ms");

    try (Stream stream = Stream.open(dashboard.port(), "/live/run.unfinished")) {
      assertThat(stream.await("HTTP/1.1")).contains("200");
      assertThat(stream.await("Content-type")).isNotEmpty();
      assertThat(stream.await("<dd>40</dd>")).startsWith("data: ");
      file.figures(second(41));
      file.fault(new Event("app2", "fault-kill", 5, 2_000_005, Map.of()));
      assertThat(stream.await("<dd>41</dd>")).contains("Throughput", "Response times", "svg");
      assertThat(stream.await("kill app2")).contains("2 ms");
      file.end();
      SampleResults.analysis(folder.resolve("served/run"), 2_000);
      assertThat(stream.await("/result/run")).isEqualTo("data: \"/result/run\"");
    }
  }

  @Test
  void aRunIntoTheServedDirectoryItselfIsSeen() throws IOException {
    Path out = Files.createDirectory(folder.resolve("out"));
    Path beside = Files.createDirectory(folder.resolve("out.unfinished"));
    begin(beside).phase("loading the data");
    try (Dashboard own = serve(out)) {
      assertThat(RawHttp.get(own.port(), "/").text()).contains("1 running", "loading the data");
      assertThat(RawHttp.get(own.port(), "/result").text()).contains("Loading the data");
    }
  }

  @Test
  void aRunThatWasKilledHasFailedAndSaysHowFarItCame() throws IOException {
    Path unfinished = folder.resolve("served/run.unfinished");
    ProgressFile file = begin(unfinished);
    file.phase("loading the data");
    Path path = unfinished.resolve(ProgressFile.NAME);
    Files.writeString(
        path, Files.readString(path).replaceAll("\"process\":\\d+", "\"process\":999999999"));

    assertThat(RawHttp.get(dashboard.port(), "/").text())
        .contains("1 failed", "interrupted, or ended by a failure while loading the data");
    assertThat(RawHttp.get(dashboard.port(), "/result/run.unfinished").text())
        .contains("It left no result", "Loading the data")
        .doesNotContain("data-events");
    assertThat(RawHttp.get(dashboard.port(), "/live/run.unfinished").text()).contains("event: end");
  }

  @Test
  void streamsBeyondTheMemoryForAnswersAreRefused() throws IOException {
    ProgressFile file = begin(folder.resolve("served/run.unfinished"));
    file.figures(second(40));
    AnswerMemory memory = new AnswerMemory(3 * ProgressReader.MOST_KEPT);
    ServedDirectory served = ServedDirectory.open(folder.resolve("served"));
    try (PageServer server =
            PageServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                new DashboardPages(served, memory, TimeSource.system()),
                memory,
                TimeSource.system());
        Stream first = Stream.open(server.port(), "/live/run.unfinished")) {
      assertThat(first.await("<dd>40</dd>")).startsWith("data: ");
      try (Stream second = Stream.open(server.port(), "/live/run.unfinished")) {
        assertThat(second.await("<dd>40</dd>")).startsWith("data: ");
        try (AnswerMemory.Held _ = memory.takeToRead(ProgressReader.MOST_KEPT / 12);
            Stream third = Stream.open(server.port(), "/live/run.unfinished")) {
          assertThat(third.await("HTTP/1.1")).contains("503");
        }
      }

      file.figures(second(41));
      assertThat(first.await("<dd>41</dd>")).as("it goes on").startsWith("data: ");
    }
  }

  @Test
  void streamsAreCountedAndEndWithTheServer() throws IOException {
    begin(folder.resolve("served/run.unfinished")).phase("running");
    List<Stream> open = new ArrayList<>();
    for (int i = 0; i < PageServer.MOST_STREAMS; i++) {
      Stream stream = Stream.open(dashboard.port(), "/live/run.unfinished");
      assertThat(stream.await("event: now")).isEqualTo("event: now");
      open.add(stream);
    }
    assertThat(RawHttp.get(dashboard.port(), "/live/run.unfinished").status()).isEqualTo(503);
    assertThat(RawHttp.get(dashboard.port(), "/").status()).isEqualTo(200);
    open.removeFirst().close();
    assertThat(
            Await.until(
                Duration.ofSeconds(20),
                () -> {
                  try (Stream again = Stream.open(dashboard.port(), "/live/run.unfinished")) {
                    return again.await("HTTP/1.1").contains("200");
                  } catch (IOException e) {
                    return false;
                  }
                }))
        .isTrue();

    dashboard.close();

    for (Stream stream : open) {
      assertThat(stream.await("no such line")).isEqualTo("the stream ended");
      stream.close();
    }
  }
}
