package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Outcome;
import org.terrace.observation.PointTimes;
import org.terrace.observation.Request;
import org.terrace.testing.TcpCapture;
import org.terrace.testing.TimedPackets;
import org.terrace.testing.TimedPackets.Packet;
import org.terrace.wire.CaptureParts;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;

/** Files of several hosts: more than one of a host, of other lengths, in another order, twice. */
class CaptureFilesTest extends ThreeHosts {
  /**
   * A host's recorder that began a second file: neither points at the other, and both at a third.
   */
  @Test
  void filesOfOneHostThatAreNotSaidToBeItsCountOnce() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + SECOND, packet -> true);
    TimedPackets whole = TimedPackets.of(Files.readAllBytes(app));
    for (Path[] order :
        new Path[][] {
          {web, directory.resolve("app-1.pcap"), directory.resolve("app-2.pcap")},
          {directory.resolve("app-1.pcap"), web, directory.resolve("app-2.pcap")},
          {directory.resolve("app-2.pcap"), directory.resolve("app-1.pcap"), web}
        }) {
      int half = whole.packets().size() / 3 + random.nextInt(100);
      List<Packet> all = whole.packets();
      Files.write(directory.resolve("app-1.pcap"), whole.with(all.subList(0, half)).toBytes());
      Files.write(
          directory.resolve("app-2.pcap"), whole.with(all.subList(half, all.size())).toBytes());

      List<Request> requests = new ArrayList<>();
      CapturePoints points = joined(order);
      ReadResult result = CaptureReader.read(points, ReadOptions.defaults(), requests::add);

      assertThat(requests.stream().filter(request -> request.server().equals(APP + ":8080")))
          .hasSize(200)
          .allMatch(request -> request.outcome() == Outcome.OK);
      assertThat(result.statistics().losses()).isEmpty();
      assertThat(points.hasGuessed()).isFalse();
    }
  }

  /** The recorder nearest to the server ends early, and two others go on. */
  @Test
  void whereTheNearestPointEndsTheNextOneCountsAlone() throws IOException {
    TimedPackets truth = seenByServers();
    long ended = START + 3 * SECOND;
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    TimedPackets moved = TimedPackets.of(Files.readAllBytes(web));
    List<Packet> later = new ArrayList<>();
    for (Packet packet : moved.packets()) {
      if (packet.isFrom(APP) || packet.isTo(APP)) {
        long way = packet.isFrom(WEB) ? 20_000 : -20_000;
        later.add(packet.at(packet.timeNanos() + 7 * MILLI + way));
      }
    }
    later.sort(Comparator.comparingLong(Packet::timeNanos));
    Path between = directory.resolve("between.pcap");
    Files.write(between, moved.with(later).toBytes());
    Path app = point("app", truth, APP, at -> at, packet -> packet.timeNanos() < ended);

    List<Request> requests = new ArrayList<>();
    CapturePoints points = joined(web, between, app);
    CaptureReader.read(points, ReadOptions.defaults(), requests::add);

    // What is on its way when the recorder changes may be missing; nothing is there twice.
    assertThat(requests.stream().filter(request -> request.server().equals(APP + ":8080")))
        .hasSizeBetween(195, 200)
        .allMatch(request ->
            request.arrivalNanos() < ended
                || request.recorded().point().equals(between.toString())
                || Math.abs(request.arrivalNanos() - ended) < 200 * MILLI);
    assertThat(points.hasGuessed()).isFalse();
  }

  /** Peers that call each other from the port at which they serve, open before the recording. */
  @Test
  void aConnectionBetweenEqualPortsCountsAtOnePointInBothDirections() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      TcpCapture.Connection peers = capture.connection(WEB, 7_000, APP, 7_000);
      long at = START;
      for (int i = 0; i < 100; i++) {
        at += 20 * MILLI + random.nextLong(MILLI);
        peers.send(true, at, "GET /page/" + i + " HTTP/1.1\r\nHost: peer\r\n\r\n");
        peers.send(false, at += MILLI, OK);
      }
    }
    TimedPackets truth = TimedPackets.of(bytes.toByteArray());
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + SECOND, packet -> true);

    List<Request> requests = new ArrayList<>();
    ReadResult result = CaptureReader.read(joined(web, app), ReadOptions.defaults(), requests::add);

    long ofWeb = TimedPackets.of(Files.readAllBytes(web)).packets().size();
    assertThat(result.statistics().packets()).isEqualTo(truth.packets().size());
    assertThat(requests)
        .hasSizeGreaterThan(98)
        .allMatch(request ->
            request.exchange().firstFrame() <= ofWeb == request.exchange().lastFrame() <= ofWeb);
  }

  @Test
  void timesByThePointsOwnClockAreKept() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + Math.round((at - START) * 2e-4), packet -> true);
    Path base = point("base", truth, BASE, at -> at - 5 * SECOND, packet -> true);
    Map<Path, TimedPackets> files = new HashMap<>();
    for (Path file : List.of(web, app, base)) {
      files.put(file, TimedPackets.of(Files.readAllBytes(file)));
    }

    List<Request> requests = new ArrayList<>();
    List<ObservedConnection> connections = new ArrayList<>();
    CaptureReader.read(
        List.of(joined(web, app, base)), ReadOptions.defaults(), requests::add, connections::add);

    assertThat(requests).hasSize(600);
    Map<String, Long> before =
        Map.of(
            web.toString(),
            0L,
            app.toString(),
            (long) files.get(web).packets().size(),
            base.toString(),
            (long) files.get(web).packets().size() + files.get(app).packets().size());
    for (Request request : requests) {
      PointTimes recorded = Objects.requireNonNull(request.recorded());
      List<Packet> packets = files.get(Path.of(recorded.point())).packets();
      long first = request.exchange().firstFrame() - before.get(recorded.point());
      long last = request.exchange().lastFrame() - before.get(recorded.point());
      assertThat(recorded.startNanos())
          .isCloseTo(packets.get((int) first - 1).timeNanos(), within(1L));
      assertThat(recorded.endNanos())
          .isCloseTo(packets.get((int) last - 1).timeNanos(), within(1L));
      if (!recorded.point().equals(app.toString())) {
        assertThat(recorded.startNanos()).isEqualTo(packets.get((int) first - 1).timeNanos());
      }
    }
    assertThat(connections)
        .extracting(each -> Objects.requireNonNull(each.recorded()).point())
        .containsExactlyInAnyOrder(web.toString(), app.toString(), base.toString());
    assertThat(requests(CaptureSource.file(web))).allMatch(request -> request.recorded() == null);
  }

  /** The parts of a capture. */
  private List<Path> parts(TimedPackets truth) throws IOException {
    List<Path> parts = new ArrayList<>();
    List<Packet> all = truth.packets();
    for (int part = 0; part < 3; part++) {
      List<Packet> some = all.subList(all.size() * part / 3, all.size() * (part + 1) / 3);
      Path file = directory.resolve("part-" + part + ".pcap");
      parts.add(Files.write(file, truth.with(some).toBytes()));
    }
    return parts;
  }

  private static @Nullable CaptureParts seemingParts(List<Path> files) {
    return CaptureParts.of(files.stream().map(CaptureSource::file).toList());
  }

  @Test
  void partsOfOneRecordingAreReadOnceAndInTheOrderOfTheirTimes() throws IOException {
    TimedPackets truth = seenByServers();
    List<Path> files = parts(truth);

    CaptureParts parts =
        Objects.requireNonNull(seemingParts(List.of(files.get(2), files.get(0), files.get(1))));
    List<Request> found = requests(parts);

    assertThat(parts.areParts()).isTrue();
    assertThat(parts.files()).extracting(CaptureSource.FileSource::path).isEqualTo(files);
    assertThat(found).isEqualTo(requests(CaptureSource.file(servers(truth)))).hasSize(600);
  }

  @Test
  void filesOfHostsWhoseClocksAreHoursApartAreNoPartsThoughTheyBeginInTurn() throws IOException {
    TimedPackets truth = seenByServers();
    Path web = point("web", truth, WEB, at -> at, packet -> true);
    Path app = point("app", truth, APP, at -> at + 3_600 * SECOND, packet -> true);
    Path base = point("base", truth, BASE, at -> at, packet -> true);

    CaptureParts parts = Objects.requireNonNull(seemingParts(List.of(web, app)));
    assertThat(requests(parts)).isNotEmpty();
    assertThat(parts.areParts()).isFalse();
    assertThat(seemingParts(List.of(web, base))).isNull();
    assertThat(seemingParts(List.of(web, web))).isNull();
  }

  @Test
  void whatIsGivenTwiceIsRefused() throws IOException {
    TimedPackets truth = seenByServers();
    CaptureSource.FileSource web =
        CaptureSource.file(point("web", truth, WEB, at -> at, packet -> true));
    CaptureSource.FileSource app =
        CaptureSource.file(point("app", truth, APP, at -> at, packet -> true));

    assertThatThrownBy(() ->
            CapturePoints.of(
                List.of(
                    new CapturePoints.Point("web", List.of(web)),
                    new CapturePoints.Point("copy", List.of(web)))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("web and copy", "the same packets at the same times");
    assertThatThrownBy(() ->
            CapturePoints.of(
                List.of(
                    new CapturePoints.Point("web", List.of(web, web)),
                    new CapturePoints.Point("app", List.of(app)))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContainingAll("web.pcap", "given twice for the capture point web");
  }
}
