package org.terrace.experiment;

/** A stretch of the work of a trial, in their order. */
public enum TrialPhase {
  /** The machine is checked: rights, addresses, programs. */
  CHECK("checking the machine"),
  /** The database starts. */
  DATABASE("starting the database"),
  /** The data set is generated and loaded. */
  DATA("loading the data"),
  /** Application and web servers start. */
  SERVERS("starting the servers"),
  /** Load grows. */
  RAMP_UP("ramping up"),
  /** The measured part. */
  RUN("running"),
  /** Load ebbs. */
  RAMP_DOWN("ramping down"),
  /** All servers are stopped. */
  STOP("stopping"),
  /** Logs and results are read. */
  COLLECT("collecting the results");

  private final String description;

  TrialPhase(String description) {
    this.description = description;
  }

  /** The words that say what goes on in it, to complete the sentence "The trial is ...". */
  public String description() {
    return description;
  }
}
