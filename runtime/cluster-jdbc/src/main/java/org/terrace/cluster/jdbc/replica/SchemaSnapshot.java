package org.terrace.cluster.jdbc.replica;

import java.util.List;
import org.terrace.cluster.jdbc.sql.TableCatalog;

/**
 * The schema of one replica.
 *
 * @param version the server's version
 * @param lines all that must be equal among replicas, sorted, in words that can be shown
 */
public record SchemaSnapshot(String version, List<String> lines, TableCatalog catalog) {
  /** Copies the lines. */
  public SchemaSnapshot {
    lines = List.copyOf(lines);
  }
}
