package org.terrace.board;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import org.terrace.cluster.jdbc.inspection.ClusterInspection;
import org.terrace.cluster.jdbc.inspection.ServerStatus;
import org.terrace.cluster.jdbc.inspection.TableComparison;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/**
 * The program that compares the rows of a clustered board at all its servers, while it serves. The
 * first line of what it writes begins with {@code equal} or {@code differs}, and a line follows for
 * each table that differs.
 */
public final class BoardReplicas {
  private static final String USAGE = "--database-url URL --database-user USER --out FILE";

  private BoardReplicas() {}

  /** Compares; see {@link #USAGE}. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      Flags flags = Flags.of(arguments);
      String url = flags.text("--database-url");
      Properties properties = new Properties();
      properties.setProperty("user", flags.text("--database-user", "board"));
      Path out = Path.of(flags.text("--out"));
      flags.end();
      Files.write(out, compare(url, properties));
    } catch (SQLException | IOException e) {
      System.err.println("board: cannot compare the databases: " + e.getMessage());
      System.exit(ErrorCode.CHECK_FAILED.exitCode());
    } catch (TerraceException e) {
      System.err.println("board: " + e.getMessage());
      System.err.println("Usage: BoardReplicas " + USAGE);
      System.exit(e.code().exitCode());
    }
  }

  /** The comparison in lines. */
  static List<String> compare(String url, Properties properties)
      throws SQLException, InterruptedException {
    ClusterInspection inspection = ClusterInspection.of(url, properties);
    List<String> lines = new ArrayList<>();
    for (ServerStatus status : inspection.status()) {
      if (!status.failure().isEmpty()) {
        lines.add(status.name() + " does not answer: " + status.failure());
      }
    }
    Set<String> servers = new HashSet<>();
    Set<String> tables = new HashSet<>();
    long rows = 0;
    for (TableComparison table : inspection.verify()) {
      servers.add(table.first());
      servers.add(table.second());
      rows += tables.add(table.table()) ? table.rows() : 0;
      if (!table.isEqual()) {
        lines.add(differing(table));
      }
    }
    lines.addFirst(
        String.format(
            Locale.ROOT,
            "%s: %d servers with %d tables of %,d rows",
            lines.isEmpty() ? "equal" : "differs",
            servers.size(),
            tables.size(),
            rows));
    return lines;
  }

  private static String differing(TableComparison table) {
    String first =
        table.differences().isEmpty()
            ? table.remark()
            : "the first with the key " + table.differences().getFirst().key();
    return "%d rows of %s differ between %s and %s, %s"
        .formatted(
            table.differences().size() + table.more(),
            table.table(),
            table.first(),
            table.second(),
            first);
  }
}
