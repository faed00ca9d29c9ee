package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.observation.CaptureFigures;
import org.terrace.observation.CapturePoint;
import org.terrace.report.FindingsFile;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.testing.TimedPackets;
import org.terrace.testing.TimedPackets.Packet;
import picocli.CommandLine;

/** Captures of two hosts whose clocks differ, through the command. */
class AnalyzePointsTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final String WEB = "10.0.0.1";
  private static final String APP = "10.0.0.2";

  @TempDir Path directory = Path.of("");
  private Path web = Path.of("");
  private Path app = Path.of("");

  @BeforeEach
  void record() throws IOException {
    RandomGenerator random = Seeds.generator(Seeds.next("analyze points"));
    TimedPackets truth = seenByApp(random);
    app = Files.write(directory.resolve("app.pcap"), truth.toBytes());
    List<Packet> packets =
        truth.packets().stream()
            .map(packet -> seenByWeb(packet, random))
            .sorted(Comparator.comparingLong(Packet::timeNanos))
            .toList();
    web = Files.write(directory.resolve("web.pcap"), truth.with(packets).toBytes());
  }

  private static TimedPackets seenByApp(RandomGenerator random) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      TcpCapture.Connection pooled = capture.connection(WEB, 41_000, APP, 8080);
      pooled.open(START);
      long at = START + MILLI;
      for (int i = 0; i < 400; i++) {
        at += random.nextLong(4 * MILLI, 12 * MILLI);
        pooled.send(true, at, "GET /item/" + i + " HTTP/1.1\r\nHost: app\r\n\r\n");
        at += i == 200 ? 800 * MILLI : random.nextLong(MILLI, 4 * MILLI);
        pooled.send(false, at, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
      }
      pooled.close(at + MILLI);
    }
    return TimedPackets.of(bytes.toByteArray());
  }

  /** The web server's host is 1.25 s ahead, and the way takes up to 0.2 ms. */
  private static Packet seenByWeb(Packet packet, RandomGenerator random) {
    long way = 40_000 + random.nextLong(160_000);
    long there = packet.timeNanos() + (packet.isFrom(WEB) ? -way : way);
    return packet.at(there + 1_250 * MILLI);
  }

  private Findings analyze(String name, StringWriter said, String... inputs) {
    Path out = directory.resolve(name);
    CommandLine line = Terrace.commandLine().setErr(new PrintWriter(said));
    String[] arguments = new String[inputs.length + 2];
    arguments[0] = "analyze";
    System.arraycopy(inputs, 0, arguments, 1, inputs.length);
    arguments[inputs.length + 1] = "--out=" + out;
    assertThat(line.execute(arguments)).as(said.toString()).isZero();
    return FindingsFile.read(out.resolve(FindingsFile.NAME));
  }

  @Test
  void findingsOfTwoHostsAreThoseOfTheServersOwnCapture() throws IOException {
    Findings alone = analyze("alone", new StringWriter(), app.toString());
    Findings both = analyze("both", new StringWriter(), app.toString(), web.toString());

    CaptureFigures figures = Objects.requireNonNull(both.capture());
    assertThat(figures.packets()).isEqualTo(Objects.requireNonNull(alone.capture()).packets());
    assertThat(both.withCapture(figures.withPoints(List.of()))).isEqualTo(alone);
    CapturePoint other = figures.points().getLast();
    assertThat(other.comparedWith()).isEqualTo(app.toString());
    assertThat(other.clock())
        .singleElement()
        .satisfies(clock -> {
          assertThat(clock.offsetNanos()).isBetween(1_249_800_000L, 1_250_200_000L);
          assertThat(1_250 * MILLI).isBetween(low(clock), high(clock));
        });
    assertThat(Files.readString(directory.resolve("both/report.html")))
        .contains("Capture points", "1,250.");
  }

  private static long low(CapturePoint.Offset clock) {
    return Objects.requireNonNull(clock.lowNanos());
  }

  private static long high(CapturePoint.Offset clock) {
    return Objects.requireNonNull(clock.highNanos());
  }

  @Test
  void pointsHaveTheNamesThatTheyAreGiven() {
    Findings found =
        analyze("named", new StringWriter(), "--point=app=" + app, "--point=web=" + web);

    assertThat(Objects.requireNonNull(found.capture()).points())
        .extracting(CapturePoint::name)
        .containsExactly("app", "web");
  }

  private String refusal(String... arguments) {
    StringWriter said = new StringWriter();
    assertThat(Terrace.commandLine().setErr(new PrintWriter(said)).execute(arguments)).isEqualTo(2);
    return said.toString();
  }

  @Test
  void mistakesAreSaid() {
    assertThat(refusal("analyze")).contains("INPUT");
    assertThat(refusal("analyze", "--point=" + app)).contains("NAME=FILE");
    assertThat(refusal("analyze", "--point=app=" + app)).contains("name another one");
    assertThat(refusal("analyze", "--point=app=" + app, "--point=web=-")).contains("read twice");
    assertThat(refusal("analyze", "--point=app=" + app, web.toString()))
        .contains("has no --point before it");
    assertThat(refusal("analyze", app.toString(), app.toString())).contains("the same packets");
  }
}
