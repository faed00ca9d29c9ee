package org.terrace.seven.ftex;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Sql;

@Tag("real-processes")
@Tag("untimed")
class FtexTest extends ApplicationTest<Ftex> {
  FtexTest(SevenDatabase database) {
    super(new FtexApplication(), database);
  }

  @BeforeEach
  void register() {
    for (String trader : new String[] {"Ada", "Ben", "Cy"}) {
      service.register(trader, 0);
    }
  }

  @Test
  void theBestPriceTradesFirstAndOfOnePriceTheOldest() {
    sell("Ada", 10, 5_010);
    long oldest = sell("Ben", 10, 5_000).order();
    sell("Ada", 10, 5_000);

    Execution bought = service.limit("Cy", "ACME", Side.BUY, 15, 5_010, 0);

    assertThat(bought.filled()).isEqualTo(15);
    assertThat(bought.cents()).isEqualTo(15 * 5_000);
    assertThat(new Sql(connection).number("SELECT shares FROM trade WHERE maker = ?", oldest))
        .isEqualTo(10);
    assertThat(service.book("ACME", 0).asks())
        .containsExactly(new PriceLevel(5_000, 5), new PriceLevel(5_010, 10));
    assertThat(service.cash("Ben", 0).value()).isEqualTo(FtexRules.FIRST_CENTS + 50_000);
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatIsLeftOfALimitOrderWaitsAndOfAMarketOrderIsDropped() {
    sell("Ada", 10, 5_000);

    Execution limit = service.limit("Ben", "ACME", Side.BUY, 30, 5_005, 0);
    assertThat(limit.waiting()).isEqualTo(20);
    assertThat(service.cash("Ben", 0).value())
        .isEqualTo(FtexRules.FIRST_CENTS - 10 * 5_000 - 20 * 5_005);
    Execution market = service.market("Cy", "ACME", Side.SELL, 50, 0);
    assertThat(market.filled()).isEqualTo(20);
    assertThat(market.cents()).isEqualTo(20 * 5_005);
    assertThat(service.book("ACME", 0).asks()).isEmpty();
    assertThat(service.book("ACME", 0).bids()).isEmpty();
    assertThat(broken()).isEmpty();
  }

  @Test
  void aCancelledOrderGivesBackWhatWasSetAside() {
    long order = service.limit("Ada", "BOLT", Side.BUY, 10, 4_000, 0).order();
    assertThat(service.cash("Ada", 0).value()).isEqualTo(FtexRules.FIRST_CENTS - 40_000);

    assertRefused("not-yours", () -> service.cancel("Ben", "BOLT", order, 0));
    assertThat(service.cancel("Ada", "BOLT", order, 0).value()).isEqualTo(10);
    assertRefused("order-closed", () -> service.cancel("Ada", "BOLT", order, 0));
    assertThat(service.cash("Ada", 0).value()).isEqualTo(FtexRules.FIRST_CENTS);
    assertThat(broken()).isEmpty();
  }

  @Test
  void manyWaitingOrdersAreMetByOne() {
    for (int i = 0; i < 45; i++) {
      sell(i % 2 == 0 ? "Ada" : "Ben", 2, 5_000 + i % 7);
    }

    assertThat(service.market("Cy", "ACME", Side.BUY, 89, 0).filled()).isEqualTo(89);
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatTheRulesForbidIsRefused() {
    assertRefused("name-taken", () -> service.register("Ada", 0));
    assertRefused("unknown-stock", () -> service.book("NONE", 0));
    assertRefused("unknown-trader", () -> service.market("Dan", "ACME", Side.BUY, 1, 0));
    assertRefused("bad-order", () -> service.market("Ada", "ACME", Side.BUY, 0, 0));
    assertRefused("not-enough-shares", () -> sell("Ada", 1_001, 5_000));
    assertRefused(
        "not-enough-cash", () -> service.limit("Ada", "ACME", Side.BUY, 10_000, 5_000, 0));
    sell("Ada", 1, 5_000);
    assertRefused("self-match", () -> service.limit("Ada", "ACME", Side.BUY, 1, 5_000, 0));
    assertThat(broken()).isEmpty();
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    sell("Ada", 10, 5_000);
    service.limit("Ben", "ACME", Side.BUY, 4, 5_000, 0);
    service.limit("Ben", "ACME", Side.BUY, 4, 4_990, 0);

    assertSeen("money-conserved", "UPDATE trader SET cents = cents + 1 WHERE name = 'Cy'");
    sql.update("UPDATE trader SET cents = cents - 1 WHERE name = 'Cy'");
    assertSeen(
        "shares-conserved",
        "UPDATE holding SET shares = shares + 1 WHERE stock = 'ACME' AND trader = 'Cy'");
    sql.update("UPDATE holding SET shares = shares - 1 WHERE stock = 'ACME' AND trader = 'Cy'");
    assertSeen("price-then-time", "UPDATE trade SET shares = 3");
    sql.update("UPDATE trade SET shares = 4");
    assertSeen("nothing-negative", "UPDATE trader SET cents = -1 WHERE name = 'Cy'");
    sql.update("UPDATE trader SET cents = ? WHERE name = 'Cy'", FtexRules.FIRST_CENTS);
    assertSeen("book-never-crossed", "UPDATE stock_order SET cents_each = 5000 WHERE number = 3");
  }

  private Execution sell(String trader, int shares, int cents) {
    return service.limit(trader, "ACME", Side.SELL, shares, cents, 0);
  }
}
