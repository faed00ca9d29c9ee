package org.terrace.cluster.server.dialect;

import java.util.ArrayList;
import java.util.List;
import org.terrace.cluster.sql.TableCatalog;

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

  /** Tells how another server's version differs, with the way out; empty: it does not. */
  public String versionDifference(String name, SchemaSnapshot other, String otherName) {
    return version.equals(other.version)
        ? ""
        : words(name, version, otherName, other.version, "install one version");
  }

  /** Tells how another server's schema differs, with the way out; empty: it does not. */
  public String difference(String name, SchemaSnapshot other, String otherName) {
    List<String> missing = new ArrayList<>(lines);
    missing.removeAll(other.lines);
    List<String> more = new ArrayList<>(other.lines);
    more.removeAll(lines);
    return missing.isEmpty() && more.isEmpty()
        ? ""
        : words(
            name,
            missing.isEmpty() ? "nothing like it" : "'" + missing.getFirst() + "'",
            otherName,
            more.isEmpty() ? "nothing like it" : "'" + more.getFirst() + "'",
            "make their schemas equal");
  }

  private static String words(
      String name, String has, String otherName, String otherHas, String wayOut) {
    return "%s has %s, and %s has %s. First %s.".formatted(name, has, otherName, otherHas, wayOut);
  }
}
