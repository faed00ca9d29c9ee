package org.terrace.seven.ejbay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Sql;
import org.terrace.testing.ManualTimeSource;

@Tag("real-processes")
@Tag("untimed")
class EjbayTest extends ApplicationTest<Ejbay> {
  private final ManualTimeSource time = new ManualTimeSource(0);
  private long lamp;

  EjbayTest(SevenDatabase database) {
    super(new EjbayApplication(), database);
  }

  @BeforeEach
  void offerALamp() throws Exception {
    service = client(2, time);
    for (String member : new String[] {"Ada", "Ben", "Cy"}) {
      service.register(member, 0);
    }
    lamp = service.post("Ada", "lamps", "Lamp", "A lamp of brass.", 1_000, 10, 0).value();
  }

  @Test
  void theHighestBidderPaysTheSellerAndTheOthersGetTheirMoneyBack() {
    service.bid("Ben", lamp, 1_000, 0);
    assertThat(service.cash("Ben", 0).value()).isEqualTo(EjbayRules.FIRST_CENTS - 1_000);
    service.bid("Cy", lamp, 1_050, 0);
    service.bid("Cy", lamp, 2_000, 0);
    assertThat(service.cash("Ben", 0).value()).isEqualTo(EjbayRules.FIRST_CENTS);

    Auction closed = service.close("Ada", lamp, 0);

    assertThat(closed.state()).isEqualTo(AuctionState.SOLD);
    assertThat(closed.leader()).isEqualTo("Cy");
    assertThat(service.cash("Ada", 0).value()).isEqualTo(EjbayRules.FIRST_CENTS + 2_000);
    assertThat(service.cash("Cy", 0).value()).isEqualTo(EjbayRules.FIRST_CENTS - 2_000);
    assertThat(broken()).isEmpty();
  }

  @Test
  void afterItsTimeNobodyBidsAndAnybodyCloses() {
    assertRefused("not-yet", () -> service.close("Ben", lamp, 0));
    time.advanceNanos(Duration.ofMinutes(10).toNanos());

    assertRefused("auction-over", () -> service.bid("Ben", lamp, 1_000, 0));
    assertThat(service.list("lamps", 0).auctions()).isEmpty();
    assertThat(service.close("Ben", lamp, 0).state()).isEqualTo(AuctionState.UNSOLD);
    assertRefused("auction-over", () -> service.close("Ada", lamp, 0));
    assertThat(broken()).isEmpty();
  }

  @Test
  void newestAuctionsAreListedFirstAndDescribedInFull() {
    service.post("Ben", "lamps", "Torch", "A torch.", 5, 10, 0);

    assertThat(service.list("lamps", 0).auctions())
        .extracting(ListingLine::title)
        .containsExactly("Torch", "Lamp");
    assertThat(service.describe(lamp, 0).text()).isEqualTo("A lamp of brass.");
  }

  @Test
  void whatTheRulesForbidIsRefused() {
    assertRefused("name-taken", () -> service.register("Ada", 0));
    assertRefused("own-auction", () -> service.bid("Ada", lamp, 1_000, 0));
    assertRefused("bid-too-low", () -> service.bid("Ben", lamp, 999, 0));
    service.bid("Ben", lamp, 1_000, 0);
    assertRefused("bid-too-low", () -> service.bid("Cy", lamp, 1_049, 0));
    assertRefused("not-enough-cash", () -> service.bid("Cy", lamp, 50_000_000, 0));
    assertRefused("unknown-member", () -> service.bid("Dan", lamp, 2_000, 0));
    assertRefused("unknown-auction", () -> service.look(1, 0));
    assertRefused("unknown-category", () -> service.post("Ada", "cars", "Car", "", 1, 1, 0));
    assertRefused("bad-offer", () -> service.post("Ada", "toys", "Top", "", 0, 1, 0));
    assertThat(broken()).isEmpty();
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    service.bid("Ben", lamp, 1_000, 0);
    service.bid("Cy", lamp, 2_000, 0);

    assertSeen("money-conserved", "UPDATE member SET cents = cents + 1 WHERE name = 'Ben'");
    sql.update("UPDATE member SET cents = cents - 1 WHERE name = 'Ben'");
    assertSeen("bids-rise", "UPDATE bid SET cents = 2000 WHERE number = 1");
    sql.update("UPDATE bid SET cents = 1000 WHERE number = 1");
    assertSeen("highest-bid-leads", "UPDATE auction SET leader = 'Ben'");
    sql.update("UPDATE auction SET leader = 'Cy'");
    assertSeen("nobody-bids-on-their-own", "UPDATE bid SET bidder = 'Ada' WHERE number = 1");
    sql.update("UPDATE bid SET bidder = 'Ben' WHERE number = 1");
    assertSeen("auctions-counted", "UPDATE category SET last_auction = 7 WHERE name = 'toys'");
    sql.update("UPDATE category SET last_auction = 0 WHERE name = 'toys'");
    assertSeen("money-never-negative", "UPDATE member SET cents = -1 WHERE name = 'Ben'");
    sql.update("UPDATE member SET cents = granted_cents WHERE name = 'Ben'");
    assertSeen("sold-to-a-bidder", "UPDATE auction SET state = 'UNSOLD'");
  }
}
