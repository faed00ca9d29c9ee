package org.terrace.seven.parknpark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Sql;

@Tag("real-processes")
@Tag("untimed")
class ParkNParkTest extends ApplicationTest<ParkNPark> {
  ParkNParkTest(SevenDatabase database) {
    super(new ParkNParkApplication(), database);
  }

  @Test
  void aCarTakesASpaceAndGivesItBackOnce() {
    long ticket = service.enter("P02", 0).value();
    assertThat(available("P02")).isEqualTo(19);

    assertThat(service.leave(ticket, 0).value()).isEqualTo(20);
    assertRefused("ticket-used", () -> service.leave(ticket, 0));
    assertThat(available("P02")).isEqualTo(20);
  }

  @Test
  void aFullLotRefusesAndRecommendsTheNearestWithRoom() {
    fill("P01", 15);

    assertThatThrownBy(() -> service.enter("P01", 0))
        .isInstanceOf(BusinessException.class)
        .hasMessage("Full; try P02, P05, P03");
    fill("P02", 20);
    assertThat(service.alternatives("P01", 0).lots())
        .extracting(LotLine::name)
        .containsExactly("P05", "P03", "P06");
    assertThat(available("P01")).isZero();
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertRefused("unknown-lot", () -> service.enter("P99", 0));
    assertRefused("unknown-lot", () -> service.alternatives("P99", 0));
    assertRefused("unknown-ticket", () -> service.leave(7, 0));
    assertRefused("unknown-ticket", () -> service.leave(ParkNParkRules.TICKETS_OF_A_LOT + 1, 0));
  }

  @Test
  void aDayCostsNoMoreThanItsMaximum() {
    assertThat(service.fee(15, 0).value()).isZero();
    assertThat(service.fee(61, 0).value()).isEqualTo(360);
    assertThat(service.fee(20 * 60, 0).value()).isEqualTo(1_500);
    assertThat(service.fee(25 * 60, 0).value()).isEqualTo(1_680);
    assertRefused("bad-stay", () -> service.fee(-1, 0));
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    service.enter("P03", 0);

    assertSeen("spaces-conserved", "UPDATE lot SET available = available - 1 WHERE name = 'P03'");
    sql.update("UPDATE lot SET available = spaces - 1 WHERE name = 'P03'");
    assertSeen("spaces-in-bounds", "UPDATE lot SET available = -1 WHERE name = 'P03'");
    sql.update("UPDATE lot SET available = spaces - 1 WHERE name = 'P03'");
    assertSeen("tickets-counted", "UPDATE lot SET last_ticket = 2 WHERE name = 'P03'");
  }

  private void fill(String lot, int spaces) {
    for (int i = 0; i < spaces; i++) {
      service.enter(lot, 0);
    }
  }

  private int available(String lot) {
    return service.getLots(0).lots().stream()
        .filter(line -> line.name().equals(lot))
        .findFirst()
        .orElseThrow()
        .available();
  }
}
