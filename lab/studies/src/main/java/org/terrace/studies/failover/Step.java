package org.terrace.studies.failover;

import java.time.Duration;

/**
 * One run of the study: a configuration and the faults it meets.
 *
 * @param name for files and tables, for example {@code improvements-3}
 * @param label its name in tables and charts
 * @param improvements how many of the paper's six are on
 * @param style how the replicas share the work
 * @param calls what the client calls
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
    Calls calls,
    Fault fault,
    int faults,
    Duration interval,
    int spares) {

  Step withName(String newName, String newLabel) {
    return new Step(newName, newLabel, improvements, style, calls, fault, faults, interval, spares);
  }

  Step withStyle(String newStyle) {
    return new Step(name, label, improvements, newStyle, calls, fault, faults, interval, spares);
  }

  Step withCalls(Calls newCalls) {
    return new Step(name, label, improvements, style, newCalls, fault, faults, interval, spares);
  }

  Step withFaults(Fault newFault, int newFaults) {
    return new Step(name, label, improvements, style, calls, newFault, newFaults, interval, spares);
  }

  Step withSpares(int newSpares) {
    return new Step(name, label, improvements, style, calls, fault, faults, interval, newSpares);
  }

  /** The calls of a step's client: those of the source, or those that must happen once. */
  enum Calls {
    /** It lists the lots. */
    READS("reads", "getLots"),
    /** Cars enter and leave. */
    UPDATES("updates", "enter,leave");

    private final String word;

    /** The methods as the client's flag has them. */
    final String methods;

    Calls(String word, String methods) {
      this.word = word;
      this.methods = methods;
    }

    @Override
    public String toString() {
      return word;
    }
  }
}
