package org.terrace.seven.ftex;

import java.util.ArrayList;
import java.util.List;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Sql;

/**
 * The choice of waiting orders that a new one meets: the best price first, and of one price the
 * oldest. To be used while the stock is locked.
 */
final class Matching {
  /** Waiting orders that are read at once. */
  private static final int READ_AT_ONCE = 20;

  private Matching() {}

  /** The fills of an order, at most all of it. Refuses {@code self-match}. */
  static List<Fill> fills(
      Sql sql, String stock, Side side, int centsEach, int shares, String trader) {
    List<Fill> fills = new ArrayList<>();
    int left = shares;
    while (left > 0) {
      List<Waiting> best = best(sql, stock, side, centsEach, fills.size());
      for (Waiting waiting : best) {
        if (left == 0) {
          return fills;
        }
        if (waiting.trader().equals(trader)) {
          throw new BusinessException(
              "self-match", "It would meet your own order " + waiting.number() + ".");
        }
        Fill fill = new Fill(waiting, Math.min(left, waiting.left()));
        fills.add(fill);
        left -= fill.shares();
      }
      if (best.size() < READ_AT_ONCE) {
        return fills;
      }
    }
    return fills;
  }

  private static List<Waiting> best(
      Sql sql, String stock, Side side, int centsEach, int afterSoMany) {
    boolean buys = side == Side.BUY;
    return sql.all(
        row -> new Waiting(row.getLong(1), row.getString(2), row.getInt(3), row.getInt(4)),
        "SELECT number, trader, cents_each, left_shares FROM stock_order WHERE stock = ?"
            + " AND side = ? AND waiting = 1 AND cents_each "
            + (buys ? "<= ? ORDER BY cents_each ASC" : ">= ? ORDER BY cents_each DESC")
            + ", number LIMIT "
            + READ_AT_ONCE
            + " OFFSET "
            + afterSoMany,
        stock,
        side.other().name(),
        centsEach);
  }

  /** Takes the shares off the waiting order and writes the trade down. */
  static void take(Sql sql, String stock, long taker, Fill fill) {
    Waiting waiting = fill.waiting();
    int left = waiting.left() - fill.shares();
    sql.update(
        "UPDATE stock_order SET left_shares = ?, waiting = ? WHERE stock = ? AND number = ?",
        left,
        left > 0 ? 1 : 0,
        stock,
        waiting.number());
    sql.update(
        "INSERT INTO trade (stock, taker, maker, shares, cents_each) VALUES (?, ?, ?, ?, ?)",
        stock,
        taker,
        waiting.number(),
        fill.shares(),
        waiting.centsEach());
  }
}
