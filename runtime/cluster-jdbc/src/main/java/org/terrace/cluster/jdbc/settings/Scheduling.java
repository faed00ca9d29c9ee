package org.terrace.cluster.jdbc.settings;

/** The writes that wait for each other. */
public enum Scheduling {
  /** All: one writing transaction at a time, as C-JDBC does. */
  SERIAL,
  /** Writes of the same table, or of one that the other reads. */
  TABLE,
  /** Writes of the same row, where a statement tells its rows by their keys; else as by table. */
  KEY
}
