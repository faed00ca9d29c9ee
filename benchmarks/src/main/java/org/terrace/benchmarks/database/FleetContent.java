package org.terrace.benchmarks.database;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;

/** The content of servers, read from each alone and not by what is measured. Stateless. */
final class FleetContent {
  private static final List<String> TABLES = List.of("story", "remark", "hot", "journal");

  private FleetContent() {}

  /** The number of those among the first servers that have other rows than the first. */
  static int unequal(ServerFleet fleet, int replicas) throws SQLException {
    String first = digest(fleet, 0);
    int unequal = 0;
    for (int i = 1; i < replicas; i++) {
      if (!digest(fleet, i).equals(first)) {
        unequal++;
      }
    }
    return unequal;
  }

  private static String digest(ServerFleet fleet, int index) throws SQLException {
    try (Connection connection = fleet.direct(index);
        Statement statement = connection.createStatement()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String table : TABLES) {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " ORDER BY id")) {
          int width = rows.getMetaData().getColumnCount();
          while (rows.next()) {
            for (int column = 1; column <= width; column++) {
              digest.update((rows.getString(column) + "|").getBytes(StandardCharsets.UTF_8));
            }
          }
        }
        digest.update((byte) '\n');
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The effects of a mix as the first server counted and entered them. */
  record Effects(long counted, long entered) {
    /**
     * The distance of the effects from what was acknowledged.
     *
     * @param before the effects that were there before
     * @param unknown how many transactions there were whose outcome nobody was told
     */
    long wrong(Effects before, long acknowledged, long unknown) {
      return wrong(counted - before.counted, acknowledged, unknown)
          + wrong(entered - before.entered, acknowledged, unknown)
          + Math.abs(counted - before.counted - (entered - before.entered));
    }

    private static long wrong(long found, long acknowledged, long unknown) {
      return Math.max(0, acknowledged - found) + Math.max(0, found - acknowledged - unknown);
    }
  }

  /** The effects of a mix at the first server. */
  static Effects effects(ServerFleet fleet, StatementMix mix) throws SQLException {
    try (Connection connection = fleet.direct(0);
        Statement statement = connection.createStatement()) {
      return new Effects(number(statement, mix.counted()), number(statement, mix.entered()));
    }
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      if (!rows.next()) {
        throw new SQLException("no row came from " + query);
      }
      return rows.getLong(1);
    }
  }
}
