package org.terrace.cluster.jdbc.settings;

/** The writes that wait for each other. */
public enum Scheduling {
  /** All: one writing transaction at a time, as C-JDBC does. */
  SERIAL,
  /** Those that write the same table, or write one that the other reads. */
  TABLE,
  /** Those that write the same row, where a statement tells its rows by their keys; else tables. */
  KEY
}
