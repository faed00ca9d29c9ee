package org.terrace.seven.ftex;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Sql;

/**
 * The rules of FTEX. An order locks its stock first, and with it the book and everybody's shares of
 * it; the traders' cash is changed last, in the order of their names. So calls cannot wait for each
 * other in a circle, and orders of different stocks run side by side.
 */
final class FtexRules implements Ftex {
  static final long FIRST_CENTS = 10_000_000;
  static final int FIRST_SHARES = 1_000;
  static final int SHARES_MAX = 10_000;
  static final int CENTS_EACH_MAX = 1_000_000;

  private static final int LONGEST_NAME = 24;
  private static final int SHOWN = 3;

  @Override
  public NumberReply register(String trader, int replyBytes) {
    if (trader.isBlank() || trader.length() > LONGEST_NAME) {
      throw new BusinessException(
          "bad-name", "A trader has a name of 1 to " + LONGEST_NAME + " letters.");
    }
    Sql sql = Sql.ofThisCall();
    if (sql.first(row -> 1, "SELECT 1 FROM trader WHERE name = ?", trader).isPresent()) {
      throw new BusinessException("name-taken", "There is a trader " + trader + ".");
    }
    sql.update(
        "INSERT INTO trader (name, cents, granted_cents) VALUES (?, ?, ?)",
        trader,
        FIRST_CENTS,
        FIRST_CENTS);
    sql.update(
        "INSERT INTO holding (stock, trader, shares, granted_shares)"
            + " SELECT symbol, ?, ?, ? FROM stock",
        trader,
        FIRST_SHARES,
        FIRST_SHARES);
    return NumberReply.of(FIRST_CENTS, replyBytes);
  }

  @Override
  public Execution limit(
      String trader, String stock, Side side, int shares, int centsEach, int replyBytes) {
    if (centsEach < 1 || centsEach > CENTS_EACH_MAX) {
      throw new BusinessException("bad-order", "A limit is 1 to " + CENTS_EACH_MAX + " cents.");
    }
    return place(new Order(trader, stock, side, shares, centsEach, true), replyBytes);
  }

  @Override
  public Execution market(String trader, String stock, Side side, int shares, int replyBytes) {
    int worst = side == Side.BUY ? CENTS_EACH_MAX : 1;
    return place(new Order(trader, stock, side, shares, worst, false), replyBytes);
  }

  @Override
  public NumberReply cancel(String trader, String stock, long number, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    long event = lockStock(sql, stock) + 1;
    String unknown = "There is no order " + number + " of " + stock + ".";
    Order order =
        sql.found(
            row ->
                new Order(
                    row.getString(1),
                    stock,
                    Side.valueOf(row.getString(2)),
                    row.getInt(3),
                    row.getInt(4),
                    row.getInt(5) == 1),
            "unknown-order",
            unknown,
            "SELECT trader, side, left_shares, cents_each, waiting FROM stock_order"
                + " WHERE stock = ? AND number = ?",
            stock,
            number);
    if (!order.trader.equals(trader)) {
      throw new BusinessException("not-yours", "Order " + number + " is another's.");
    }
    if (!order.mayWait) {
      throw new BusinessException("order-closed", "Order " + number + " waits no longer.");
    }
    sql.update(
        "UPDATE stock_order SET waiting = 0, cancelled_at = ? WHERE stock = ? AND number = ?",
        event,
        stock,
        number);
    sql.update("UPDATE stock SET last_event = ? WHERE symbol = ?", event, stock);
    if (order.side == Side.SELL) {
      changeShares(sql, stock, trader, order.shares);
    } else {
      changeCash(sql, Map.of(trader, (long) order.shares * order.centsEach));
    }
    return NumberReply.of(order.shares, replyBytes);
  }

  @Override
  public Book book(String stock, int replyBytes) {
    Sql sql = Sql.ofThisCall();
    sql.found(
        row -> 1,
        "unknown-stock",
        "There is no stock " + stock + ".",
        "SELECT 1 FROM stock WHERE symbol = ?",
        stock);
    return Book.of(head(sql, stock, Side.BUY), head(sql, stock, Side.SELL), replyBytes);
  }

  @Override
  public NumberReply cash(String trader, int replyBytes) {
    long cents =
        Sql.ofThisCall()
            .found(
                row -> row.getLong(1),
                "unknown-trader",
                "There is no trader " + trader + ".",
                "SELECT cents FROM trader WHERE name = ?",
                trader);
    return NumberReply.of(cents, replyBytes);
  }

