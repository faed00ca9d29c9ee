package org.terrace.seven.ticketcenter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Sql;

@Tag("real-processes")
@Tag("untimed")
class TicketCenterTest extends ApplicationTest<TicketCenter> {
  TicketCenterTest(SevenDatabase database) {
    super(new TicketCenterApplication(), database);
  }

  @Test
  void aSeatIsBoughtOnceAndCanBeBoughtAgainAfterItWasGivenBack() {
    long reservation = service.buy(5, 7, "Ada", 0).value();
    assertThat(service.status(reservation, 0).value()).isEqualTo(7);
    assertRefused("seat-taken", () -> service.buy(5, 7, "Grace", 0));

    assertThat(service.cancel(reservation, 0).value()).isEqualTo(1_260);
    assertThat(service.status(reservation, 0).value()).isZero();
    assertRefused("already-cancelled", () -> service.cancel(reservation, 0));
    assertThat(service.buy(5, 7, "Grace", 0).value()).isEqualTo(reservation + 1);
    assertThat(broken()).isEmpty();
  }

  @Test
  void anySeatIsTheLowestFreeOneUntilTheBusIsFull() {
    service.buy(1, 1, "Ada", 0);
    long second = service.buy(1, 0, "Grace", 0).value();
    assertThat(service.status(second, 0).value()).isEqualTo(2);

    for (int i = 2; i < TicketCenterApplication.SEATS; i++) {
      service.buy(1, 0, "Grace", 0);
    }
    assertThat(service.freeSeats(1, 0).value()).isZero();
    assertRefused("sold-out", () -> service.buy(1, 0, "Edsger", 0));
    assertThat(service.search("PIT", "PHL", 0).departures())
        .extracting(Departure::number)
        .containsExactly(13, 25, 37);
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertRefused("unknown-departure", () -> service.buy(99, 0, "Ada", 0));
    assertRefused("unknown-departure", () -> service.freeSeats(99, 0));
    assertRefused("no-such-seat", () -> service.buy(1, 41, "Ada", 0));
    assertRefused("bad-passenger", () -> service.buy(1, 0, " ", 0));
    assertRefused("unknown-reservation", () -> service.cancel(1_000_001, 0));
    assertRefused("unknown-reservation", () -> service.status(3, 0));
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    long first = service.buy(2, 4, "Ada", 0).value();
    long second = service.buy(2, 5, "Ada", 0).value();

    assertSeen("no-double-booking", "UPDATE reservation SET seat = 4 WHERE id = ?", second);
    sql.update("UPDATE reservation SET seat = 5 WHERE id = ?", second);
    assertSeen(
        "seats-and-reservations-agree", "UPDATE seat SET reservation = ? WHERE number = 6", first);
    sql.update("UPDATE seat SET reservation = NULL WHERE number = 6");
    assertSeen("seats-conserved", "UPDATE departure SET sold = 1 WHERE id = 2");
    sql.update("UPDATE departure SET sold = 2 WHERE id = 2");
    assertSeen("money-conserved", "UPDATE departure SET revenue_cents = 1 WHERE id = 2");
  }
}
