package org.terrace.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.CongestionPoint;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Findings.Latency;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.report.FindingsFile;

/** Histories of results, as directories hold them. */
class ResultHistoryTest {
  @TempDir Path directory;

  /** A result of one server with this median, in microseconds, unlike all others. */
  private void result(String name, double micros) throws IOException {
    ServerFindings server =
        new ServerFindings(
            "app1",
            "app",
            1_000,
            100,
            new Latency(micros, micros, micros, micros, micros),
            new CongestionPoint(
                false, null, null, null, 3, null, List.of(), null, null, null, null, null, null),
            List.of(),
            List.of(),
            null,
            List.of(),
            null,
            null,
            List.of());
    Path place = Files.createDirectories(directory.resolve(name));
    Files.writeString(
        place.resolve("facts.json"),
        "{\"format\": \"terrace-facts/1\", \"title\": \"shop\", \"machine\": []}");
    FindingsFile.write(
        place.resolve(FindingsFile.NAME),
        new Findings(
            Findings.FORMAT,
            null,
            Findings.Window.NONE,
            List.of(server),
            Findings.Transactions.NONE,
            null,
            List.of(),
            List.of()));
  }

  private History read(String... names) {
    return History.read(
        List.of(names).stream().map(name -> directory.resolve(name).toString()).toList());
  }

  /** As where a pipeline repeats its newest run: none of the repeats is a point. */
  @Test
  void aDirectoryOfRepeatsAmongResultsIsLeftOutWithANote() throws IOException {
    result("runs/b-1", 2_000);
    result("runs/b-2", 2_001);
    result("runs/b-10/1", 9_000);
    result("runs/b-10/2", 9_001);

    History history = read("runs");

    assertThat(history.figures().getFirst().points()).hasSize(2);
    assertThat(history.newestLeftOut()).containsExactly("b-10");
    assertThat(history.notes())
        .singleElement()
        .asString()
        .contains("b-10 is left out: it holds several results");

    result("runs/b-11", 2_002);
    assertThat(read("runs").newestLeftOut()).isEmpty();
    assertThat(read("runs").notes()).hasSize(1);
  }

  @Test
  void directoriesOfRepeatsAloneAreNoHistory() throws IOException {
    result("runs/b-1/1", 2_000);
    result("runs/b-1/2", 2_001);

    assertThatThrownBy(() -> read("runs")).hasMessageContaining("it holds no results");
  }
}
