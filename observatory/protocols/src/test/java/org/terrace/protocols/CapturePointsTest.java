package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.observation.Request;
import org.terrace.testing.TimedPackets;
import org.terrace.testing.TimedPackets.Packet;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.statistics.PointStatistics;

/** Requests of several capture points against those of one that sees all servers' own sides. */
class CapturePointsTest extends ThreeHosts {
  /** The requests are the same; their times may be off as is stated, and their lengths as given. */
  private static void assertSame(CapturePoints points, Path servers, long lengthErrorNanos) {
    List<Request> expected = requests(CaptureSource.file(servers));
    List<Request> found = requests(points);
    long error =
        points.statistics().stream()
            .mapToLong(point -> Objects.requireNonNull(point.errorNanos()))
            .max()
            .orElseThrow();
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < found.size(); i++) {
      Request is = found.get(i);
      Request was = expected.get(i);
      assertThat(List.of(is.server(), is.requestClass(), is.client(), is.outcome(), is.bytesOut()))
          .isEqualTo(
              List.of(
                  was.server(), was.requestClass(), was.client(), was.outcome(), was.bytesOut()));
      assertThat(is.arrivalNanos())
          .isBetween(was.arrivalNanos() - error, was.arrivalNanos() + error);
      assertThat(is.departureNanos() - is.arrivalNanos())
          .isBetween(
              was.departureNanos() - was.arrivalNanos() - lengthErrorNanos,
              was.departureNanos() - was.arrivalNanos() + lengthErrorNanos);
    }
  }

  @Test
  void hostsWhoseClocksDifferGiveTheRequestsOfOneCaptureAtTheServers() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + 700 * MILLI, packet -> true);
    Path base = point("base", truth, BASE, at -> at - 5 * SECOND, packet -> true);

    CapturePoints points = joined(web, app, base);

    List<PointStatistics> clocks = points.statistics();
    assertThat(clocks)
        .extracting(PointStatistics::comparedWith)
        .containsExactly(null, web.toString(), app.toString());
    assertThat(clocks.get(1).clock().getFirst().offsetNanos())
        .isBetween(700 * MILLI - 60_000, 700 * MILLI + 60_000);
    assertThat(clocks.get(2).clock().getFirst().offsetNanos())
        .isBetween(-5 * SECOND - 120_000, -5 * SECOND + 120_000);
    assertThat(clocks.get(2).errorNanos()).isLessThan(250_000L);
    assertThat(clocks.get(1).roundTripNanos()).isBetween(150_000L, 250_000L);
    assertSame(points, servers(truth), 2);
  }

  @Test
  void aPacketThatTwoPointsSawCountsOnceAndAsTheServerSawIt() throws IOException {
    TimedPackets truth = seenByServers();
    Path app = point("app", truth, APP, at -> at + 3 * MILLI, packet -> true);
    Path web = point("web", truth, WEB, at -> at, packet -> true);

    List<Request> requests = new ArrayList<>();
    ReadResult result = CaptureReader.read(joined(app, web), ReadOptions.defaults(), requests::add);

    assertThat(result.statistics().packets()).isEqualTo(truth.packets().size());
    assertThat(result.statistics().losses()).isEmpty();
    assertThat(requests).hasSize(600);
  }

  @Test
  void clocksThatDriftAndAreSetGiveTheSameRequests() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + Math.round((at - START) * 2e-4), packet -> true);
    long set = START + 5 * SECOND;
    Path base = point("base", truth, BASE, at -> at - (at < set ? 0 : 2 * SECOND), packet -> true);

    CapturePoints points = joined(web, app, base);

    PointStatistics drifting = points.statistics().get(1);
    assertThat(drifting.clock())
        .singleElement()
        .satisfies(clock -> assertThat(clock.driftPpm()).isBetween(190.0, 210.0));
    PointStatistics stepping = points.statistics().get(2);
    assertThat(stepping.clock()).hasSize(2);
    assertThat(stepping.warnings())
        .singleElement()
        .asString()
        .containsPattern("set back by (1,999|2,000)\\.");
    // A request during which a clock is set begins by one piece and ends by another.
    assertSame(points, servers(truth), 500_000);
  }

  @Test
  void whatOneRecorderMissesIsNotFilledInAndRecordingsOfOtherLengthsAreUsedWhole()
      throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    long began = START + 3 * SECOND;
    Path app = point("app", truth, APP, at -> at + SECOND, packet -> packet.timeNanos() >= began);

    List<Request> requests = requests(joined(web, app));

    long all =
        requests(CaptureSource.file(servers(truth))).stream()
            .filter(request -> request.server().equals(APP + ":8080"))
            .count();
    assertThat(requests.stream().filter(request -> request.server().equals(APP + ":8080")))
        .hasSizeBetween((int) all - 5, (int) all);
  }

  @Test
  void partsOfOneRecordingAreNoPoints() throws IOException {
    TimedPackets truth = seenByServers();
    int half = truth.packets().size() / 2;
    List<Packet> all = truth.packets();
    Path first = directory.resolve("first.pcap");
    Files.write(first, truth.with(all.subList(0, half)).toBytes());
    Path second = directory.resolve("second.pcap");
    Files.write(second, truth.with(all.subList(half, all.size())).toBytes());

    assertThat(CapturePoints.find(List.of(CaptureSource.file(first), CaptureSource.file(second))))
        .isNull();
  }

  @Test
  void partsOfAHostsRecordingAreToldByTheirName() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + SECOND, packet -> true);
    TimedPackets whole = TimedPackets.of(Files.readAllBytes(app));
    int half = whole.packets().size() / 2;
    Path early = directory.resolve("early.pcap");
    Files.write(early, whole.with(whole.packets().subList(0, half)).toBytes());
    Path late = directory.resolve("late.pcap");
    Files.write(late, whole.with(whole.packets().subList(half, whole.packets().size())).toBytes());

    List<Request> divided =
        requests(
            CapturePoints.of(
                List.of(
                    new CapturePoints.Point("web", List.of(CaptureSource.file(web))),
                    new CapturePoints.Point(
                        "app", List.of(CaptureSource.file(early), CaptureSource.file(late))))));

    assertThat(divided)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("recorded.point")
        .isEqualTo(requests(joined(web, app)));
  }

  @Test
  void capturesThatCannotBeComparedAreRefused() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path base = point("base", truth, BASE, at -> at, packet -> true);

    assertThatThrownBy(() -> joined(web, base))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("web.pcap", "base.pcap", "share no packet", "mergecap");
    Path app = point("app", truth, APP, at -> at, packet -> packet.isFrom(WEB) || packet.isTo(WEB));
    assertThatThrownBy(() -> joined(web, app, base))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("base.pcap", "share no packet", "leave this point out");
    Path oneWay = point("one", truth, APP, at -> at, packet -> packet.isFrom(WEB));
    assertThatThrownBy(() -> joined(web, oneWay))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("nearer to which host");
    Path copy = Files.copy(web, directory.resolve("copy.pcap"));
    assertThatThrownBy(() -> joined(web, copy))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the same packets at the same times");
  }
}
