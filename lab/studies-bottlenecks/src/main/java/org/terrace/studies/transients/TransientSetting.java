package org.terrace.studies.transients;

import java.util.Locale;

/** A run of the study: which case, before or after its cure, under which load. */
enum TransientSetting {
  /** The stop-the-world collector under the lower load. */
  COLLECTOR_LOW(Case.COLLECTOR, "stop-the-world, low load", false),
  /** The stop-the-world collector under the higher load. */
  COLLECTOR_HIGH(Case.COLLECTOR, "stop-the-world, high load", false),
  /** The concurrent collector under the higher load. */
  COLLECTOR_CURED(Case.COLLECTOR, "concurrent, high load", true),
  /** The governor under the lowest load. */
  GOVERNOR_LOW(Case.GOVERNOR, "governor on, low load", false),
  /** The governor under the middle load. */
  GOVERNOR_MIDDLE(Case.GOVERNOR, "governor on, middle load", false),
  /** The governor under the highest load. */
  GOVERNOR_HIGH(Case.GOVERNOR, "governor on, high load", false),
  /** No governor, under the middle load. */
  FASTEST_MIDDLE(Case.GOVERNOR, "governor off, middle load", true),
  /** No governor, under the highest load. */
  FASTEST_HIGH(Case.GOVERNOR, "governor off, high load", true);

  /** The case of the paper that a run belongs to. */
  enum Case {
    /** Pauses of the application server's collector. */
    COLLECTOR("app1"),
    /** The clock of the database server. */
    GOVERNOR("database1");

    private final String server;

    Case(String server) {
      this.server = server;
    }

    /** The server that is looked at. */
    String server() {
      return server;
    }
  }

  private final Case kind;
  private final String label;
  private final boolean isCured;

  TransientSetting(Case kind, String label, boolean isCured) {
    this.kind = kind;
    this.label = label;
    this.isCured = isCured;
  }

  Case kind() {
    return kind;
  }

  /** The name of it in tables and figures. */
  String label() {
    return label;
  }

  /** Whether what makes bottlenecks is off. */
  boolean isCured() {
    return isCured;
  }

  /** The word for its folder. */
  String folder() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
