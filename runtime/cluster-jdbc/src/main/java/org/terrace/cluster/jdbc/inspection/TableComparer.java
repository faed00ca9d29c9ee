package org.terrace.cluster.jdbc.inspection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.terrace.cluster.server.dialect.ComparedTable;

/**
 * The comparison of a table at two servers, while it may be written.
 *
 * <p>Each is read once. What is not the same is looked at again, row by row: a row that is being
 * written becomes equal, or is another at each look; one that differs in the same way at every look
 * is reported. So a row that is lost among many writes to it may be found equal by chance, never
 * the other way round. Keeps the rows of one server as digests of 8 bytes and their keys.
 */
final class TableComparer {
  /** The most differing rows that are named. */
  private static final int NAMED_MAX = 20;

  /** The most suspect rows of a table that are looked at again. */
  private static final int LOOKED_MAX = 1_000;

  private static final int LOOKS = 4;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final ComparedTable table;
  private final Connection first;
  private final Connection second;

  TableComparer(ComparedTable table, Connection first, Connection second) {
    this.table = table;
    this.first = first;
    this.second = second;
  }

  TableComparison compare(String firstName, String secondName)
      throws SQLException, InterruptedException {
    if (table.key().isEmpty()) {
      return withoutKey(firstName, secondName);
    }
    Map<List<String>, Long> rows = new HashMap<>();
    table.read(first, (key, row) -> rows.put(key, digest(row)));
    long count = rows.size();
    List<List<String>> suspects = new ArrayList<>();
    table.read(
        second,
        (key, row) -> {
          Long here = rows.remove(key);
          if (here == null || here != digest(row)) {
            suspects.add(key);
          }
        });
    suspects.addAll(rows.keySet());
    long unseen = Math.max(0, suspects.size() - LOOKED_MAX);
    List<RowDifference> lasting = look(suspects.subList(0, Math.min(suspects.size(), LOOKED_MAX)));
    List<RowDifference> named = lasting.subList(0, Math.min(lasting.size(), NAMED_MAX));
    return new TableComparison(
        table.shown(),
        firstName,
        secondName,
        count,
        named,
        lasting.size() - named.size() + (lasting.isEmpty() ? 0 : unseen),
        unseen == 0 ? "" : unseen + " rows that differed were not looked at again");
  }

  private List<RowDifference> look(List<List<String>> suspects)
      throws SQLException, InterruptedException {
    Map<List<String>, RowDifference> lasting = new LinkedHashMap<>();
    for (int look = 0; look < LOOKS; look++) {
      Map<List<String>, RowDifference> now = new LinkedHashMap<>();
      for (List<String> key : look == 0 ? suspects : List.copyOf(lasting.keySet())) {
        RowDifference seen =
            new RowDifference(key, table.readOne(first, key), table.readOne(second, key));
        boolean same = look == 0 || seen.equals(lasting.get(key));
        if (!seen.first().equals(seen.second()) && same) {
          now.put(key, seen);
        }
      }
      lasting = now;
      if (lasting.isEmpty()) {
        break;
      }
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
    return List.copyOf(lasting.values());
  }

  private TableComparison withoutKey(String firstName, String secondName)
      throws SQLException, InterruptedException {
    String before = "";
    for (int look = 0; ; look++) {
      long[] here = sum(first);
      long[] there = sum(second);
      String now =
          "%d rows with digest %x, and %d with %x".formatted(here[0], here[1], there[0], there[1]);
      boolean equal = here[0] == there[0] && here[1] == there[1];
      boolean lasting = now.equals(before);
      if (equal || lasting || look == LOOKS) {
        return new TableComparison(
            table.shown(),
            firstName,
            secondName,
            here[0],
            List.of(),
            equal || !lasting ? 0 : Math.max(1, Math.abs(here[0] - there[0])),
            remark(equal, lasting, now));
      }
      before = now;
      TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
    }
  }

  private static String remark(boolean equal, boolean lasting, String now) {
    if (equal) {
      return "";
    }
    return lasting
        ? "it has no primary key, so that rows cannot be named: " + now
        : "it has no primary key and is being written: it could not be compared";
  }

  private long[] sum(Connection connection) throws SQLException {
    long[] sum = new long[2];
    table.read(
        connection,
        (_, row) -> {
          sum[0]++;
          sum[1] += digest(row);
        });
    return sum;
  }

  /** The row's text as a number: two of equal length collide with a chance of about 2^-64. */
  private static long digest(String row) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < row.length(); i++) {
      hash = (hash ^ row.charAt(i)) * 0x100000001B3L;
    }
    hash ^= hash >>> 32;
    return hash * 0x9E3779B97F4A7C15L;
  }
}
