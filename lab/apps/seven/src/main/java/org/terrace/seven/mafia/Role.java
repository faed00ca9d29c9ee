package org.terrace.seven.mafia;

/** The role of a character, which only its player is told. */
public enum Role {
  /** Dealt when the game begins. */
  UNKNOWN,
  /** A member of the many. */
  CITIZEN,
  /** A member of the few. */
  MAFIOSO
}
