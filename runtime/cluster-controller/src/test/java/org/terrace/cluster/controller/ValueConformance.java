package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values, rows and metadata that a program may ask of JDBC. */
abstract class ValueConformance extends ConformanceServers {
  static final int LARGE = 3 << 20;

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES, MARIADB})
  void manyRowsAreReadPageByPageAndAPartOfThemToo(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        Statement statement = connection.createStatement()) {
      fill(connection, 2_500);
      connection.setAutoCommit(false);
      statement.setFetchSize(100);
      try (ResultSet rows = statement.executeQuery("SELECT id FROM item ORDER BY id")) {
        for (int i = 1; i <= 2_500; i++) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(i);
        }
        assertThat(rows.next()).isFalse();
      }
      for (int i = 0; i < 40; i++) {
        try (ResultSet rows = statement.executeQuery("SELECT id FROM item ORDER BY id")) {
          assertThat(rows.next()).isTrue();
        }
      }
      connection.commit();
      statement.setMaxRows(7);
      try (ResultSet rows = statement.executeQuery("SELECT id FROM item")) {
        int count = 0;
        while (rows.next()) {
          count++;
        }
        assertThat(count).isEqualTo(7);
      }
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES, MARIADB})
  void resultsThatScrollGoBackAndForth(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
      for (int i = 1; i <= 4; i++) {
        insert(connection, i);
      }
      try (ResultSet rows = statement.executeQuery("SELECT id FROM item ORDER BY id")) {
        assertThat(rows.last()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(4);
        assertThat(rows.isLast()).isTrue();
        assertThat(rows.absolute(2)).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(2);
        assertThat(rows.previous()).isTrue();
        assertThat(rows.isFirst()).isTrue();
        assertThat(rows.relative(2)).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(3);
        rows.afterLast();
        assertThat(rows.isAfterLast()).isTrue();
        rows.beforeFirst();
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
      assertThatThrownBy(() ->
              connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES, MARIADB})
  void largeValuesGoAndComeAsStreams(String engine) throws Exception {
    byte[] large = new byte[LARGE];
    for (int i = 0; i < LARGE; i++) {
      large[i] = (byte) ((i * 31) >> 3);
    }
    String text = "Ωμέγα ".repeat(5_000);
    try (Connection connection = connect(engine);
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO item (id, name, large) VALUES (?, ?, ?)")) {
      insert.setInt(1, 1);
      insert.setCharacterStream(2, new StringReader(text));
      insert.setBinaryStream(3, new ByteArrayInputStream(large));
      assertThat(insert.executeUpdate()).isEqualTo(1);
      insert.setInt(1, 2);
      insert.setClob(2, new StringReader(text), 6);
      insert.setBlob(3, new ByteArrayInputStream(large), 1_000);
      assertThat(insert.executeUpdate()).isEqualTo(1);
      insert.setInt(1, 3);
      insert.setAsciiStream(
          2, new ByteArrayInputStream("ascii".getBytes(StandardCharsets.US_ASCII)));
      insert.setBytes(3, new byte[] {1, 2});
      assertThat(insert.executeUpdate()).isEqualTo(1);
      assertThatThrownBy(
              () -> insert.setBinaryStream(3, new ByteArrayInputStream(large), LARGE + 1))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(connection::createBlob)
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThatThrownBy(connection::createClob)
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT name, large FROM item ORDER BY id")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo(text);
        assertThat(rows.getBinaryStream(2).readAllBytes()).isEqualTo(large);
        assertThat(rows.next()).isTrue();
        assertThat(rows.getCharacterStream(1).readAllAsString()).isEqualTo("Ωμέγα ");
        assertThat(rows.getBytes(2)).hasSize(1_000);
        if (engine.equals(MARIADB)) {
          assertThat(rows.getBlob(2).getBytes(2, 3)).containsExactly(large[1], large[2], large[3]);
          assertThat(rows.getClob(1).getSubString(2, 2)).isEqualTo("μέ");
        }
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("ascii");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES, MARIADB})
  void valuesAreGivenInTheTypesThatAreAskedFor(String engine) throws SQLException {
    Timestamp moment = Timestamp.valueOf("2026-06-30 12:34:56");
    try (Connection connection = connect(engine);
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO item (id, name, price, day, at) VALUES (?, ?, ?, ?, ?)")) {
      insert.setObject(1, "17", Types.INTEGER);
      insert.setNull(2, Types.VARCHAR);
      insert.setBigDecimal(3, new BigDecimal("12.50"));
      insert.setDate(4, Date.valueOf("2026-06-30"));
      insert.setTimestamp(5, moment);
      assertThat(insert.executeUpdate()).isEqualTo(1);
      insert.clearParameters();
      insert.setInt(1, 18);
      assertThatThrownBy(insert::executeUpdate).isInstanceOf(SQLException.class);
      try (Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery("SELECT id, name, price, day, at AS moment FROM item")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong("ID")).isEqualTo(17);
        assertThat(rows.getString("id")).isEqualTo("17");
        assertThat(rows.getString(2)).isNull();
        assertThat(rows.wasNull()).isTrue();
        assertThat(rows.getBigDecimal(3)).isEqualTo("12.50");
        assertThat(rows.getString(3)).isEqualTo("12.50");
        assertThat(rows.getDouble(3)).isEqualTo(12.5);
        assertThat(rows.getDate(4)).isEqualTo(Date.valueOf("2026-06-30"));
        assertThat(rows.getObject(4, LocalDate.class)).isEqualTo("2026-06-30");
        assertThat(rows.getTimestamp("moment")).isEqualTo(moment);
        assertThat(rows.getString(5)).startsWith("2026-06-30 12:34:56");
        assertThat(rows.getObject(5)).isInstanceOf(Timestamp.class);
        ResultSetMetaData shape = rows.getMetaData();
        assertThat(shape.getColumnCount()).isEqualTo(5);
        assertThat(shape.getColumnLabel(5)).isEqualTo("moment");
        assertThat(shape.getColumnType(1)).isEqualTo(Types.INTEGER);
        assertThat(shape.getScale(3)).isEqualTo(2);
        assertThat(shape.getColumnClassName(3)).isEqualTo("java.math.BigDecimal");
        assertThatThrownBy(() -> rows.getInt("absent")).isInstanceOf(SQLException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES, MARIADB})
  void metadataAndSettingsAreTheDatabases(String engine) throws SQLException {
    boolean postgres = engine.equals(POSTGRES);
    try (Connection connection = connect(engine)) {
      List<String> columns = new ArrayList<>();
      try (ResultSet rows = connection.getMetaData().getColumns(null, null, "item", "%")) {
        while (rows.next()) {
          columns.add(rows.getString("COLUMN_NAME"));
        }
      }
      assertThat(columns).containsExactly("id", "name", "price", "day", "large", "at");
      assertThat(connection.getMetaData().getDatabaseProductName())
          .isEqualTo(postgres ? "PostgreSQL" : "MariaDB");
      assertThat(connection.getMetaData().getDatabaseMajorVersion()).isPositive();
      assertThat(connection.getMetaData().supportsSavepoints()).isTrue();
      assertThat(connection.getMetaData().supportsStoredProcedures()).isFalse();
      assertThat(connection.getCatalog()).isEqualTo("shop");
      assertThat(connection.getSchema()).isEqualTo(postgres ? "public" : null);
      assertThat(connection.getHoldability()).isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
      assertThat(connection.isValid(1)).isTrue();
      connection.setReadOnly(true);
      assertThatThrownBy(() -> insert(connection, 1))
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("25006"));
      connection.setReadOnly(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      assertThatThrownBy(connection::commit)
          .satisfies(failure -> assertThat(state(failure)).isEqualTo("25000"));
      assertThatThrownBy(() -> connection.prepareCall("{call f()}"))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThat(connection.getClientInfo("terrace.seen")).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void arraysGoAndCome(String engine) throws SQLException {
    try (Connection connection = connect(engine);
        PreparedStatement query = connection.prepareStatement("SELECT CAST(? AS text[])")) {
      query.setArray(1, connection.createArrayOf("text", new String[] {"a", "b c"}));
      try (ResultSet rows = query.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat((Object[]) rows.getArray(1).getArray()).containsExactly("a", "b c");
        assertThat(rows.getString(1)).isEqualTo("{a,\"b c\"}");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRES})
  void daysOfAllErasComeAsTheyAre(String engine) throws SQLException {
    GregorianCalendar ides = new GregorianCalendar(44, Calendar.MARCH, 15);
    ides.set(Calendar.ERA, GregorianCalendar.BC);
    try (Connection connection = connect(engine);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT DATE '0044-03-15 BC', DATE '12345-01-02', DATE 'infinity', DATE '-infinity'")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getObject(1, LocalDate.class)).isEqualTo(LocalDate.of(-43, 3, 15));
      assertThat(rows.getString(1)).isEqualTo("0044-03-15 BC");
      assertThat(rows.getDate(1).getTime()).isEqualTo(ides.getTimeInMillis());
      assertThat(rows.getObject(2, LocalDate.class)).isEqualTo(LocalDate.of(12_345, 1, 2));
      assertThat(rows.getDate(2).getTime())
          .isEqualTo(new GregorianCalendar(12_345, Calendar.JANUARY, 2).getTimeInMillis());
      assertThat(rows.getObject(3, LocalDate.class)).isEqualTo(LocalDate.MAX);
      assertThat(rows.getString(3)).isEqualTo("infinity");
      assertThat(rows.getDate(3).getTime()).isEqualTo(9_223_372_036_825_200_000L);
      assertThat(rows.getObject(4, LocalDate.class)).isEqualTo(LocalDate.MIN);
    }
  }
}
