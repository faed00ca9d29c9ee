package org.terrace.seven.parknpark;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Sql;

/**
 * The rules of Park'n Park. A lot's row is locked by whoever changes its free spaces, and by a call
 * at most one lot is locked, so that calls cannot wait for each other in a circle.
 */
final class ParkNParkRules implements ParkNPark {
  /** Tickets of a lot; a ticket is the lot's number times this, and its own number there. */
  static final long TICKETS_OF_A_LOT = 100_000_000;

  private static final int ALTERNATIVES_MAX = 3;
  private static final int FREE_MINUTES = 15;
  private static final int CENTS_OF_AN_HOUR = 180;
  private static final int CENTS_OF_A_DAY = 1_500;
  private static final int MINUTES_OF_A_DAY = 24 * 60;
  private static final int LONGEST_STAY_DAYS = 28;

  private record Lot(int id, int available, long lastTicket, int column, int row) {}

  @Override
  public Lots getLots(int replyBytes) {
    return Lots.of(
        Sql.ofThisCall().all(ParkNParkRules::line, "SELECT name, available FROM lot ORDER BY id"),
        replyBytes);
  }

  @Override
  public NumberReply fee(int minutes, int replyBytes) {
    if (minutes < 0 || minutes > LONGEST_STAY_DAYS * MINUTES_OF_A_DAY) {
      throw new BusinessException(
          "bad-stay", "A stay lasts from 0 minutes to " + LONGEST_STAY_DAYS + " days.");
    }
    if (minutes <= FREE_MINUTES) {
      return NumberReply.of(0, replyBytes);
    }
    int days = minutes / MINUTES_OF_A_DAY;
    int hours = Math.ceilDiv(minutes % MINUTES_OF_A_DAY, 60);
    int cents = days * CENTS_OF_A_DAY + Math.min(CENTS_OF_A_DAY, hours * CENTS_OF_AN_HOUR);
    return NumberReply.of(cents, replyBytes);
  }

  @Override
  public Lots alternatives(String lot, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    return Lots.of(alternatives(sql, lot(sql, lot, "")), replyBytes);
  }

  @Override
  public NumberReply enter(String name, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    Lot lot = lot(sql, name, " FOR UPDATE");
    if (lot.available == 0) {
      String others =
          alternatives(sql, lot).stream().map(LotLine::name).collect(Collectors.joining(", "));
      throw new BusinessException(
          "lot-full",
          others.isEmpty() ? name + " is full, and so are all others." : "Full; try " + others);
    }
    long number = lot.lastTicket + 1;
    if (number >= TICKETS_OF_A_LOT) {
      throw new BusinessException("no-tickets-left", name + " has issued all of its tickets.");
    }
    sql.update(
        "UPDATE lot SET available = available - 1, last_ticket = ? WHERE id = ?", number, lot.id);
    long ticket = lot.id * TICKETS_OF_A_LOT + number;
    sql.update("INSERT INTO stay (ticket, lot, parked) VALUES (?, ?, 1)", ticket, lot.id);
    return NumberReply.of(ticket, replyBytes);
  }

  @Override
  public NumberReply leave(long ticket, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    int lot = (int) (ticket / TICKETS_OF_A_LOT);
    long available =
        sql.found(
            row -> row.getLong(1),
            "unknown-ticket",
            "There is no ticket " + ticket + ".",
            "SELECT available FROM lot WHERE id = ? FOR UPDATE",
            lot);
    int parked =
        sql.found(
            row -> row.getInt(1),
            "unknown-ticket",
            "There is no ticket " + ticket + ".",
            "SELECT parked FROM stay WHERE ticket = ?",
            ticket);
    if (parked == 0) {
      throw new BusinessException("ticket-used", "Who held ticket " + ticket + " has left.");
    }
    sql.update("UPDATE stay SET parked = 0 WHERE ticket = ?", ticket);
    sql.update("UPDATE lot SET available = available + 1 WHERE id = ?", lot);
    return NumberReply.of(available + 1, replyBytes);
  }

  private static Lot lot(Sql sql, String name, String lock) {
    return sql.found(
        row -> new Lot(row.getInt(1), row.getInt(2), row.getLong(3), row.getInt(4), row.getInt(5)),
        "unknown-lot",
        "There is no lot " + name + ".",
        "SELECT id, available, last_ticket, grid_column, grid_row FROM lot WHERE name = ?" + lock,
        name);
  }

  /** Nearest first, by the blocks a driver passes on a grid of streets. */
  private static List<LotLine> alternatives(Sql sql, Lot from) {
    return sql.all(
        ParkNParkRules::line,
        "SELECT name, available FROM lot WHERE available > 0 AND id <> ?"
            + " ORDER BY abs(grid_column - ?) + abs(grid_row - ?), id LIMIT "
            + ALTERNATIVES_MAX,
        from.id,
        from.column,
        from.row);
  }

  private static LotLine line(ResultSet row) throws SQLException {
    return new LotLine(row.getString(1), row.getInt(2));
  }
}
