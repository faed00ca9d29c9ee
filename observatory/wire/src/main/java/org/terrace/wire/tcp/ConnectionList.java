package org.terrace.wire.tcp;

import org.jspecify.annotations.Nullable;

/** Connections in the order in which they were last seen. Confined to one thread. */
final class ConnectionList {
  private @Nullable Connection eldest;
  private @Nullable Connection newest;

  @Nullable Connection eldest() {
    return eldest;
  }

  void append(Connection connection) {
    connection.before = newest;
    connection.after = null;
    if (newest == null) {
      eldest = connection;
    } else {
      newest.after = connection;
    }
    newest = connection;
  }

  void remove(Connection connection) {
    Connection before = connection.before;
    Connection after = connection.after;
    if (before == null) {
      eldest = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.before = before;
    }
    connection.before = null;
    connection.after = null;
  }

  /** Makes a connection in the list the one seen last. */
  void touch(Connection connection) {
    if (newest != connection) {
      remove(connection);
      append(connection);
    }
  }
}
