package org.terrace.seven.parknpark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.ConcurrentRun;
import org.terrace.seven.DirectCalls;
import org.terrace.seven.Installation;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.Sql;
import org.terrace.testing.Seeds;

@ExtendWith(SevenDatabase.Resolver.class)
class ParkNParkTest {
  private static final ParkNParkApplication APPLICATION = new ParkNParkApplication();

  private final SevenDatabase database;
  private Connection connection;
  private DirectCalls calls;
  private ParkNPark lots;

  ParkNParkTest(SevenDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void install() throws Exception {
    connection = database.connect();
    Installation.reset(APPLICATION, connection);
    calls = new DirectCalls(1, database.connect());
    lots = calls.service(APPLICATION, TimeSource.system());
  }

  @AfterEach
  void close() throws Exception {
    calls.close();
    connection.close();
  }

  @Test
  void aCarTakesASpaceAndGivesItBackOnce() {
    long ticket = lots.enter("P02", 0).value();
    assertThat(available("P02")).isEqualTo(19);

    assertThat(lots.leave(ticket, 0).value()).isEqualTo(20);
    assertRefused("ticket-used", () -> lots.leave(ticket, 0));
    assertThat(available("P02")).isEqualTo(20);
  }

  @Test
  void aFullLotRefusesAndRecommendsTheNearestWithRoom() {
    fill("P01", 15);

    assertThatThrownBy(() -> lots.enter("P01", 0))
        .isInstanceOf(BusinessException.class)
        .hasMessage("Full; try P02, P05, P03");
    fill("P02", 20);
    assertThat(lots.alternatives("P01", 0).lots())
        .extracting(LotLine::name)
        .containsExactly("P05", "P03", "P06");
    assertThat(available("P01")).isZero();
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertRefused("unknown-lot", () -> lots.enter("P99", 0));
    assertRefused("unknown-lot", () -> lots.alternatives("P99", 0));
    assertRefused("unknown-ticket", () -> lots.leave(7, 0));
    assertRefused("unknown-ticket", () -> lots.leave(ParkNParkRules.TICKETS_OF_A_LOT + 1, 0));
  }

  @Test
  void aDayCostsNoMoreThanItsMaximum() {
    assertThat(lots.fee(15, 0).value()).isZero();
    assertThat(lots.fee(61, 0).value()).isEqualTo(360);
    assertThat(lots.fee(20 * 60, 0).value()).isEqualTo(1_500);
    assertThat(lots.fee(25 * 60, 0).value()).isEqualTo(1_680);
    assertRefused("bad-stay", () -> lots.fee(-1, 0));
  }

  @Test
  void manyClientsAtOnceKeepTheInvariants() throws Exception {
    ConcurrentRun.check(APPLICATION, database, Seeds.next("park-n-park"), 6, 250);
  }

  @Test
  void eachBrokenInvariantIsSeen() {
    Sql sql = new Sql(connection);
    lots.enter("P03", 0);

    sql.update("UPDATE lot SET available = available - 1 WHERE name = 'P03'");
    assertThat(ConcurrentRun.broken(APPLICATION, connection))
        .containsExactly("spaces-conserved [P03]");
    sql.update("UPDATE lot SET available = -1 WHERE name = 'P03'");
    assertThat(ConcurrentRun.broken(APPLICATION, connection)).contains("spaces-in-bounds [P03]");
    sql.update("UPDATE lot SET available = spaces - 1, last_ticket = 2 WHERE name = 'P03'");
    assertThat(ConcurrentRun.broken(APPLICATION, connection))
        .containsExactly("tickets-counted [P03]");
  }

  private void fill(String lot, int spaces) {
    for (int i = 0; i < spaces; i++) {
      lots.enter(lot, 0);
    }
  }

  private int available(String lot) {
    return lots.getLots(0).lots().stream()
        .filter(line -> line.name().equals(lot))
        .findFirst()
        .orElseThrow()
        .available();
  }

  private static void assertRefused(String code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            BusinessException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }
}
