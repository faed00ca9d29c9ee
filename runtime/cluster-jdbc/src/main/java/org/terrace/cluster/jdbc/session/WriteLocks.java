package org.terrace.cluster.jdbc.session;

import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.LockMode;
import org.terrace.cluster.core.Lockable;
import org.terrace.cluster.jdbc.settings.Scheduling;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.sql.RowChoice;
import org.terrace.cluster.sql.StatementAnalysis;

/** The locks under which a statement is executed at every replica. */
final class WriteLocks {
  /** The positions of all sequences, which definitions may change. */
  static final Lockable SEQUENCES = Lockable.ofName("sequences");

  /** All tables, for writes that wait for each other whatever they write. */
  private static final Lockable ALL_TABLES = Lockable.ofTable("*");

  /** A batch of more rows locks the table: so many locks would cost more than they free. */
  static final int ROWS_MAX = 256;

  private WriteLocks() {}

  static List<LockDemand> of(
      StatementAnalysis analysis, StatementRequest request, Scheduling scheduling) {
    if (analysis.kind() == StatementAnalysis.Kind.DEFINITION) {
      return List.of(
          new LockDemand(Lockable.DATABASE, LockMode.EXCLUSIVE),
          new LockDemand(SEQUENCES, LockMode.EXCLUSIVE));
    }
    if (scheduling == Scheduling.SERIAL) {
      return List.of(new LockDemand(ALL_TABLES, LockMode.EXCLUSIVE));
    }
    List<LockDemand> demands = new ArrayList<>();
    Set<String> keys = scheduling == Scheduling.KEY ? keys(analysis.row(), request) : Set.of();
    for (String table : analysis.written()) {
      if (keys.isEmpty()) {
        demands.add(new LockDemand(Lockable.ofTable(table), LockMode.EXCLUSIVE));
      }
      for (String key : keys) {
        demands.add(new LockDemand(new Lockable(table, key), LockMode.EXCLUSIVE));
      }
    }
    for (String table : analysis.read()) {
      demands.add(new LockDemand(Lockable.ofTable(table), LockMode.SHARED));
    }
    return demands;
  }

  /** A value that no driver turns into another; null: it might. */
  private static @Nullable Object asTheServerSees(BoundParameter parameter) {
    if (!parameter.typed()) {
      return parameter.value();
    }
    return switch (parameter.sqlType()) {
      case Types.BIGINT -> parameter.value();
      case Types.INTEGER -> parameter.value() instanceof Integer number ? number : null;
      default -> null;
    };
  }

  /** The keys of the rows that a request touches; empty: it does not tell them, or too many. */
  private static Set<String> keys(@Nullable RowChoice row, StatementRequest request) {
    if (row == null || request.rows().size() > ROWS_MAX) {
      return Set.of();
    }
    List<List<BoundParameter>> given =
        request.rows().isEmpty() ? List.of(List.of()) : request.rows();
    Set<String> keys = new HashSet<>();
    for (List<BoundParameter> values : given) {
      Optional<String> key =
          row.key(place -> place <= values.size() ? asTheServerSees(values.get(place - 1)) : null);
      if (key.isEmpty()) {
        return Set.of();
      }
      keys.add(key.get());
    }
    return keys;
  }
}
