package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.experiment.CaptureAnalysis;
import org.terrace.testing.ManualTimeSource;
import org.terrace.wire.CaptureSource;

/** The words of a reading's progress, and of its end for want of memory. */
class CaptureProgressLinesTest {
  private static final long START = LargeCapture.START;

  @TempDir Path directory = Path.of("");

  private Path capture(int requests) throws IOException {
    return LargeCapture.in(directory, requests);
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
