package org.terrace.cluster.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;

/** The work of a transaction at one replica. */
@FunctionalInterface
interface BranchWork<T> {
  T run(Connection connection) throws SQLException;
}
