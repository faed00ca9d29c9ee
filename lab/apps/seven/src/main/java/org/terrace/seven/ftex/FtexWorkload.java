package org.terrace.seven.ftex;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A trader: half of the calls are limit orders around a price that all have in mind, a fifth lists
 * the book, the rest are market orders, cancellations and looks at the cash.
 */
final class FtexWorkload implements Workload<Ftex> {
  private static final int FAIR_CENTS = 5_000;
  private static final int SPREAD_CENTS = 100;
  private static final int LARGEST_ORDER = 50;

  private record Own(String stock, long order) {}

  private final RandomGenerator random;
  private final int replyBytes;
  private final String trader;
  private final Deque<Own> waiting = new ArrayDeque<>();
  private boolean registered;

  FtexWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.replyBytes = replyBytes;
    this.trader = "trader-%08x-%d".formatted((int) random.nextLong(), client);
  }

  @Override
  public Step<Ftex, ?> next() {
    if (!registered) {
      registered = true;
      return new Step<>(
          "register", ftex -> ftex.register(trader, replyBytes), reply -> {}, refusal -> {});
    }
    String stock = FtexApplication.STOCKS.get(random.nextInt(FtexApplication.STOCKS.size()));
    Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
    int shares = 1 + random.nextInt(LARGEST_ORDER);
    int dice = random.nextInt(100);
    if (dice < 50) {
      return limit(stock, side, shares);
    } else if (dice < 70) {
      return Step.of("book", ftex -> ftex.book(stock, replyBytes));
    } else if (dice < 80) {
      return new Step<>(
          "market",
          ftex -> ftex.market(trader, stock, side, shares, replyBytes),
          reply -> {},
          this::recover);
    } else if (dice < 95 && !waiting.isEmpty()) {
      Own own = waiting.removeFirst();
      return Step.of("cancel", ftex -> ftex.cancel(trader, own.stock, own.order, replyBytes));
    }
    return Step.of("cash", ftex -> ftex.cash(trader, replyBytes));
  }

  private Step<Ftex, Execution> limit(String stock, Side side, int shares) {
    int cents = FAIR_CENTS - SPREAD_CENTS + random.nextInt(2 * SPREAD_CENTS + 1);
    return new Step<>(
        "limit",
        ftex -> ftex.limit(trader, stock, side, shares, cents, replyBytes),
        reply -> remember(stock, reply),
        this::recover);
  }

  private void remember(String stock, Execution execution) {
    if (execution.waiting() > 0) {
      waiting.addLast(new Own(stock, execution.order()));
    }
  }

  private void recover(BusinessException refusal) {
    if (refusal.code().equals("unknown-trader")) {
      registered = false;
    }
  }
}
