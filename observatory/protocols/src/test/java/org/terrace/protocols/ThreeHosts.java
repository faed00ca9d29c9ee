package org.terrace.protocols;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Request;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.testing.TimedPackets;
import org.terrace.testing.TimedPackets.Packet;
import org.terrace.wire.CapturePoints;
import org.terrace.wire.CaptureSource;

/**
 * The captures of three hosts that call each other, each with a clock and a recorder of its own, of
 * some seconds of traffic that is known.
 */
abstract class ThreeHosts {
  static final long START = 1_790_000_000_000_000_000L;
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000_000_000;
  static final String USERS = "10.9.0.1";
  static final String WEB = "10.0.0.1";
  static final String APP = "10.0.0.2";
  static final String BASE = "10.0.0.3";
  static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  @TempDir Path directory = Path.of("");
  RandomGenerator random = Seeds.generator(0);

  @BeforeEach
  void seed() {
    random = Seeds.generator(Seeds.next("capture points"));
  }

  /** A minute of users who ask the web server, which asks the application, which asks a third. */
  TimedPackets seenByServers() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      TcpCapture.Connection users = capture.connection(USERS, 50_000, WEB, 80);
      TcpCapture.Connection web = capture.connection(WEB, 41_000, APP, 8080);
      TcpCapture.Connection app = capture.connection(APP, 42_000, BASE, 9000);
      for (TcpCapture.Connection each : List.of(users, web, app)) {
        each.open(START);
      }
      long at = START + MILLI;
      for (int i = 0; i < 200; i++) {
        at += 20 * MILLI + random.nextLong(40 * MILLI);
        String get = "GET /page/" + i + " HTTP/1.1\r\nHost: board\r\n\r\n";
        users.send(true, at, get);
        web.send(true, at += random.nextLong(MILLI, 3 * MILLI), get);
        app.send(true, at += random.nextLong(MILLI, 3 * MILLI), get);
        app.send(false, at += random.nextLong(MILLI, 3 * MILLI), OK);
        web.send(false, at += random.nextLong(MILLI, 3 * MILLI), OK);
        users.send(false, at += random.nextLong(MILLI, 3 * MILLI), OK);
      }
      for (TcpCapture.Connection each : List.of(users, web, app)) {
        each.close(at += MILLI);
      }
    }
    return TimedPackets.of(bytes.toByteArray()).sorted();
  }

  /** The capture at a host: its callees' packets are seen sooner or later by the network's way. */
  Path point(
      String name, TimedPackets truth, String host, LongUnaryOperator clock, Predicate<Packet> kept)
      throws IOException {
    List<Packet> seen = new ArrayList<>();
    for (Packet packet : truth.packets()) {
      if (packet.isFrom(host) || packet.isTo(host)) {
        boolean calls = packet.isFrom(host) ? isCallOf(packet, host) : isAnswerTo(packet, host);
        long way = calls ? 50_000 + random.nextLong(100_000) : 0;
        Packet moved = packet.at(packet.timeNanos() + (packet.isFrom(host) ? -way : way));
        if (kept.test(moved)) {
          seen.add(moved);
        }
      }
    }
    seen.sort(Comparator.comparingLong(Packet::timeNanos));
    seen.replaceAll(packet -> packet.at(clock.applyAsLong(packet.timeNanos())));
    return Files.write(directory.resolve(name + ".pcap"), truth.with(seen).toBytes());
  }

  private static String calledBy(String host) {
    return switch (host) {
      case WEB -> APP;
      case APP -> BASE;
      default -> "none";
    };
  }

  private static boolean isCallOf(Packet packet, String host) {
    return packet.isTo(calledBy(host));
  }

  private static boolean isAnswerTo(Packet packet, String host) {
    return packet.isFrom(calledBy(host));
  }

  static List<Request> requests(CaptureSource source) {
    List<Request> requests = new ArrayList<>();
    CaptureReader.read(source, ReadOptions.defaults(), requests::add);
    requests.sort(Comparator.comparing(Request::server).thenComparingLong(Request::arrivalNanos));
    return requests;
  }

  static CapturePoints joined(Path... files) {
    return Objects.requireNonNull(
        CapturePoints.find(List.of(files).stream().map(CaptureSource::file).toList()));
  }

  Path servers(TimedPackets truth) throws IOException {
    return Files.write(directory.resolve("servers.pcap"), truth.toBytes());
  }
}
