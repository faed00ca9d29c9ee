package org.terrace.testing.isolation;

/**
 * A level of isolation at which a transaction runs, by the anomalies that it excludes. Those of one
 * history may run at different levels. Source: Adya, Weak Consistency: A Generalized Theory and
 * Optimistic Implementations for Distributed Transactions, 1999, chapters 3 and 4.
 */
public enum IsolationLevel {
  /** PL-2: writes are in one order, and what is read was committed and is final. */
  READ_COMMITTED,
  /** Reads see one moment of the database: no cycle has one anti-dependency. */
  SNAPSHOT,
  /** PL-3: all transactions could have run one after the other. */
  SERIALIZABLE
}
