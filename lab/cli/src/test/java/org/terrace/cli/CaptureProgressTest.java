package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.experiment.CaptureAnalysis;
import org.terrace.testing.Await;
import org.terrace.testing.ManualTimeSource;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;

/** Lines while a large capture is read, and the error where the memory does not suffice. */
@Tag("real-processes")
class CaptureProgressTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MICROS = 1_000L;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  @TempDir Path directory = Path.of("");

  private Path capture(int requests) throws IOException {
    Path file = directory.resolve("large.pcap");
    try (TcpCapture capture = TcpCapture.to(file)) {
      write(capture, requests);
    }
    return file;
  }

  private static void write(TcpCapture capture, int requests) {
    TcpCapture.Connection connection = capture.connection("10.0.0.1", 40_000, "10.0.0.2", 8080);
    connection.open(START);
    for (long i = 1; i <= requests; i++) {
      connection.send(true, START + i * 100 * MICROS, GET);
      connection.send(false, START + (i * 100 + 50) * MICROS, OK);
    }
  }

  @Test
  void lineTellsBytesPacketsRequestsAndTheRateSinceTheOneBefore() throws Exception {
    Path file = capture(5_000);
    long bytes = Files.size(file);
    ManualTimeSource time = new ManualTimeSource(START);
    try (CaptureProgress progress =
        new CaptureProgress(List.of(file), time, TimeUnit.DAYS.toMillis(1), line -> {})) {
      progress.begin("reading");
      String before = progress.next();
      CaptureAnalysis.of(
          List.of(CaptureSource.file(file, progress.reading())),
          List.of(),
          List.of(),
          progress.reading());
      time.advanceNanos(100_000_000);

      assertThat(before).isEqualTo("  reading: 0.0 of 1.2 MB (0 %), 0 packets, 0 requests, 0 MB/s");
      assertThat(bytes).isBetween(1_150_000L, 1_179_999L);
      assertThat(progress.next())
          .isEqualTo("  reading: 1.2 of 1.2 MB (100 %), 10,003 packets, 5,000 requests, 12 MB/s");
      time.advanceNanos(1_000_000_000);
      assertThat(progress.next()).endsWith("5,000 requests, 0 MB/s");
    }
  }

  @Test
  void linesComeWhileStandardInputIsSilentAndEndWithIt() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    PipedInputStream input = new PipedInputStream(1 << 20);
    try (CaptureProgress progress =
        new CaptureProgress(List.of(Path.of("-")), new ManualTimeSource(START), 5, lines::add)) {
      progress.begin("reading");
      CompletableFuture<CaptureAnalysis> reading;
      try (OutputStream source = new PipedOutputStream(input)) {
        reading =
            CompletableFuture.supplyAsync(() ->
                CaptureAnalysis.of(
                    List.of(CaptureSource.stream("standard input", input, progress.reading())),
                    List.of(),
                    List.of(),
                    progress.reading()));
        source.write(Files.readAllBytes(capture(2_000)));
        source.flush();
        assertThat(
                Await.until(SOON, () -> lines.stream().anyMatch(line -> line.contains("0.5 MB,"))))
            .as("%s", lines)
            .isTrue();
        int before = lines.size();
        assertThat(Await.until(SOON, () -> lines.size() > before + 3)).isTrue();
      }
      assertThat(reading.join().requests().size()).isEqualTo(2_000);
      assertThat(lines).noneMatch(line -> line.contains("%"));
      progress.goesOn("analysing");
    }
    int told = lines.size();
    assertThat(Await.until(Duration.ofMillis(50), () -> lines.size() > told)).isFalse();
  }

  @Test
  void shortageNamesWhatWasReadAndWhatToDo() {
    try (CaptureProgress progress =
        new CaptureProgress(
            List.of(Path.of("big.pcap")), new ManualTimeSource(START), 1_000_000, line -> {})) {
      progress.begin("reading");

      TerraceException failure = progress.shortOfMemory(new OutOfMemoryError("planted"));

      assertThat(failure.code().exitCode()).isEqualTo(3);
      assertThat(failure)
          .hasMessageContaining("big.pcap")
          .hasMessageContaining("while reading, after 0.0 MB, 0 packets, 0 requests")
          .hasMessageContaining("TERRACE_JAVA_OPTIONS=-Xmx")
          .hasMessageContaining("editcap -c 1000");
    }
  }

  /** A process that has too little memory for a capture's requests says so, without a trace. */
  @Test
  void endOfTheMemoryIsAClearErrorOfTheMachine() throws Exception {
    Path file = capture(700_000);
    Path log = directory.resolve("messages.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            JavaCommand.small(
                List.of("-Xmx64m"),
                Terrace.class,
                "analyze",
                file.toString(),
                "--out",
                directory.resolve("out").toString()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    int exitCode;
    try (ChildProcess process = ChildProcess.start(builder)) {
      assertThat(process.process().waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      exitCode = process.process().exitValue();
    }

    assertThat(Files.readString(log))
        .contains(
            "large.pcap",
            "the memory of this process (",
            " MB) ended while ",
            " packets, ",
            " requests",
            "TERRACE_JAVA_OPTIONS=-Xmx",
            "editcap -c ")
        .doesNotContain("OutOfMemoryError", "\tat ");
    assertThat(exitCode).isEqualTo(3);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void aStreamOfWhichNothingIsToldIsReadTheSame() throws Exception {
    byte[] bytes = Files.readAllBytes(capture(10));
    try (InputStream input = new ByteArrayInputStream(bytes)) {
      assertThat(
              CaptureAnalysis.of(List.of(CaptureSource.stream("test", input)), List.of(), List.of())
                  .requests()
                  .size())
          .isEqualTo(10);
    }
  }
}
