package org.terrace.cluster.jdbc.inspection;

import java.util.List;

/**
 * A row that is not the same at two servers.
 *
 * @param key the values of its primary key, as texts
 * @param first its values at the first server, as text; empty: it is not there
 * @param second its values at the second server, as text; empty: it is not there
 */
public record RowDifference(List<String> key, String first, String second) {
  /** Copies the list. */
  public RowDifference {
    key = List.copyOf(key);
  }
}
