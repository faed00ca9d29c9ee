package org.terrace.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Observation;
import org.terrace.testing.Seeds;

/** DuckDB reads a data set as it is, with the columns that the guide documents. */
class FleetDuckDbTest {
  private static final long START = 1_790_002_770_000_000_000L;

  @TempDir static Path exported;
  @TempDir Path fleet;

  @BeforeAll
  static void exportTwoTrials() {
    Observation observation = GeneratedTrial.of(Seeds.next("FleetDuckDbTest"), START, 24_000);
    FleetWriter.add(exported, "monday: before", observation, false);
    FleetWriter.add(exported, "tuesday", observation, false);
  }

  /** A data set of its own for each test, since some change theirs. */
  @BeforeEach
  void copyTrials() throws IOException {
    try (Stream<Path> files = Files.walk(exported)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = fleet.resolve(exported.relativize(file));
        Files.createDirectories(copy.resolveSibling(""));
        Files.copy(file, copy);
      }
    }
  }

  @Test
  void theRequestsOfAllTrialsAreOneTable() throws SQLException {
    assertThat(
            rows(
                "select trial, server, count(*) from %s group by all order by all"
                    .formatted(requests())))
        .startsWith(
            "monday: before,app1," + count("monday: before", "app1"),
            "monday: before,app2," + count("monday: before", "app2"),
            "monday: before,clients,24000",
            "monday: before,db1,48000",
            "monday: before,web1,24000")
        .hasSize(10);
    assertThat(rows("select distinct hour from %s order by hour".formatted(requests())))
        .containsExactly("2026-09-21-14", "2026-09-21-15");
  }

  /** A trial that a writer is at, or was when it was ended, is in no answer and disturbs none. */
  @Test
  void aTrialThatIsWrittenOrReplacedIsInNoAnswer() throws SQLException, IOException {
    TrialFolders folders = new TrialFolders(fleet, "tuesday");
    List<TrialFolders.Move> replacing = folders.publication();
    for (TrialFolders.Move step : replacing.subList(0, replacing.size() / 2)) {
      step.make();
    }
    for (String table : List.of("requests", "files", "trials")) {
      TrialFolders other = new TrialFolders(fleet, "another");
      Files.createDirectories(other.unfinished(table).resolve("..").normalize());
      Files.move(fleet.resolve(table).resolve(".replaced/trial=tuesday"), other.unfinished(table));
    }

    assertThat(rows("select distinct trial from %s".formatted(requests())))
        .containsExactly("monday: before");
    for (String table : List.of("files", "trials")) {
      assertThat(
              rows(
                  "select distinct trial from read_parquet('%s/%s/*/*.parquet', hive_partitioning = true)"
                      .formatted(fleet, table)))
          .containsExactly("monday: before");
    }
  }

  @Test
  void theTableOfFilesCountsWhatIsThere() throws SQLException {
    assertThat(
            rows(
                """
                select count(*) from (
                  select trial, server, hour, count(*) as requests from %s group by all
                  except
                  select trial, server, hour, sum(requests) from
                    read_parquet('%s/files/*/*.parquet', hive_partitioning = true) group by all)\
                """
                    .formatted(requests(), fleet)))
        .containsExactly("0");
  }

  @Test
  void positionsAreThoseOfOneTable() throws SQLException {
    assertThat(
            rows(
                """
                select trial, count(distinct position), min(position), max(position),
                  bool_and(arrivalNanos >= before)
                from (select *, lag(arrivalNanos, 1, 0) over (partition by trial order by position)
                  as before from %s) group by trial order by trial\
                """
                    .formatted(requests())))
        .containsExactly("monday: before,120000,0,119999,true", "tuesday,120000,0,119999,true");
  }

  @Test
  void theColumnsAreThoseOfTheGuide() throws SQLException {
    assertThat(rows("select column_name from (describe from %s)".formatted(requests())))
        .containsExactly(
            "position",
            "requestClass",
            "client",
            "intendedNanos",
            "arrivalNanos",
            "requestEndNanos",
            "responseStartNanos",
            "departureNanos",
            "bytesIn",
            "bytesOut",
            "outcome",
            "connection",
            "firstFrame",
            "lastFrame",
            "identifier",
            "transaction",
            "span",
            "parent",
            "confidence",
            "source",
            "point",
            "pointArrivalNanos",
            "pointDepartureNanos",
            "hour",
            "server",
            "trial");
    assertThat(described("trials"))
        .containsExactly(
            "format VARCHAR",
            "requests BIGINT",
            "startNanos BIGINT",
            "endNanos BIGINT",
            "basis VARCHAR",
            "servers VARCHAR[]",
            "requestClasses VARCHAR[]",
            "revision VARCHAR",
            "trial VARCHAR");
    assertThat(described("files"))
        .containsExactly(
            "server VARCHAR",
            "hour VARCHAR",
            "caller VARCHAR",
            "requests BIGINT",
            "firstArrivalNanos BIGINT",
            "lastArrivalNanos BIGINT",
            "trial VARCHAR");
  }

  /** Else the columns are those of whichever file comes first. */
  @Test
  void columnsThatWereAddedLaterAreThereThoughAnEarlierTrialLacksThem()
      throws SQLException, IOException {
    for (FleetFile file : FleetReader.files(FleetStorage.of(fleet), "monday: before")) {
      Path place = fleet.resolve(file.path("monday: before"));
      Path earlier = fleet.resolve("earlier.parquet");
      rows(
          "copy (select * exclude (bytesOut, point) from read_parquet('%s', hive_partitioning = false)) to '%s'"
              .formatted(place, earlier));
      Files.move(earlier, place, StandardCopyOption.REPLACE_EXISTING);
    }

    assertThat(
            rows(
                "select trial, count(*), count(bytesOut) from %s group by all order by all"
                    .formatted(requests())))
        .containsExactly("monday: before,120000,0", "tuesday,120000,120000");
  }

  private long count(String trial, String server) {
    return FleetReader.files(FleetStorage.of(fleet), trial).stream()
        .filter(file -> file.server().equals(server))
        .mapToLong(FleetFile::requests)
        .sum();
  }

  private String requests() {
    return "read_parquet('%s/requests/*/*/*/*.parquet', hive_partitioning = true, union_by_name = true)"
        .formatted(fleet);
  }

  private List<String> described(String table) throws SQLException {
    return rows(
        "select column_name || ' ' || column_type from (describe from read_parquet('%s/%s/*/*.parquet', hive_partitioning = true))"
            .formatted(fleet, table));
  }

  private static List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      if (!statement.execute(sql)) {
        return rows;
      }
      ResultSet row = statement.getResultSet();
      while (row.next()) {
        List<String> fields = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          fields.add(row.getString(i));
        }
        rows.add(String.join(",", fields));
      }
    }
    return rows;
  }
}
