package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.experiment.CaptureAnalysis;
import org.terrace.testing.Await;
import org.terrace.testing.ManualTimeSource;
import org.terrace.wire.CaptureSource;

/** Lines while a large capture is read, and the error where the memory does not suffice. */
@Tag("real-processes")
class CaptureProgressTest {
  private static final long START = LargeCapture.START;
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory = Path.of("");

  private Path capture(int requests) throws IOException {
    return LargeCapture.in(directory, requests);
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
}
