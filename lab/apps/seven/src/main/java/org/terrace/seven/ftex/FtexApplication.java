package org.terrace.seven.ftex;

import java.util.List;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** FTEX: a handful of stocks, and traders who all begin with the same. */
public final class FtexApplication implements Application<Ftex> {
  static final List<String> STOCKS = List.of("ACME", "BOLT", "CRUX", "DYNE", "ECHO", "FLUX");

  @Override
  public String name() {
    return "ftex";
  }

  @Override
  public Published published() {
    return new Published("EJB", Style.WARM_PASSIVE, 30, 50, 100);
  }

  @Override
  public Class<Ftex> service() {
    return Ftex.class;
  }

  @Override
  public Ftex rules(TimeSource time) {
    return new FtexRules();
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE stock (
          symbol VARCHAR(8) PRIMARY KEY,
          last_event BIGINT NOT NULL)
        """,
        """
        CREATE TABLE trader (
          name VARCHAR(24) PRIMARY KEY,
          cents BIGINT NOT NULL,
          granted_cents BIGINT NOT NULL)
        """,
        """
        CREATE TABLE holding (
          stock VARCHAR(8) NOT NULL,
          trader VARCHAR(24) NOT NULL,
          shares BIGINT NOT NULL,
          granted_shares BIGINT NOT NULL,
          PRIMARY KEY (stock, trader),
          FOREIGN KEY (stock) REFERENCES stock (symbol),
          FOREIGN KEY (trader) REFERENCES trader (name))
        """,
        """
        CREATE TABLE stock_order (
          stock VARCHAR(8) NOT NULL,
          number BIGINT NOT NULL,
          trader VARCHAR(24) NOT NULL,
          side VARCHAR(4) NOT NULL,
          may_wait INT NOT NULL,
          cents_each INT NOT NULL,
          shares INT NOT NULL,
          left_shares INT NOT NULL,
          waiting INT NOT NULL,
          cancelled_at BIGINT NOT NULL,
          PRIMARY KEY (stock, number),
          FOREIGN KEY (stock) REFERENCES stock (symbol),
          FOREIGN KEY (trader) REFERENCES trader (name))
        """,
        "CREATE INDEX stock_order_book ON stock_order (stock, side, waiting, cents_each, number)",
        """
        CREATE TABLE trade (
          stock VARCHAR(8) NOT NULL,
          taker BIGINT NOT NULL,
          maker BIGINT NOT NULL,
          shares INT NOT NULL,
          cents_each INT NOT NULL,
          PRIMARY KEY (stock, taker, maker))
        """);
  }

  @Override
  public List<String> tables() {
    return List.of("trade", "stock_order", "holding", "trader", "stock");
  }

  @Override
  public void seed(Sql sql) {
    sql.batch(
        "INSERT INTO stock (symbol, last_event) VALUES (?, 0)",
        STOCKS.stream().map(symbol -> new Object[] {symbol}).toList());
  }

  @Override
  public Workload<Ftex> workload(long seed, int client, int replyBytes) {
    return new FtexWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "money-conserved",
            "The cents of all traders and those set aside for waiting bids are all ever granted.",
            "SELECT concat('granted cents ', granted) FROM (SELECT"
                + " (SELECT coalesce(sum(granted_cents), 0) FROM trader) AS granted,"
                + " (SELECT coalesce(sum(cents), 0) FROM trader)"
                + " + (SELECT coalesce(sum(left_shares * cents_each), 0) FROM stock_order"
                + " WHERE waiting = 1 AND side = 'BUY') AS there) sums WHERE granted <> there"),
        Invariant.ofQuery(
            "shares-conserved",
            "The shares of all traders and those in waiting asks are all ever granted.",
            "SELECT symbol FROM stock WHERE"
                + " (SELECT coalesce(sum(granted_shares - shares), 0) FROM holding"
                + " WHERE holding.stock = symbol)"
                + " <> (SELECT coalesce(sum(left_shares), 0) FROM stock_order"
                + " WHERE stock_order.stock = symbol AND waiting = 1 AND side = 'SELL')"),
        Invariant.ofQuery(
            "nothing-negative",
            "Nobody spends cents or sells shares they do not have.",
            "SELECT name FROM trader WHERE cents < 0"
                + " UNION SELECT trader FROM holding WHERE shares < 0"),
        Invariant.ofQuery(
            "book-never-crossed",
            "The best bid of a stock is below its best ask.",
            "SELECT symbol FROM stock WHERE"
                + " (SELECT max(cents_each) FROM stock_order WHERE stock_order.stock = symbol"
                + " AND waiting = 1 AND side = 'BUY')"
                + " >= (SELECT min(cents_each) FROM stock_order WHERE stock_order.stock = symbol"
                + " AND waiting = 1 AND side = 'SELL')"),
        new Invariant(
            "price-then-time",
            "The trades are those of the best price first, and of one price the oldest.",
            Replay::wrongStocks));
  }
}
