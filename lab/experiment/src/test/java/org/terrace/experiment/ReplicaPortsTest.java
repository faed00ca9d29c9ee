package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.testing.TcpCapture;

/** The talk of application servers among themselves, in the packets of a trial. */
class ReplicaPortsTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;

  @TempDir Path directory;

  @Test
  void isNoServerOfItsOwn() throws Exception {
    Path file = directory.resolve("capture.pcap");
    try (TcpCapture capture = TcpCapture.to(file)) {
      TcpCapture.Connection page = capture.connection("127.0.2.1", 40_000, "127.0.3.1", 8080);
      TcpCapture.Connection state = capture.connection("127.0.3.2", 40_001, "127.0.3.1", 7900);
      page.open(START);
      state.open(START + 1_000);
      for (int i = 1; i <= 20; i++) {
        long at = START + i * MILLIS;
        page.send(true, at, "GET /story HTTP/1.1\r\nHost: board\r\n\r\n");
        state.send(true, at + 1_000, "state of a replica");
        state.send(false, at + 2_000, "thanks");
        page.send(false, at + 3_000, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
      }
    }
    Trial trial =
        new Trial(
            PlainExperiments.of(new Topology(1, 2, 0, 1)),
            "",
            directory,
            List.of(
                new Server("app1", "app", List.of("127.0.3.1:8080")),
                new Server("app2", "app", List.of("127.0.3.2:8080"))),
            List.of(),
            List.of(),
            RequestTable.empty(),
            List.of(),
            List.of(new Trial.CaptureFile("local", file, 0, 0, 0)),
            Map.of(),
            Map.of(),
            List.of(),
            Optional.empty());

    TrialAnalysis analysis = TrialAnalysis.of(trial);

    assertThat(analysis.result().findings().servers())
        .extracting(ServerFindings::name, ServerFindings::requests)
        .containsExactly(tuple("app1", 20L), tuple("app2", 0L));
    assertThat(analysis.observation().requests().servers()).containsExactly("app1");
  }
}
