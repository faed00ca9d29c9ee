package org.terrace.seven.parknpark;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;

/**
 * The service of Park'n Park. The last argument of every method is the size of its reply in bytes,
 * see {@link org.terrace.seven.application.Padding}.
 */
public interface ParkNPark {

  /** All lots with their spaces. */
  @Read
  Lots getLots(int replyBytes);

  /** The price of a stay, in cents: a tariff, for which no database is asked. */
  @Read
  NumberReply fee(int minutes, int replyBytes);

  /** The nearest lots with room, at most three, nearest first. Refuses {@code unknown-lot}. */
  @Read
  Lots alternatives(String lot, int replyBytes);

  /**
   * Takes a space and replies the ticket. Refuses {@code unknown-lot}, and {@code lot-full} with a
   * message that recommends others.
   */
  @Update
  NumberReply enter(String lot, int replyBytes);

  /**
   * Gives the space of a ticket back and replies how many are now free there. Refuses {@code
   * unknown-ticket} and {@code ticket-used}.
   */
  @Update
  NumberReply leave(long ticket, int replyBytes);
}
