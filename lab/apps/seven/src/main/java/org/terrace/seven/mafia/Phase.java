package org.terrace.seven.mafia;

/** Where a game stands. */
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
