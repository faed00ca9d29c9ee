package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionExample;
import org.terrace.analysis.finding.TransactionExample.TransactionSpan;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.analysis.finding.TransactionProfile.TierTime;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialAnalysis;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.report.FindingsFile;
import org.terrace.specification.SpecificationReader;
import org.terrace.testing.TcpCapture;

class StitchedTrialTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final long MILLIS = 1_000_000L;
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: chain
      topology: 1/1/0/1
      load: {closed: {users: 10, think: exp(2s)}, mix: browse-only}
      phases: {run: 10s}
      """;

  @TempDir Path directory = Path.of("");

  @Test
  void theRequestsOfATrialAreStitchedInItsTablesAndItsFindings() throws Exception {
    List<String> limits = new ArrayList<>();

    Trial trial = trial();
    TrialAnalysis analysis = RunCommand.stitched(TrialAnalysis.of(trial), limits);
    TrialResult.write(
        trial, analysis, limits, "terrace run chain.yaml", findings -> List.of(), directory);

    assertThat(limits).isEmpty();
    Findings.Transactions found =
        FindingsFile.read(directory.resolve(FindingsFile.NAME)).transactions();
    assertThat(found.count()).isEqualTo(20);
    assertThat(found.complete()).isEqualTo(20);
    assertThat(found.calls()).isEqualTo(20);
    assertThat(found.confidence().p05()).isGreaterThan(0.95);
    assertThat(found.reason()).isNull();
    TransactionProfile profile = found.profiles().getFirst();
    assertThat(profile.tiers())
        .extracting(TierTime::tier, TierTime::micros)
        .containsExactly(tuple("app", 4_000.0), tuple("web", 2_000.0));
    TransactionExample example = profile.examples().getFirst();
    assertThat(example.displayFilter()).endsWith("tcp.port in {40000, 40001}");
    assertThat(example.spans()).extracting(TransactionSpan::server).containsExactly("web1", "app1");
    RequestTable table = ObservationFiles.read(directory).requests();
    for (int row = 0; row < table.size(); row++) {
      assertThat(table.trace(row)).isNotNull();
    }
    assertThat(Files.readString(directory.resolve("report.html")))
        .contains("20 transactions, of which 20 are complete");
  }

  private Trial trial() throws Exception {
    Path file = directory.resolve("packets.pcap");
    try (TcpCapture capture = TcpCapture.to(file)) {
      TcpCapture.Connection page = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
      TcpCapture.Connection call = capture.connection("127.0.2.1", 40_001, "127.0.3.1", 8080);
      page.open(START);
      call.open(START + 1_000);
      for (int i = 1; i <= 20; i++) {
        long at = START + i * 10L * MILLIS;
        page.send(true, at, "GET /story HTTP/1.1\r\nHost: board\r\n\r\n");
        call.send(true, at + MILLIS, "GET /story HTTP/1.1\r\nHost: board\r\n\r\n");
        call.send(false, at + 5 * MILLIS, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        page.send(false, at + 6 * MILLIS, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
      }
    }
    return new Trial(
        SpecificationReader.read("chain.yaml", SPECIFICATION),
        SPECIFICATION,
        directory,
        List.of(
            new Server("web1", "web", List.of("127.0.2.1:8080")),
            new Server("app1", "app", List.of("127.0.3.1:8080"))),
        List.of(),
        List.of(),
        RequestTable.empty(),
        List.of(),
        List.of(new Trial.CaptureFile("local", file, 0, 0, 0)),
        Map.of(),
        Map.of(),
        List.of(),
        Optional.empty());
  }
}
