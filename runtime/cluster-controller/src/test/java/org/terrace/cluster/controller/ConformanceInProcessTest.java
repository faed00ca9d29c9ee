package org.terrace.cluster.controller;

/** The driver in the program's own process, which says what is right. */
class ConformanceInProcessTest extends JdbcConformance {
  @Override
  boolean isThroughController() {
    return false;
  }
}
