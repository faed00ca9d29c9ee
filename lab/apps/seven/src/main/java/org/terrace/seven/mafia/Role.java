package org.terrace.seven.mafia;

/** The role of a character, which only its player is told. */
public enum Role {
  /** Dealt when the game begins. */
  UNKNOWN,
  /** One of the many. */
  CITIZEN,
  /** One of the few. */
  MAFIOSO
}
