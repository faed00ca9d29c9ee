package org.terrace.cluster.jdbc.session;

import java.util.ArrayList;
import java.util.List;
import org.terrace.cluster.core.LockDemand;
import org.terrace.cluster.core.LockMode;
import org.terrace.cluster.core.Lockable;
import org.terrace.cluster.jdbc.settings.Scheduling;
import org.terrace.cluster.sql.StatementAnalysis;

/** The locks under which a statement is executed at every replica. */
final class WriteLocks {
  /** The positions of all sequences, which definitions may change. */
  static final Lockable SEQUENCES = Lockable.ofName("sequences");

  /** All tables, for writes that wait for each other whatever they write. */
  private static final Lockable ALL_TABLES = Lockable.ofTable("*");

  private WriteLocks() {}

  static List<LockDemand> of(StatementAnalysis analysis, Scheduling scheduling) {
    if (analysis.kind() == StatementAnalysis.Kind.DEFINITION) {
      return List.of(
          new LockDemand(Lockable.DATABASE, LockMode.EXCLUSIVE),
          new LockDemand(SEQUENCES, LockMode.EXCLUSIVE));
    }
    if (scheduling == Scheduling.SERIAL) {
      return List.of(new LockDemand(ALL_TABLES, LockMode.EXCLUSIVE));
    }
    List<LockDemand> demands = new ArrayList<>();
    for (String table : analysis.written()) {
      demands.add(new LockDemand(Lockable.ofTable(table), LockMode.EXCLUSIVE));
    }
    for (String table : analysis.read()) {
      demands.add(new LockDemand(Lockable.ofTable(table), LockMode.SHARED));
    }
    return demands;
  }
}
