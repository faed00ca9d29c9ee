package org.terrace.cluster.controller;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** A savepoint of a session at a controller, by its number there. */
record ControllerSavepoint(int number, @Nullable String name) implements Savepoint {
  static final int SET = 0;
  static final int BACK = 1;
  static final int RELEASE = 2;

  static ControllerSavepoint own(@Nullable Object[] arguments) throws SQLException {
    if (Handlers.given(arguments, 0) instanceof ControllerSavepoint own) {
      return own;
    }
    throw new SQLException("The savepoint is of another driver.", "07001");
  }

  @Override
  public int getSavepointId() throws SQLException {
    if (name != null) {
      throw new SQLException("The savepoint has a name.", "07001");
    }
    return number;
  }

  @Override
  public String getSavepointName() throws SQLException {
    String own = name;
    if (own == null) {
      throw new SQLException("The savepoint has no name.", "07001");
    }
    return own;
  }
}
