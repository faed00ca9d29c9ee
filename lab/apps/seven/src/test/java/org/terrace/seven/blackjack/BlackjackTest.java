package org.terrace.seven.blackjack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.seven.ApplicationTest;
import org.terrace.seven.SevenDatabase;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Sql;

@Tag("real-processes")
@Tag("untimed")
class BlackjackTest extends ApplicationTest<Blackjack> {
  /** The number of the client that {@code service} is. */
  private static final long CLIENT = 1;

  private static final int CALLS_SO_FAR_MAX = 10;

  BlackjackTest(SevenDatabase database) {
    super(new BlackjackApplication(), database);
  }

  @BeforeEach
  void register() {
    assertThat(service.register("Ada", 0).value()).isEqualTo(BlackjackRules.FIRST_CHIPS);
  }

  @Test
  void aHandIsPlayedToItsEndAndPaidOut() {
    for (int i = 0; i < 40; i++) {
      Table table = service.deal("Ada", 10, 0);
      long before = table.chips() + (table.result() == Result.OPEN ? table.bet() : 0);
      while (table.result() == Result.OPEN) {
        table = table.total() < 17 ? service.hit("Ada", 0) : service.stand("Ada", 0);
        if (table.result() != Result.OPEN) {
          assertThat(table.chips()).isEqualTo(before - 10 + table.result().payout(10));
        }
      }
      assertThat(service.look("Ada", 0)).isEqualTo(table);
    }
    assertThat(broken()).isEmpty();
  }

  @Test
  void onlyOneCardOfTheDealerIsSeenWhileTheHandIsOpen() {
    dealOpen();

    assertThat(service.look("Ada", 0).dealerCards()).hasSize(2);
    assertThat(service.stand("Ada", 0).dealerCards()).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void theDeckDoesNotFollowFromTheNumbersOfTheCallWhichThePlayerKnows() throws Exception {
    assertThat(service.deal("Ada", 10, 0).bet()).isEqualTo(10);
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT deck FROM hand")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString(1))
          .isNotIn(
              LongStream.rangeClosed(1, CALLS_SO_FAR_MAX)
                  .mapToObj(sequence -> new RequestIdentity(CLIENT, sequence))
                  .map(identity -> Cards.shuffled(Randoms.ofCall(identity)))
                  .toList());
    }
  }

  @Test
  void aDoubledBetGetsOneMoreCard() {
    dealOpen();

    Table table = service.doubleDown("Ada", 0);
    assertThat(table.bet()).isEqualTo(20);
    assertThat(table.cards()).hasSize(6);
    assertThat(table.result()).isNotEqualTo(Result.OPEN);
    assertThat(broken()).isEmpty();
  }

  @Test
  void whatTheRulesForbidIsRefused() {
    assertRefused("name-taken", () -> service.register("Ada", 0));
    assertRefused("unknown-player", () -> service.deal("Grace", 10, 0));
    assertRefused("bad-bet", () -> service.deal("Ada", 11, 0));
    assertRefused("no-hand", () -> service.hit("Ada", 0));
    assertRefused("not-broke", () -> service.buyIn("Ada", 0));
    dealOpen();
    assertRefused("hand-open", () -> service.deal("Ada", 10, 0));
    assertRefused("hand-open", () -> service.buyIn("Ada", 0));
    new Sql(connection).update("UPDATE player SET chips = 0");
    assertRefused("not-enough-chips", () -> service.doubleDown("Ada", 0));
  }

  @Test
  void eachBrokenInvariantIsSeen() throws Exception {
    Sql sql = new Sql(connection);
    dealOpen();
    service.stand("Ada", 0);

    assertSeen("chips-conserved", "UPDATE player SET chips = chips + 1");
    sql.update("UPDATE player SET chips = chips - 1");
    assertSeen("chips-never-negative", "UPDATE player SET chips = -1");
    sql.update("UPDATE player SET chips = (SELECT chips_in_play - chips FROM house)");
    assertSeen("hands-by-the-rules", "UPDATE hand SET cards = '2C3C' WHERE number = 1");
    sql.update("DELETE FROM hand");
    sql.update("UPDATE player SET last_hand = 0");
    dealOpen();
    assertSeen("one-hand-at-a-time", "UPDATE player SET last_hand = last_hand + 1");
  }

  /** Deals until neither has a blackjack, so that the player can act. */
  private void dealOpen() {
    while (service.deal("Ada", 10, 0).result() != Result.OPEN) {
      assertThat(service.look("Ada", 0).result()).isNotEqualTo(Result.OPEN);
    }
  }
}
