package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.report.FindingsFile;

class CsvOptionTest {
  private static final Path SHOP = Path.of("../../examples/slow-shop");

  @TempDir Path directory;

  /** A capture of a real nginx and PostgreSQL, its requests as CSV, and these analysed again. */
  @Test
  void theRequestsOfACaptureGiveTheSameServersWhenTheyAreReadAgain() throws IOException {
    Path first = directory.resolve("first");
    Path again = directory.resolve("again");

    assertThat(
            run(
                "analyze",
                SHOP.resolve("slow.pcap.gz").toString(),
                "--tiers=" + SHOP.resolve("tiers.yaml"),
                "--csv",
                "--out=" + first))
        .isZero();
    assertThat(run("analyze", first.resolve("requests.csv").toString(), "--out=" + again)).isZero();

    Observation packets = ObservationFiles.read(first);
    assertThat(packets.requests().size()).isGreaterThan(1_000);
    assertThat(rows(ObservationFiles.readRequests(first.resolve("requests.csv"))))
        .isEqualTo(rows(packets.requests()));
    assertThat(records(first.resolve("connections.csv"))).isEqualTo(packets.connections().size());
    assertThat(figures(again)).isEqualTo(figures(first)).isNotEmpty();
  }

  @Test
  void anEarlierResultGetsItsTablesByReport() throws IOException {
    Path out = directory.resolve("out");
    Path table =
        Files.writeString(
            directory.resolve("few.csv"),
            """
            server,arrivalNanos,departureNanos
            app1,1000000000,1010000000
            app1,1100000000,1110000000
            """);
    assertThat(run("analyze", table.toString(), "--out=" + out)).isZero();
    assertThat(out.resolve("requests.csv")).doesNotExist();

    assertThat(run("report", out.toString(), "--csv")).isZero();

    assertThat(rows(ObservationFiles.readRequests(out.resolve("requests.csv"))))
        .isEqualTo(rows(ObservationFiles.read(out).requests()))
        .hasSize(2);
    assertThat(records(out.resolve("connections.csv"))).isZero();
  }

  @Test
  void aMeshAndAStudyHaveNoTablesOfOneObservation() throws IOException {
    for (String specification :
        List.of("experiments/small-mesh.yaml", "studies/magical-one-percent.yaml")) {
      StringWriter messages = new StringWriter();

      int exitCode =
          Terrace.commandLine()
              .setErr(new PrintWriter(messages))
              .execute(
                  "run",
                  "../../" + specification,
                  "--csv",
                  "--out=" + directory.resolve("nothing"));

      assertThat(exitCode).isEqualTo(2);
      assertThat(messages.toString()).contains("--csv is for experiments and captures");
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left).isEmpty();
      }
    }
  }

  private static int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--quiet");
    return Terrace.commandLine().execute(all.toArray(String[]::new));
  }

  /** The findings of each server that do not depend on packets. */
  private static List<String> figures(Path result) {
    Findings findings = FindingsFile.read(result.resolve(FindingsFile.NAME));
    return findings.servers().stream()
        .map(server ->
            server.name()
                + " "
                + server.requests()
                + " "
                + server.residenceMicros()
                + " "
                + server.stalls().stream()
                    .map(stall -> stall.startNanos() + "-" + stall.endNanos())
                    .toList())
        .sorted()
        .toList();
  }

  private static List<Request> rows(RequestTable table) {
    return java.util.stream.IntStream.range(0, table.size()).mapToObj(table::request).toList();
  }

  /** The lines behind the first; no text of the capture holds the end of a line. */
  private static long records(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.skip(1).count();
    }
  }
}
