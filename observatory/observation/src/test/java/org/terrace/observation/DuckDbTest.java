package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.TerraceException;
import org.terrace.testing.Seeds;

/** DuckDB reads what Terrace writes, and Terrace what DuckDB writes. */
class DuckDbTest {
  @TempDir Path directory;

  private final RandomGenerator random = Seeds.generator(Seeds.next("DuckDbTest"));

  @Test
  void duckDbReadsEveryRequestAsItWasWritten() throws SQLException {
    RequestTable requests = RandomObservations.requests(random, 3_000);
    ObservationFiles.writeRequests(directory.resolve("requests.parquet"), requests);

    assertThat(rowsSeenByDuckDb()).isEqualTo(RandomObservations.rows(requests));
  }

  @Test
  void duckDbSeesTheColumnsOfTheDesign() throws SQLException {
    ObservationFiles.write(directory, RandomObservations.observation(random, 5));

    assertThat(columns("requests.parquet"))
        .containsExactly(
            "server VARCHAR",
            "requestClass VARCHAR",
            "client VARCHAR",
            "intendedNanos BIGINT",
            "arrivalNanos BIGINT",
            "requestEndNanos BIGINT",
            "responseStartNanos BIGINT",
            "departureNanos BIGINT",
            "bytesIn BIGINT",
            "bytesOut BIGINT",
            "outcome VARCHAR",
            "connection INTEGER",
            "firstFrame BIGINT",
            "lastFrame BIGINT",
            "identifier BIGINT",
            "transaction BIGINT",
            "span BIGINT",
            "parent BIGINT",
            "confidence DOUBLE",
            "source VARCHAR",
            "point VARCHAR",
            "pointArrivalNanos BIGINT",
            "pointDepartureNanos BIGINT");
    assertThat(columns("samples.parquet"))
        .containsExactly("node VARCHAR", "resource VARCHAR", "timeNanos BIGINT", "value DOUBLE");
    assertThat(columns("events.parquet"))
        .containsExactly(
            "node VARCHAR",
            "kind VARCHAR",
            "startNanos BIGINT",
            "endNanos BIGINT",
            "attributes MAP(VARCHAR, VARCHAR)");
    assertThat(columns("connections.parquet"))
        .containsExactly(
            "connection BIGINT",
            "server VARCHAR",
            "clientAddress VARCHAR",
            "serverAddress VARCHAR",
            "protocol VARCHAR",
            "evidence VARCHAR",
            "backend BIGINT",
            "firstFrame BIGINT",
            "lastFrame BIGINT",
            "startNanos BIGINT",
            "endNanos BIGINT",
            "beginning VARCHAR",
            "ending VARCHAR",
            "bytesIn BIGINT",
            "bytesOut BIGINT",
            "requests BIGINT",
            "point VARCHAR",
            "pointStartNanos BIGINT",
            "pointEndNanos BIGINT");
    assertThat(columns("servers.parquet"))
        .containsExactly("name VARCHAR", "tier VARCHAR", "addresses VARCHAR[]");
  }

  @Test
  void duckDbLooksIntoTheAttributesOfEvents() throws SQLException {
    ObservationFiles.write(directory, RandomObservations.observation(random, 200));

    long expected =
        ObservationFiles.read(directory).events().stream()
            .filter(event -> "kill".equals(event.attributes().get("cause")))
            .count();

    assertThat(
            number(
                "select count(*) from '%s/events.parquet' where attributes['cause'] = 'kill'"
                    .formatted(directory)))
        .isEqualTo(expected);
  }

