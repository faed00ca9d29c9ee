package org.terrace.seven.mafia;

/**
 * A character of a game.
 *
 * @param name unique in its game
 * @param role what it is
 * @param alive whether it lives
 */
record Person(String name, Role role, boolean alive) {
  boolean isMafioso() {
    return role == Role.MAFIOSO;
  }
}
