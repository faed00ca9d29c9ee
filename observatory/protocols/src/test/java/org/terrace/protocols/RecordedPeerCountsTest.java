package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.observation.Request;
import org.terrace.protocols.captures.Captures;
import org.terrace.testing.TcpCapture;

/** The same exchanges as tshark finds in captures of protocols with lengths, ids and lines. */
@Tag("real-processes")
@Tag("untimed")
class RecordedPeerCountsTest {
  private static final Set<String> COMMANDS_OF_TSHARK =
      Set.of(
          "VERSION",
          "SET",
          "GET",
          "GETS",
          "ADD",
          "REPLACE",
          "APPEND",
          "PREPEND",
          "CAS",
          "INCR",
          "DECR",
          "DELETE",
          "STATS",
          "FLUSH_ALL");

  private static final long LARGE_VALUE_FIRST_FRAME = 67;
  private static final long LARGE_VALUE_LAST_FRAME = 71;

  @TempDir private Path directory;

  /**
   * The fields of packets to a server's port, as tshark tells them: frame, port, and the fields.
   */
  private List<String[]> toServer(String capture, Set<String> ports, String... fields)
      throws IOException, InterruptedException {
    String[] all = new String[fields.length + 2];
    all[0] = "frame.number";
    all[1] = "tcp.dstport";
    System.arraycopy(fields, 0, all, 2, fields.length);
    List<String[]> lines = new ArrayList<>();
    for (String line : Tshark.lines(directory, capture, Captures.resource(capture), all)) {
      String[] values = line.split("\t", -1);
      if (ports.isEmpty() || ports.contains(values[1])) {
        lines.add(values);
      }
    }
    return lines;
  }

  /** The frames of every value of a field that counts. */
  private static List<Long> frames(List<String[]> lines, Set<String> counted) {
    List<Long> frames = new ArrayList<>();
    for (String[] line : lines) {
      for (String value : line[2].split(",", -1)) {
        if (!value.isEmpty() && (counted.isEmpty() || counted.contains(value))) {
          frames.add(Long.valueOf(line[0]));
        }
      }
    }
    return frames;
  }

  private static List<Long> firstFrames(String capture) {
    return requests(capture).stream().map(request -> request.exchange().firstFrame()).toList();
  }

  private static List<Request> requests(String capture) {
    return Captures.read(Captures.resource(capture)).requests();
  }

  /** A request is one of tshark's, unless it produces without asking for acknowledgements. */
  @Test
  void requestsOfKafkaAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines =
        toServer(
            "kafka.pcap",
            Set.of("9092"),
            "kafka.api_key",
            "kafka.required_acks",
            "kafka.api_version");
    List<String[]> answered = lines.stream().filter(line -> !line[3].equals("0")).toList();
    List<String> versions =
        answered.stream().map(line -> line[4]).filter(version -> !version.isEmpty()).toList();

