package org.terrace.cluster.controller;

/** The driver of a controller, which does as the one in the program's own process does. */
class ConformanceThroughControllerTest extends JdbcConformance {
  @Override
  boolean isThroughController() {
    return true;
  }
}
