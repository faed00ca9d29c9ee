package org.terrace.cluster.controller.proof;

/** The way by which clients of a proof reach a cluster. */
public enum ProofAccess {
  /** The process of the clients owns it. */
  IN_PROCESS("in process"),
  /** A controller owns it, and another stands by. */
  CONTROLLERS("through controllers");

  private final String text;

  ProofAccess(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
