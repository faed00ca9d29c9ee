package org.terrace.seven.mafia;

/** The phase of a game. */
public enum Phase {
  /** Characters join. */
  LOBBY,
  /** The mafia choose whom to kill. */
  NIGHT,
  /** All who live choose whom to hang. */
  DAY,
  /** One side has won. */
  OVER
}
