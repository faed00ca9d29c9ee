package org.terrace.seven.ticketcenter;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;
import org.terrace.seven.application.NumberReply;

/**
 * The service of Ticket Center. The last argument of every method is the size of its reply in
 * bytes, see {@link org.terrace.seven.application.Padding}.
 */
public interface TicketCenter {

  /** The departures between two towns, earliest first, at most three that have seats left. */
  @Read
  Schedule search(String origin, String destination, int replyBytes);

  /** The number of free seats of a departure. Refuses {@code unknown-departure}. */
  @Read
  NumberReply freeSeats(int departure, int replyBytes);

  /**
   * Buys a seat and replies the number of the reservation.
   *
   * <p>Refuses {@code unknown-departure}, {@code sold-out}, {@code no-such-seat} and {@code
   * seat-taken}.
   *
   * @param seat from 1; 0 for any
   */
  @Update
  NumberReply buy(int departure, int seat, String passenger, int replyBytes);

  /**
   * Gives a seat back and replies how many cents are paid back. Refuses {@code unknown-reservation}
   * and {@code already-cancelled}.
   */
  @Update
  NumberReply cancel(long reservation, int replyBytes);

  /** The seat of a reservation, or 0 if it was cancelled. Refuses {@code unknown-reservation}. */
  @Read
  NumberReply status(long reservation, int replyBytes);
}
