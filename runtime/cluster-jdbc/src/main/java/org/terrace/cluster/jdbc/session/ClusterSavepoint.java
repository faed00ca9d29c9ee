package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;

/** A point of a transaction, of the same name at every replica. */
record ClusterSavepoint(int number, @Nullable String name) implements Savepoint {

  /** The name in SQL, which no text of a client's gets into. */
  String sqlName() {
    return "terrace_" + number;
  }

  @Override
  public int getSavepointId() throws SQLException {
    if (name != null) {
      throw new SQLException("The savepoint has a name.", SqlStates.BAD_PARAMETER);
    }
    return number;
  }

  @Override
  public String getSavepointName() throws SQLException {
    if (name == null) {
      throw new SQLException("The savepoint has no name.", SqlStates.BAD_PARAMETER);
    }
    return name;
  }
}
