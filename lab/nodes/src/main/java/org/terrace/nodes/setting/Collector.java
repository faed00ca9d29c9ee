package org.terrace.nodes.setting;

/** The garbage collector of a JVM of a trial. */
public enum Collector {
  /** One thread, and everything stands still while it collects: the default of a trial. */
  SERIAL("serial", "-XX:+UseSerialGC"),
  /** Several threads, and everything stands still while they collect. */
  PARALLEL("parallel", "-XX:+UseParallelGC"),
  /** Marks beside the program, and stands still to move a part of the heap. */
  G1("g1", "-XX:+UseG1GC"),
  /** Marks and moves beside the program, which stands still for less than a millisecond. */
  ZGC("zgc", "-XX:+UseZGC"),
  /** Likewise, by another design. */
  SHENANDOAH("shenandoah", "-XX:+UseShenandoahGC");

  private final String word;
  private final String option;

  Collector(String word, String option) {
    this.word = word;
    this.option = option;
  }

  /** The word for it in a specification. */
  public String word() {
    return word;
  }

  /** The option of the JVM that chooses it. */
  public String option() {
    return option;
  }
}
