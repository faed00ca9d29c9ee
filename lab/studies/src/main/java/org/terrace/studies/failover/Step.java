package org.terrace.studies.failover;

import java.time.Duration;

/**
 * One run of the study: a configuration and the faults it meets.
 *
 * @param name for files and tables, for example {@code improvements-3}
 * @param label its name in tables and charts
 * @param improvements how many of the paper's six are on
 * @param style how the replicas share the work
 * @param fault what happens to the primary
 * @param faults how often
 * @param interval between two faults
 * @param spares replicas kept running beyond the two that answer
 */
record Step(
    String name,
    String label,
    int improvements,
    String style,
    Fault fault,
    int faults,
    Duration interval,
    int spares) {}
