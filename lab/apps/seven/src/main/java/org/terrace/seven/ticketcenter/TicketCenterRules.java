package org.terrace.seven.ticketcenter;

import java.util.Optional;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Sql;

/**
 * The rules of Ticket Center. Whoever buys or cancels locks the departure, and a call locks one
 * departure at most, so that calls cannot wait for each other in a circle.
 */
final class TicketCenterRules implements TicketCenter {
  /** A reservation is its departure's number times this, and its own number there. */
  static final long RESERVATIONS_OF_A_DEPARTURE = 1_000_000;

  /** The divisor of the price that gives the bus line's part when a seat is given back. */
  private static final int KEPT_PART = 10;

  private static final int DEPARTURES_SHOWN = 3;
  private static final int LONGEST_NAME = 40;

  private record Bus(int seats, int sold, int cents, long lastReservation) {}

  private record Reservation(int departure, int seat, boolean booked, int cents) {}

  @Override
  public Schedule search(String origin, String destination, int replyBytes) {
    return Schedule.of(
        Sql.ofThisCall()
            .all(
                row -> new Departure(row.getInt(1), row.getInt(2), row.getInt(3)),
                "SELECT id, minute_of_day, cents FROM departure WHERE origin = ?"
                    + " AND destination = ? AND sold < seats ORDER BY minute_of_day, id LIMIT "
                    + DEPARTURES_SHOWN,
                origin,
                destination),
        replyBytes);
  }

  @Override
  public NumberReply freeSeats(int departure, int replyBytes) {
    Bus bus = bus(Sql.ofThisCall(), departure, "");
    return NumberReply.of(bus.seats - bus.sold, replyBytes);
  }

  @Override
  public NumberReply buy(int departure, int seat, String passenger, int replyBytes) {
    if (passenger.isBlank() || passenger.length() > LONGEST_NAME) {
      throw new BusinessException(
          "bad-passenger", "A passenger has a name of 1 to " + LONGEST_NAME + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    Bus bus = bus(sql, departure, " FOR UPDATE");
    if (bus.sold == bus.seats) {
      throw new BusinessException("sold-out", "Departure " + departure + " has no seat left.");
    }
    int taken = seat == 0 ? lowestFreeSeat(sql, departure) : freeSeat(sql, departure, seat);
    long number = bus.lastReservation + 1;
    if (number >= RESERVATIONS_OF_A_DEPARTURE) {
      throw new BusinessException("no-numbers-left", "Departure " + departure + " is closed.");
    }
    long reservation = departure * RESERVATIONS_OF_A_DEPARTURE + number;
    sql.update(
        "INSERT INTO reservation (id, departure, seat, passenger, booked, paid_cents)"
            + " VALUES (?, ?, ?, ?, 1, ?)",
        reservation,
        departure,
        taken,
        passenger,
        bus.cents);
    sql.update(
        "UPDATE seat SET reservation = ? WHERE departure = ? AND number = ?",
        reservation,
        departure,
        taken);
    sql.update(
        "UPDATE departure SET sold = sold + 1, last_reservation = ?,"
            + " revenue_cents = revenue_cents + ? WHERE id = ?",
        number,
        bus.cents,
        departure);
    return NumberReply.of(reservation, replyBytes);
  }

  @Override
  public NumberReply cancel(long reservation, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    int departure = (int) (reservation / RESERVATIONS_OF_A_DEPARTURE);
    sql.first(row -> 0, "SELECT id FROM departure WHERE id = ? FOR UPDATE", departure);
    Reservation found = reservation(sql, reservation);
    if (!found.booked) {
      throw new BusinessException(
          "already-cancelled", "Reservation " + reservation + " was cancelled before.");
    }
    int refund = found.cents - found.cents / KEPT_PART;
    sql.update(
        "UPDATE reservation SET booked = 0, paid_cents = paid_cents - ? WHERE id = ?",
        refund,
        reservation);
    sql.update(
        "UPDATE seat SET reservation = NULL WHERE departure = ? AND number = ?",
        departure,
        found.seat);
    sql.update(
        "UPDATE departure SET sold = sold - 1, revenue_cents = revenue_cents - ? WHERE id = ?",
        refund,
        departure);
    return NumberReply.of(refund, replyBytes);
  }

  @Override
  public NumberReply status(long reservation, int replyBytes) {
    Reservation found = reservation(Sql.ofThisCall(), reservation);
    return NumberReply.of(found.booked ? found.seat : 0, replyBytes);
  }

  private static Bus bus(Sql sql, int departure, String lock) {
    return sql.found(
        row -> new Bus(row.getInt(1), row.getInt(2), row.getInt(3), row.getLong(4)),
        "unknown-departure",
        "There is no departure " + departure + ".",
        "SELECT seats, sold, cents, last_reservation FROM departure WHERE id = ?" + lock,
        departure);
  }

  private static Reservation reservation(Sql sql, long reservation) {
    return sql.found(
        row -> new Reservation(row.getInt(1), row.getInt(2), row.getInt(3) == 1, row.getInt(4)),
        "unknown-reservation",
        "There is no reservation " + reservation + ".",
        "SELECT departure, seat, booked, paid_cents FROM reservation WHERE id = ?",
        reservation);
  }

  private static int lowestFreeSeat(Sql sql, int departure) {
    return (int)
        sql.number(
            "SELECT min(number) FROM seat WHERE departure = ? AND reservation IS NULL", departure);
  }

  private static int freeSeat(Sql sql, int departure, int seat) {
    Optional<Boolean> free =
        sql.first(
            row -> row.getLong(1) == 0,
            "SELECT coalesce(reservation, 0) FROM seat WHERE departure = ? AND number = ?",
            departure,
            seat);
    if (free.isEmpty()) {
      throw new BusinessException(
          "no-such-seat", "Departure " + departure + " has no seat " + seat + ".");
    }
    if (!free.get()) {
      throw new BusinessException(
          "seat-taken", "Seat " + seat + " of departure " + departure + " is taken.");
    }
    return seat;
  }
}