    assertThat(answered).hasSize(lines.size() - 5);
    assertThat(firstFrames("kafka.pcap"))
        .containsExactlyInAnyOrderElementsOf(frames(answered, Set.of()));
    assertThat(requests("kafka.pcap"))
        .map(request -> request.requestClass().replaceAll(".* v(\\d+).*", "$1"))
        .containsExactlyInAnyOrderElementsOf(versions);
  }

  /** A request is a call of tshark's; its one-way calls are none. */
  @Test
  void callsOfThriftAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines =
        toServer("thrift.pcap", Set.of("9090", "9091"), "thrift.mtype", "thrift.method");
    List<String> methods =
        lines.stream().filter(line -> line[2].equals("0x01")).map(line -> line[3]).toList();

    assertThat(firstFrames("thrift.pcap"))
        .hasSizeGreaterThan(20)
        .containsExactlyInAnyOrderElementsOf(frames(lines, Set.of("0x01")));
    assertThat(requests("thrift.pcap"))
        .map(Request::requestClass)
        .containsExactlyInAnyOrderElementsOf(methods);
  }

  @Test
  void requestsOfGiopAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines = toServer("giop.pcap", Set.of(), "giop.type", "giop.request_op");
    List<String> operations =
        lines.stream().filter(line -> line[2].equals("0")).map(line -> line[3]).toList();

    assertThat(firstFrames("giop.pcap"))
        .hasSizeGreaterThan(20)
        .containsExactlyInAnyOrderElementsOf(frames(lines, Set.of("0")));
    assertThat(requests("giop.pcap"))
        .map(Request::requestClass)
        .containsExactlyInAnyOrderElementsOf(operations);
  }

  /** A request is a forwarded one, or a probe, as tshark numbers them. */
  @Test
  void requestsOfAjpAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines = toServer("ajp.pcap", Set.of("8009"), "ajp13.code");

    assertThat(firstFrames("ajp.pcap"))
        .hasSizeGreaterThan(20)
        .containsExactlyInAnyOrderElementsOf(frames(lines, Set.of("2", "10")));
  }

  @Test
  void requestsOfFastCgiAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines = toServer("fastcgi.pcap", Set.of("9000"), "fcgi.type");

    assertThat(firstFrames("fastcgi.pcap"))
        .hasSizeGreaterThan(10)
        .containsExactlyInAnyOrderElementsOf(frames(lines, Set.of("1")));
  }

  /**
   * A request is a line that tshark finds at the beginning of a packet, and those behind it, which
   * tshark passes over; it does not know the newer commands. QUIT has no answer, and of a value in
   * several packets tshark names the last.
   */
  @Test
  void commandsOfMemcachedAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines =
        toServer("memcached-text.pcap", Set.of("11211"), "memcache.command", "memcache.noreply");
    List<Long> frames =
        lines.stream()
            .filter(line -> !line[2].isEmpty() && !line[2].equals("quit") && line[3].isEmpty())
            .map(line -> Long.valueOf(line[0]))
            .map(frame -> frame == LARGE_VALUE_LAST_FRAME ? LARGE_VALUE_FIRST_FRAME : frame)
            .toList();
    List<Long> ours =
        requests("memcached-text.pcap").stream()
            .filter(request -> COMMANDS_OF_TSHARK.contains(request.requestClass()))
            .map(request -> request.exchange().firstFrame())
            .distinct()
            .toList();

    assertThat(frames).hasSizeGreaterThan(25);
    assertThat(ours).containsExactlyInAnyOrderElementsOf(frames);
  }

  /**
   * Data, SYN and SYN-ACK are sent again where tshark says so, on connections of a real kernel of
   * which packets were dropped; a FIN that is sent again is none of them.
   */
  @Test
  void retransmissionsAndRefusalsAreThoseOfTshark() throws IOException, InterruptedException {
    List<String> data = new ArrayList<>();
    List<String> opening = new ArrayList<>();
    List<String> granting = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    for (String[] line :
        toServer("loss.pcap", Set.of(), "tcp.analysis.retransmission", "tcp.len", "tcp.flags")) {
      boolean again = !line[2].isEmpty();
      int flags = Integer.decode(line[4]);
      boolean syn = (flags & TcpCapture.SYN) != 0;
      if ((flags & TcpCapture.RST) != 0) {
        broken.add(line[0]);
      } else if (again && syn) {
        ((flags & TcpCapture.ACK) == 0 ? opening : granting).add(line[0]);
      } else if (again && !line[3].equals("0")) {
        data.add(line[0]);
      }
    }
    List<Event> events = Captures.read(Captures.resource("loss.pcap")).result().events();

    assertThat(data).hasSizeGreaterThan(10);
    assertThat(granting).isNotEmpty();
    assertThat(frames(events, EventKinds.TCP_RETRANSMISSION, EventKinds.TCP_TIMEOUT))
        .containsExactlyInAnyOrderElementsOf(data);
    assertThat(frames(events, EventKinds.TCP_REPEATED_SYN))
        .containsExactlyInAnyOrderElementsOf(opening);
    // One that comes within a millisecond of the one before counts as the capture's copy of it.
    assertThat(frames(events, EventKinds.TCP_REPEATED_SYN_ACK)).isNotEmpty().isSubsetOf(granting);
    assertThat(frames(events, EventKinds.TCP_REFUSED, EventKinds.TCP_RESET))
        .hasSize(2)
        .containsExactlyInAnyOrderElementsOf(broken);
  }

  private static List<String> frames(List<Event> events, String... kinds) {
    return events.stream()
        .filter(event -> List.of(kinds).contains(event.kind()))
        .map(event -> event.attributes().get("frame"))
        .toList();
  }

  /** Requests inside of TLS, by the keys that the capture carries. */
  @Test
  void requestsInsideTlsAreThoseOfTshark() throws IOException, InterruptedException {
    List<String[]> lines =
        toServer("tls-http.pcapng", Set.of("14444"), "http.request.method", "http2.headers.method");
    int methods = 0;
    for (String[] line : lines) {
      for (int field = 2; field < line.length; field++) {
        methods += line[field].isEmpty() ? 0 : line[field].split(",", -1).length;
      }
    }

    assertThat(requests("tls-http.pcapng"))
        .filteredOn(request -> !request.requestClass().equals("TLS handshake"))
        .hasSize(methods)
        .hasSize(11);
  }
}
