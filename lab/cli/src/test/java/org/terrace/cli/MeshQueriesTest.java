package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.report.FindingsFile;
import org.terrace.scaling.ClassOutcome;
import org.terrace.scaling.LatencyHistogram;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshCell;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The queries of the guide to meshes, asked by DuckDB of a mesh, and held against what the mesh,
 * its plan and the findings of its trials say.
 */
class MeshQueriesTest {
  private static final String FOLDER = "'mesh/";

  @TempDir static Path folder;

  private static Mesh mesh = new Mesh("none", Map.of(), List.of());

  @BeforeAll
  static void write() {
    mesh = MeshExample.write(folder);
  }

  static boolean isOfAMesh(GuideBlock block) {
    return block.text().contains(FOLDER);
  }

  /** The answer of the query of the guide that yields a column, row by row. */
  private static List<Map<String, Object>> answer(String column) throws IOException, SQLException {
    List<GuideBlock> queries =
        GuideBlock.all().stream()
            .filter(block -> block.language().equals("sql") && isOfAMesh(block))
            .filter(block -> block.text().contains(" AS " + column))
            .toList();
    assertThat(queries).as(column).hasSize(1);
    String query = queries.getFirst().text().replace(FOLDER, "'" + folder.resolve("mesh") + "/");
    List<Map<String, Object>> rows = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      while (found.next()) {
        Map<String, Object> row = new TreeMap<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.put(found.getMetaData().getColumnLabel(i), found.getObject(i));
        }
        rows.add(row);
      }
    }
    assertThat(rows).isNotEmpty();
    return rows;
  }

  private static double number(Map<String, Object> row, String column) {
    return ((Number) row.get(column)).doubleValue();
  }

  private static String place(Map<String, Object> row) {
    return row.get("topology") + " " + row.get("users");
  }

  private static String place(MeshCell cell) {
    return cell.configuration().topology() + " " + cell.users();
  }

  private static List<MeshCell> cells() {
    List<MeshCell> cells = mesh.cells();
    assertThat(cells).hasSize(4);
    return cells;
  }

  @Test
  void eachQueryHasATestHere() throws IOException {
    assertThat(GuideBlock.all())
        .filteredOn(block -> block.language().equals("sql") && isOfAMesh(block))
        .hasSize(5)
        .allMatch(block -> block.page().equals("meshes.md"));
  }

  @Test
  void throughputIsTheMeanOfTheTrialsThatCount() throws Exception {
    List<Map<String, Object>> rows = answer("per_second");

    assertThat(rows).hasSize(4);
    for (int i = 0; i < rows.size(); i++) {
      Map<String, Object> row = rows.get(i);
      MeshCell cell = cells().get(i);
      assertThat(place(row)).isEqualTo(place(cell));
      assertThat(number(row, "trials")).isEqualTo(2);
      double[] each = cell.throughputs();
      assertThat(number(row, "per_second"))
          .isCloseTo(Arrays.stream(each).average().orElse(0), within(1e-9));
      assertThat(number(row, "deviation"))
          .isPositive()
          .isCloseTo(Math.abs(each[0] - each[1]) / Math.sqrt(2), within(1e-9));
    }
  }

  @Test
  void useIsTheMeanOfAllSamples() throws Exception {
    Map<String, Double> told = new TreeMap<>();
    answer("in_use")
        .forEach(row ->
            told.put(
                place(row) + " " + row.get("node") + " " + row.get("resource"),
                number(row, "in_use")));
    Map<String, Double> known = new TreeMap<>();
    for (MeshCell cell : cells()) {
      for (Utilisation use : cell.utilisation()) {
        known.put(place(cell) + " " + use.node() + " " + use.resource(), use.mean());
      }
    }

    assertThat(told.keySet()).isEqualTo(known.keySet()).hasSize(8);
    known.forEach((place, mean) -> assertThat(told.get(place)).isCloseTo(mean, within(1e-4)));
  }

  @Test
  void profitIsThatOfThePlan() throws Exception {
    Path prices =
        Files.writeString(
            folder.resolve("prices.yaml"),
            """
            kind: Prices
            servers: {normal: 0.20}
            requests: {others: {within: 500ms, revenue: 0.0001, penalty: 0.0002}}
            """);
    Path out = folder.resolve("plan");
    assertThat(
            Terrace.commandLine()
                .execute(
                    "plan",
                    folder.resolve("mesh").toString(),
                    "--quiet",
                    "--prices=" + prices,
                    "--out=" + out))
        .isZero();
    JsonNode plan = JsonMapper.shared().readTree(Files.readString(out.resolve("plan.json")));
    List<Map<String, Object>> rows = answer("profit_per_hour");

    assertThat(rows).hasSize(4);
    for (Map<String, Object> row : rows) {
      List<JsonNode> cell =
          plan.path("cells")
              .valueStream()
              .filter(each -> each.path("users").asInt() == number(row, "users"))
              .filter(each ->
                  each.path("configuration")
                      .asString()
                      .startsWith(String.valueOf(row.get("topology"))))
              .toList();
      assertThat(cell).hasSize(1);
      assertThat(number(row, "profit_per_hour"))
          .isCloseTo(cell.getFirst().path("profitPerHour").asDouble(), within(1e-3));
    }
    assertThat(rows.stream().map(row -> number(row, "profit_per_hour")).distinct()).hasSize(4);
  }

  private static Findings findings(MeshTrial trial) {
    return FindingsFile.read(
        folder.resolve("mesh").resolve(trial.folder()).resolve(FindingsFile.NAME));
  }

  @Test
  void theLongestStallOfEachTrialIsThatOfItsFindings() throws Exception {
    List<Map<String, Object>> rows = answer("longest_millis");

    assertThat(rows).hasSize(8);
    assertThat(rows)
        .isSortedAccordingTo(
            Comparator.comparingDouble((Map<String, Object> row) -> number(row, "longest_millis"))
                .reversed());
    for (MeshTrial trial : mesh.done()) {
      long longest =
          findings(trial).servers().stream()
              .map(ServerFindings::stalls)
              .flatMap(List::stream)
              .mapToLong(stall -> stall.endNanos() - stall.startNanos())
              .max()
              .orElseThrow();
      assertThat(rows)
          .filteredOn(row -> trial.key().equals(row.get("key")))
          .singleElement()
          .satisfies(row -> {
            assertThat(number(row, "longest_millis")).isCloseTo(longest / 1e6, within(1e-6));
            assertThat(row.get("server")).isEqualTo("app1");
          });
    }
  }

  @Test
  void pagesOfTheTablesAreThoseOfTheMesh() throws Exception {
    List<Map<String, Object>> rows = answer("p99_micros");

    assertThat(rows).hasSize(16);
    for (MeshTrial trial : mesh.done()) {
      assertThat(trial.classes()).hasSize(2);
      for (ClassOutcome page : trial.classes()) {
        assertThat(rows)
            .filteredOn(row -> trial.key().equals(row.get("key")))
            .filteredOn(row -> String.valueOf(row.get("requestClass")).equals(page.name()))
            .singleElement()
            .satisfies(row -> {
              assertThat(number(row, "requests")).isEqualTo((double) page.count());
              assertThat(number(row, "errors")).isEqualTo((double) page.errors()).isPositive();
              assertIsInBin(number(row, "p99_micros"), page.latency());
            });
      }
    }
  }

  /** The 99th percentile lies in the bin in which that part of the counts is reached. */
  private static void assertIsInBin(double micros, LatencyHistogram latency) {
    double wanted = 0.99 * latency.total();
    double[] ends = latency.boundaryMicros();
    int bin = 0;
    while (latency.atMost(ends[bin]) < wanted) {
      bin++;
    }
    assertThat(micros).as("%s", latency).isGreaterThan(bin == 0 ? 0 : ends[bin - 1]);
    assertThat(micros).as("%s", latency).isLessThanOrEqualTo(ends[bin]);
  }
}
