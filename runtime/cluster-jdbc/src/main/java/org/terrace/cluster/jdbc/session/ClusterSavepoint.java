package org.terrace.cluster.jdbc.session;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.sql.SessionSettings;

/** A point of a transaction, of the same name at every replica. */
record ClusterSavepoint(int number, @Nullable String name) implements Savepoint {
  /** The dealings of a transaction with a savepoint. */
  enum Step {
    SET("SAVEPOINT"),
    BACK("ROLLBACK TO SAVEPOINT"),
    RELEASE("RELEASE SAVEPOINT");

    private final String words;

    Step(String words) {
      this.words = words;
    }
  }

  /** The statement for a step, in which no text of a client's is. */
  String sql(Step step) {
    return step.words + " terrace_" + number;
  }

  /** Lets the settings of a session follow a step. */
  void settle(Step step, SessionSettings settings) {
    switch (step) {
      case SET -> settings.savepoint(number);
      case RELEASE -> settings.release(number);
      case BACK -> settings.backTo(number);
    }
  }

  /** One that a cluster's connection made. */
  static ClusterSavepoint own(Savepoint savepoint) throws SQLException {
    if (savepoint instanceof ClusterSavepoint own) {
      return own;
    }
    throw new SQLException("The savepoint is of another driver.", SqlStates.BAD_PARAMETER);
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