  @Test
  void pagesAreZstandardAndStringsAreDictionaries() throws SQLException {
    ObservationFiles.writeRequests(
        directory.resolve("requests.parquet"), RandomObservations.requests(random, 1_000));

    assertThat(
            number(
                "select count(*) from parquet_metadata('%s/requests.parquet') where compression <> 'ZSTD'"
                    .formatted(directory)))
        .isZero();
    assertThat(
            number(
                "select count(*) from parquet_metadata('%s/requests.parquet') where type = 'BYTE_ARRAY' and encodings like '%%DICTIONARY%%'"
                    .formatted(directory)))
        .isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "snappy", "gzip", "uncompressed"})
  void requestsWrittenByDuckDbAreRead(String compression) throws SQLException {
    RequestTable requests = RandomObservations.requests(random, 5_000);
    ObservationFiles.writeRequests(directory.resolve("requests.parquet"), requests);
    execute(
        "copy (from '%1$s/requests.parquet') to '%1$s/copy.parquet' (format parquet, compression %2$s)"
            .formatted(directory, compression));

    RequestTable read = ObservationFiles.readRequests(directory.resolve("copy.parquet"));

    assertThat(RandomObservations.rows(read)).isEqualTo(RandomObservations.rows(requests));
  }

  @Test
  void columnsThatAUserLacksAreFilledIn() throws SQLException {
    execute(
        "copy (select 'web1' as server, 5::bigint as arrivalNanos, 9::bigint as departureNanos) to '%s/few.parquet'"
            .formatted(directory));

    assertThat(ObservationFiles.readRequests(directory.resolve("few.parquet")).request(0))
        .isEqualTo(new Request("web1", "unknown", "unknown", 5, 5, 9, 0, 0, Outcome.OK, 0));
  }

  @Test
  void timesOfAnotherUnitAreRefused() throws SQLException {
    execute(
        "copy (select 'web1' as server, now()::timestamp as arrivalNanos, 9::bigint as departureNanos) to '%s/micros.parquet'"
            .formatted(directory));

    assertThatThrownBy(() -> ObservationFiles.readRequests(directory.resolve("micros.parquet")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("arrivalNanos")
        .hasMessageContaining("nanoseconds since the Unix epoch");
  }

  @Test
  void aMissingColumnIsNamedBesideThoseThatAreThere() throws SQLException {
    execute("copy (select 'web1' as server, 5 as start) to '%s/odd.parquet'".formatted(directory));

    assertThatThrownBy(() -> ObservationFiles.readRequests(directory.resolve("odd.parquet")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("no column arrivalNanos")
        .hasMessageContaining("server, start");
  }

  @Test
  void anEmptyValueIsRefused() throws SQLException {
    execute(
        "copy (select 'web1' as server, null::bigint as arrivalNanos, 9::bigint as departureNanos) to '%s/empty.parquet'"
            .formatted(directory));

    assertThatThrownBy(() -> ObservationFiles.readRequests(directory.resolve("empty.parquet")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("arrivalNanos has an empty value");
  }

  private List<Request> rowsSeenByDuckDb() throws SQLException {
    List<Request> rows = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet row = statement.executeQuery("from '%s/requests.parquet'".formatted(directory))) {
      while (row.next()) {
        rows.add(
            new Request(
                    row.getString("server"),
                    row.getString("requestClass"),
                    row.getString("client"),
                    row.getLong("intendedNanos"),
                    row.getLong("arrivalNanos"),
                    row.getLong("departureNanos"),
                    row.getLong("bytesIn"),
                    row.getLong("bytesOut"),
                    Outcome.valueOf(row.getString("outcome")),
                    row.getInt("connection"),
                    new Exchange(
                        nullable(row, "requestEndNanos"),
                        nullable(row, "responseStartNanos"),
                        nullable(row, "firstFrame"),
                        nullable(row, "lastFrame")),
                    row.getLong("identifier"),
                    trace(row))
                .withRecorded(recorded(row)));
      }
    }
    return rows;
  }

  private static long nullable(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? Exchange.UNKNOWN : value;
  }

  private static @Nullable TraceContext trace(ResultSet row) throws SQLException {
    String source = row.getString("source");
    return source == null
        ? null
        : new TraceContext(
            row.getLong("transaction"),
            row.getLong("span"),
            nullable(row, "parent"),
            row.getDouble("confidence"),
            source);
  }

  private static @Nullable PointTimes recorded(ResultSet row) throws SQLException {
    String point = row.getString("point");
    return point == null
        ? null
        : new PointTimes(
            point, row.getLong("pointArrivalNanos"), row.getLong("pointDepartureNanos"));
  }

  private List<String> columns(String file) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet row =
            statement.executeQuery("describe from '%s/%s'".formatted(directory, file))) {
      while (row.next()) {
        columns.add(row.getString("column_name") + " " + row.getString("column_type"));
      }
    }
    return columns;
  }

  private static long number(String sql) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      statement.execute(sql);
    }
  }
}
