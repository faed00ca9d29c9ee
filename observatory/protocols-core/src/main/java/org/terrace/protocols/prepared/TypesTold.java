package org.terrace.protocols.prepared;

/**
 * The extent to which executions tell the types of their parameters. One that tells less makes
 * other names tell no more, so that one statement has one class: those of its shape, or all of the
 * capture where types are told once (docs/decisions/0516).
 */
public enum TypesTold {
  /** All of them, each time. */
  EACH_TIME,
  /** Types are told of the parameters that are not absent. */
  IN_PART,
  /** Types are told at the first execution alone. */
  ONCE
}
