package org.terrace.seven.ftex;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.terrace.seven.application.Sql;

/**
 * All orders of a stock once more, through a book in memory that knows nothing of the rules' SQL:
 * what traded then must be what is written down.
 */
final class Replay {
  private record Event(long at, long order, Side side, boolean mayWait, int cents, int shares) {}

  private record Trade(long taker, long maker, int shares, int cents) {}

  private static final class Resting {
    final Event order;
    int left;

    Resting(Event order, int left) {
      this.order = order;
      this.left = left;
    }
  }

  private final TreeSet<Resting> bids =
      new TreeSet<>(
          Comparator.comparingInt((Resting each) -> -each.order.cents)
              .thenComparingLong(each -> each.order.order));
  private final TreeSet<Resting> asks =
      new TreeSet<>(
          Comparator.comparingInt((Resting each) -> each.order.cents)
              .thenComparingLong(each -> each.order.order));
  private final Map<Long, Resting> resting = new HashMap<>();
  private final List<Trade> trades = new ArrayList<>();

  private Replay() {}

  /** The stocks whose trades are not those that price and time command. */
  static List<String> wrongStocks(Sql sql) {
    List<String> wrong = new ArrayList<>();
    for (String stock : sql.all(row -> row.getString(1), "SELECT symbol FROM stock")) {
      if (new Replay().isWrong(sql, stock)) {
        wrong.add(stock);
      }
    }
    return wrong;
  }

  private boolean isWrong(Sql sql, String stock) {
    List<Event> events =
        new ArrayList<>(
            sql.all(
                row ->
                    new Event(
                        row.getLong(1),
                        row.getLong(1),
                        Side.valueOf(row.getString(2)),
                        row.getInt(3) == 1,
                        row.getInt(4),
                        row.getInt(5)),
                "SELECT number, side, may_wait, cents_each, shares FROM stock_order"
                    + " WHERE stock = ?",
                stock));
    events.addAll(
        sql.all(
            row -> new Event(row.getLong(1), row.getLong(2), Side.BUY, false, 0, 0),
            "SELECT cancelled_at, number FROM stock_order WHERE stock = ? AND cancelled_at > 0",
            stock));
    events.sort(Comparator.comparingLong(Event::at));
    events.forEach(this::apply);
    List<Trade> written =
        sql.all(
            row -> new Trade(row.getLong(1), row.getLong(2), row.getInt(3), row.getInt(4)),
            "SELECT taker, maker, shares, cents_each FROM trade WHERE stock = ?",
            stock);
    Comparator<Trade> order =
        Comparator.comparingLong(Trade::taker).thenComparingLong(Trade::maker);
    return !trades.stream().sorted(order).toList().equals(written.stream().sorted(order).toList())
        || !waitsAsWritten(sql, stock);
  }

  private boolean waitsAsWritten(Sql sql, String stock) {
    Map<Long, Integer> left = new HashMap<>();
    resting.forEach((number, each) -> left.put(number, each.left));
    Map<Long, Integer> written = new HashMap<>();
    sql.all(
        row -> written.put(row.getLong(1), row.getInt(2)),
        "SELECT number, left_shares FROM stock_order WHERE stock = ? AND waiting = 1",
        stock);
    return left.equals(written);
  }

  private void apply(Event event) {
    if (event.shares == 0) {
      Resting cancelled = resting.remove(event.order);
      if (cancelled != null) {
        (cancelled.order.side == Side.BUY ? bids : asks).remove(cancelled);
      }
      return;
    }
    TreeSet<Resting> others = event.side == Side.BUY ? asks : bids;
    int left = event.shares;
    while (left > 0 && !others.isEmpty() && meets(event, others.first().order)) {
      Resting best = others.first();
      int shares = Math.min(left, best.left);
      trades.add(new Trade(event.order, best.order.order, shares, best.order.cents));
      left -= shares;
      best.left -= shares;
      if (best.left == 0) {
        others.remove(best);
        resting.remove(best.order.order);
      }
    }
    if (left > 0 && event.mayWait) {
      Resting rest = new Resting(event, left);
      resting.put(event.order, rest);
      (event.side == Side.BUY ? bids : asks).add(rest);
    }
  }

  private static boolean meets(Event taker, Event maker) {
    return taker.side == Side.BUY ? maker.cents <= taker.cents : maker.cents >= taker.cents;
  }
}
