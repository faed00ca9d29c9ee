package org.terrace.cluster.jdbc.inspection;

import java.util.List;

/**
 * The comparison of one table at two servers.
 *
 * @param table its name
 * @param first the server that the other is compared with
 * @param second the other server
 * @param rows how many rows the first has
 * @param differences the rows that differ, the first ones found
 * @param more how many more rows differ, or at least as many; 0: none
 * @param remark what else is to be said; empty: nothing
 */
public record TableComparison(
    String table,
    String first,
    String second,
    long rows,
    List<RowDifference> differences,
    long more,
    String remark) {
  /** Copies the list. */
  public TableComparison {
    differences = List.copyOf(differences);
  }

  /** Whether the servers have the same. */
  public boolean isEqual() {
    return differences.isEmpty() && more == 0;
  }
}
