package org.terrace.studies.failover;

/** The fault that strikes the primary. */
enum Fault {
  /** It is killed. */
  CRASH("crash"),
  /** It stops where it is, with its connections open, and is ended after a while. */
  HANG("hang"),
  /** Its packets are dropped, both ways and without a word, and it is ended after a while. */
  CUT("network cut");

  private final String word;

  Fault(String word) {
    this.word = word;
  }

  @Override
  public String toString() {
    return word;
  }
}
