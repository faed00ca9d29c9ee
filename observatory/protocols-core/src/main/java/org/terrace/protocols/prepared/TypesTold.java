package org.terrace.protocols.prepared;

/**
 * What the executions of a capture tell of the types of their parameters. One that tells less makes
 * all names tell no more, so that one statement has one class (docs/decisions/0516).
 */
public enum TypesTold {
  /** All of them, each time. */
  EACH_TIME,
  /** Those of parameters that are not absent. */
  IN_PART,
  /** None behind the first execution. */
  ONCE
}