  private record Order(
      String trader, String stock, Side side, int shares, int centsEach, boolean mayWait) {}

  private static Execution place(Order order, int replyBytes) {
    if (order.shares < 1 || order.shares > SHARES_MAX) {
      throw new BusinessException("bad-order", "An order is for 1 to " + SHARES_MAX + " shares.");
    }
    Sql sql = Sql.ofThisCall();
    long number = lockStock(sql, order.stock) + 1;
    sql.found(
        row -> 1,
        "unknown-trader",
        "There is no trader " + order.trader + ".",
        "SELECT 1 FROM trader WHERE name = ?",
        order.trader);
    List<Fill> fills =
        Matching.fills(sql, order.stock, order.side, order.centsEach, order.shares, order.trader);
    int filled = fills.stream().mapToInt(Fill::shares).sum();
    long cents = fills.stream().mapToLong(Fill::cents).sum();
    int waiting = order.mayWait ? order.shares - filled : 0;
    sql.update(
        "INSERT INTO stock_order (stock, number, trader, side, may_wait, cents_each, shares,"
            + " left_shares, waiting, cancelled_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
        order.stock,
        number,
        order.trader,
        order.side.name(),
        order.mayWait ? 1 : 0,
        order.centsEach,
        order.shares,
        order.shares - filled,
        waiting > 0 ? 1 : 0);
    sql.update("UPDATE stock SET last_event = ? WHERE symbol = ?", number, order.stock);
    settle(sql, order, number, fills, waiting);
    return Execution.of(order.stock, number, filled, cents, waiting, replyBytes);
  }

  /** Moves shares, then money, and writes the trades down. */
  private static void settle(Sql sql, Order order, long number, List<Fill> fills, int waiting) {
    Map<String, Long> cash = new TreeMap<>();
    boolean buys = order.side == Side.BUY;
    for (Fill fill : fills) {
      Waiting other = fill.waiting();
      Matching.take(sql, order.stock, number, fill);
      if (buys) {
        changeShares(sql, order.stock, order.trader, fill.shares());
        cash.merge(other.trader(), fill.cents(), Long::sum);
        cash.merge(order.trader, -fill.cents(), Long::sum);
      } else {
        changeShares(sql, order.stock, order.trader, -fill.shares());
        changeShares(sql, order.stock, other.trader(), fill.shares());
        cash.merge(order.trader, fill.cents(), Long::sum);
      }
    }
    if (buys) {
      cash.merge(order.trader, -(long) waiting * order.centsEach, Long::sum);
    } else if (waiting > 0) {
      changeShares(sql, order.stock, order.trader, -waiting);
    }
    changeCash(sql, cash);
  }

  private static long lockStock(Sql sql, String stock) {
    return sql.found(
        row -> row.getLong(1),
        "unknown-stock",
        "There is no stock " + stock + ".",
        "SELECT last_event FROM stock WHERE symbol = ? FOR UPDATE",
        stock);
  }

  private static List<PriceLevel> head(Sql sql, String stock, Side side) {
    return sql.all(
        row -> new PriceLevel(row.getInt(1), row.getInt(2)),
        "SELECT cents_each, left_shares FROM stock_order WHERE stock = ? AND side = ?"
            + " AND waiting = 1 ORDER BY cents_each "
            + (side == Side.BUY ? "DESC" : "ASC")
            + ", number LIMIT "
            + SHOWN,
        stock,
        side.name());
  }

  private static void changeShares(Sql sql, String stock, String trader, int shares) {
    int changed =
        sql.update(
            "UPDATE holding SET shares = shares + ? WHERE stock = ? AND trader = ?"
                + " AND shares + ? >= 0",
            shares,
            stock,
            trader,
            shares);
    if (changed == 0) {
      throw new BusinessException(
          "not-enough-shares", trader + " has fewer shares of " + stock + ".");
    }
  }

  private static void changeCash(Sql sql, Map<String, Long> cents) {
    for (Map.Entry<String, Long> each : cents.entrySet()) {
      int changed =
          sql.update(
              "UPDATE trader SET cents = cents + ? WHERE name = ? AND cents + ? >= 0",
              each.getValue(),
              each.getKey(),
              each.getValue());
      if (changed == 0) {
        throw new BusinessException("not-enough-cash", each.getKey() + " has too little cash.");
      }
    }
  }
}
