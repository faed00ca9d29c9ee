package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.Server;
import org.terrace.observation.ValueSketch;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.CaptureSource;

class CaptureReaderTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final String GET = "GET /view-story?story=17 HTTP/1.1\r\nHost: board\r\n\r\n";
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Request> requests = new ArrayList<>();

  private ReadResult read() {
    return read(ReadOptions.defaults());
  }

  private ReadResult read(ReadOptions options) {
    return CaptureReader.read(
        CaptureSource.stream("test", new ByteArrayInputStream(bytes.toByteArray())),
        options,
        requests::add);
  }

  @Test
  void requestRunsFromItsFirstByteToTheLastOfItsResponse() {
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    connection.open(START);
    connection.send(true, START + 1_000, GET);
    connection.send(false, START + 5_000, OK.substring(0, 20));
    connection.send(false, START + 9_000, OK.substring(20));
    connection.close(START + 20_000);

    ReadResult result = read();

    assertThat(requests)
        .containsExactly(
            new Request(
                    "127.0.2.1:8080",
                    "GET /view-story?story={n}",
                    "127.0.9.1",
                    START + 1_000,
                    START + 1_000,
                    START + 9_000,
                    GET.length(),
                    OK.length(),
                    Outcome.OK,
                    0,
                    new Exchange(START + 1_000, START + 5_000, 4, 6),
                    null)
                .withCarriedValues(ValueSketch.add(ValueSketch.NONE, 17)));
    assertThat(result.servers())
        .containsExactly(new Server("127.0.2.1:8080", "app", List.of("127.0.2.1:8080")));
    assertThat(result.statistics().losses()).isEmpty();
    assertThat(result.statistics().packets()).isEqualTo(9);
  }

  @Test
  void resetLeavesAnAbortedRequestAndTheEndOfTheCaptureAnUnfinishedOne() {
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection reset = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    reset.open(START);
    reset.send(true, START + 1_000, GET);
    reset.reset(false, START + 7_000);
    TcpCapture.Connection open = capture.connection("127.0.9.1", 40_001, "127.0.2.1", 8080);
    open.open(START + 8_000);
    open.send(true, START + 9_000, GET);
    open.acknowledge(false, START + 11_000);

    read();

    assertThat(requests)
        .extracting(Request::outcome)
        .containsExactly(Outcome.ABORTED, Outcome.UNFINISHED);
    assertThat(requests)
        .extracting(Request::departureNanos)
        .containsExactly(START + 7_000, START + 11_000);
  }

  @Test
  void samplesTellTheTrafficOfEachServerBySecond() {
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    connection.open(START);
    connection.send(true, START + 1_000, GET);
    connection.send(false, START + 2_000_000_000L, OK);

    ReadResult result = read();

    assertThat(result.samples())
        .filteredOn(sample -> sample.resource().equals(ReadResult.RECEIVED))
        .extracting(sample -> sample.value())
        .containsExactly(3.0 * TcpCapture.HEADER_BYTES + GET.length(), 0.0, 0.0);
    assertThat(result.samples())
        .filteredOn(sample -> sample.resource().equals(ReadResult.SENT))
        .extracting(sample -> sample.value())
        .containsExactly(
            (double) TcpCapture.HEADER_BYTES, 0.0, (double) TcpCapture.HEADER_BYTES + OK.length());
  }

  @Test
  void inputThatIsNoCaptureIsRefusedWithTheNextStep() {
    bytes.writeBytes("hello, world".getBytes(java.nio.charset.StandardCharsets.UTF_8));

    assertThatThrownBy(this::read)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("test: expected a packet capture")
        .hasMessageContaining("terrace capture");
  }

  @Test
  void missingFileIsNamed() {
    Path missing = Path.of("no-such-file.pcap");

    assertThatThrownBy(() ->
            CaptureReader.read(CaptureSource.file(missing), ReadOptions.defaults(), requests::add))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("no-such-file.pcap");
  }

  @Test
  void closeOfTheCaptureIsHarmless() throws IOException {
    TcpCapture.inMemory(bytes).close();

    assertThat(read().statistics().packets()).isZero();
  }
}
