package org.terrace.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TimeSource;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import org.terrace.report.FindingsFile;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.statistics.Counters;

/** The packets of a server that ran on another machine than the one that ran the trial. */
@Tag("real-processes")
@Tag("untimed")
class StallsOfHostsTest {
  private static final String STALL = "/packets/one?server=app1&stall=0";
  private static final long SECOND = 1_000_000_000L;

  /** The clock of the host of app1 is ahead by more than the stall lasts, and gains. */
  private static final long AHEAD_NANOS = 3 * SECOND;

  private static final double DRIFT_PPM = 40;

  @TempDir private Path folder;
  private Path result = Path.of("");
  private Dashboard dashboard;

  @BeforeEach
  void aTrialOfTwoHosts() throws IOException {
    result = SampleResults.analysis(folder.resolve("one"), 2_000);
    Files.writeString(
        result.resolve("trial.json"),
        """
        {"format": "terrace-trial/1", "servers": [
          {"name": "web1", "tier": "web", "addresses": ["10.0.0.2:8080"]},
          {"name": "app1", "tier": "app", "addresses": ["10.0.0.3:8080"]}]}
        """);
    Path file = result.resolve(FindingsFile.NAME);
    long end = SampleResults.START_NANOS + 10 * SECOND;
    CapturePoint.Offset clock =
        new CapturePoint.Offset(
            SampleResults.START_NANOS, end, AHEAD_NANOS, null, null, DRIFT_PPM, 0, 0);
    FindingsFile.write(
        file,
        FindingsFile.read(file)
            .withCapture(
                new CaptureFigures(
                    1,
                    1,
                    0,
                    0,
                    0,
                    List.of(point("local", List.of()), point("b", List.of(clock))))));
    dashboard =
        Dashboard.start(
            new DashboardOptions(folder, "127.0.0.1", 0, Optional.empty()), TimeSource.system());
  }

  private static CapturePoint point(String name, List<CapturePoint.Offset> clock) {
    return new CapturePoint(name, List.of(), 1, 1, null, null, null, clock, List.of());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  /** A capture of packets each 5 ms, from the start on, between two addresses. */
  private void capture(String name, String client, String server, boolean isAhead)
      throws IOException {
    try (TcpCapture capture = TcpCapture.to(result.resolve(name))) {
      TcpCapture.Connection connection = capture.connection(client, 40_000, server, 8080);
      for (int i = 0; i < 2_000; i++) {
        long at = i * 5_000_000L;
        long ahead = isAhead ? AHEAD_NANOS + Math.round((at - 5 * SECOND) * DRIFT_PPM / 1e6) : 0;
        connection.send(true, SampleResults.START_NANOS + at + ahead, "GET / HTTP/1.1\r\n\r\n");
      }
    }
  }

  private List<Long> times(RawHttp.Answer cut) throws IOException {
    assertThat(cut.status()).as(cut.text()).isEqualTo(200);
    PacketStream packets =
        new PacketStream(
            "cut",
            new ByteArrayInputStream(cut.body().getBytes(StandardCharsets.ISO_8859_1)),
            16,
            new Counters(),
            new HostNames());
    List<Long> times = new ArrayList<>();
    while (packets.next()) {
      times.add(packets.timeNanos());
    }
    return times;
  }

  @Test
  void theCaptureThatSawMostOfItsPacketsIsCutOnTheClockOfTheFindings() throws IOException {
    capture("capture.pcapng", "10.0.0.1", "10.0.0.2", false);
    capture("capture-b.pcapng", "10.0.0.2", "10.0.0.3", true);

    List<Long> times = times(RawHttp.get(dashboard.port(), STALL));

    assertThat(times).hasSizeBetween(100, 140);
    assertThat(times.getFirst())
        .isBetween(SampleResults.STALL_NANOS - SECOND / 8, SampleResults.STALL_NANOS - SECOND / 20);
    // A packet came at each multiple of 5 ms, to the microsecond by the clock of the findings.
    assertThat(times)
        .allSatisfy(time ->
            assertThat((time - SampleResults.START_NANOS + 50_000) % 5_000_000)
                .isLessThan(100_000L));
    assertThat(RawHttp.get(dashboard.port(), "/result/one").text())
        .contains("/files/one?name=capture-b.pcapng", "the one that saw most");
    assertThat(RawHttp.get(dashboard.port(), "/files/one?name=capture-b.pcapng").status())
        .isEqualTo(200);
  }

  @Test
  void whereNoCaptureSawTheServerThatIsSaid() throws IOException {
    capture("capture.pcapng", "10.0.0.1", "10.0.0.2", false);

    RawHttp.Answer answer = RawHttp.get(dashboard.port(), STALL);

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text()).contains("No capture in this directory saw a packet of app1");
  }

  @Test
  void aLinkInThePlaceOfACaptureIsNotFollowed() throws IOException {
    capture("capture.pcapng", "10.0.0.2", "10.0.0.3", false);
    assertThat(times(RawHttp.get(dashboard.port(), STALL))).isNotEmpty();
    Files.move(result.resolve("capture.pcapng"), folder.resolve("elsewhere"));
    Files.createSymbolicLink(result.resolve("capture-b.pcapng"), folder.resolve("elsewhere"));

    assertThat(RawHttp.get(dashboard.port(), STALL).status()).isEqualTo(404);
    assertThat(RawHttp.get(dashboard.port(), "/files/one?name=capture-b.pcapng").status())
        .isEqualTo(404);
  }
}
