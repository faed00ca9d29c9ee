package org.terrace.seven.mafia;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.TextReply;

/**
 * The service of Mafia: games of {@value MafiaRules#CHARACTERS} characters, {@value
 * MafiaRules#MAFIOSI} of them mafiosi. It is night first. By night the living mafiosi vote, by day
 * all who live; once all have, whoever has most votes dies (in a tie nobody), and the other phase
 * begins. The citizens win when no mafioso lives, the mafia when they are as many as the citizens.
 * The last argument of every method is the size of its reply in bytes, see {@link
 * org.terrace.seven.application.Padding}.
 */
public interface Mafia {

  /** Makes a game and replies its number. */
  @Update
  NumberReply open(int replyBytes);

  /**
   * Adds a character and replies how many are still missing; with the last one the roles are dealt
   * and the first night begins. Refuses {@code unknown-game}, {@code bad-name}, {@code name-taken}
   * and {@code game-begun}.
   */
  @Update
  NumberReply join(long game, String character, int replyBytes);

  /** A character's role. Refuses {@code unknown-game} and {@code unknown-character}. */
  @Read
  TextReply role(long game, String character, int replyBytes);

  /**
   * Votes, and replies how many votes are still missing: 0 if this one ended the phase. Refuses
   * {@code unknown-game}, {@code unknown-character}, {@code not-now}, {@code you-are-dead}, {@code
   * target-is-dead} and {@code voted-already}.
   */
  @Update
  NumberReply vote(long game, String character, String target, int replyBytes);

  /**
   * Sends a message to all of a game and replies its number. Refuses {@code unknown-game}, {@code
   * unknown-character}, {@code you-are-dead} and {@code bad-message}.
   */
  @Update
  NumberReply say(long game, String character, String text, int replyBytes);

  /** The text of a message. Refuses {@code unknown-message}. */
  @Read
  TextReply message(long game, long number, int replyBytes);

  /** Phase and round, and who lives. Refuses {@code unknown-game}. */
  @Read
  Town look(long game, int replyBytes);
}
