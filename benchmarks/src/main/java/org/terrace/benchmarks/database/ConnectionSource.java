package org.terrace.benchmarks.database;

import java.sql.Connection;
import java.sql.SQLException;

/** A source of connections to whatever is measured. Thread-safe. */
@FunctionalInterface
interface ConnectionSource {
  /** A connection that commits each statement until it is told otherwise. */
  Connection connect() throws SQLException;
}
