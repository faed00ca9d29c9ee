package org.terrace.seven.blackjack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class CardsTest {
  @Test
  void anAceCountsElevenUnlessThatIsTooMuch() {
    assertThat(Cards.total("AHKD")).isEqualTo(21);
    assertThat(Cards.total("AHKD5C")).isEqualTo(16);
    assertThat(Cards.total("AHAD")).isEqualTo(12);
    assertThat(Cards.total("AHADACAS7H")).isEqualTo(21);
    assertThat(Cards.total("TH9D3C")).isEqualTo(22);
  }

  @Test
  void aHandIsJudgedByTheRules() {
    assertThat(Cards.judge("TH9D3C", "2H2D")).isEqualTo(Result.BUST);
    assertThat(Cards.judge("AHKD", "7H7D7C")).isEqualTo(Result.BLACKJACK);
    assertThat(Cards.judge("AHKD", "ACKC")).isEqualTo(Result.PUSH);
    assertThat(Cards.judge("7H7D7C", "ACKC")).isEqualTo(Result.LOST);
    assertThat(Cards.judge("TH8D", "TC7C")).isEqualTo(Result.WON);
    assertThat(Cards.judge("TH2D", "TC7C9D")).isEqualTo(Result.WON);
    assertThat(Cards.judge("TH7D", "TC7C")).isEqualTo(Result.PUSH);
    assertThat(Cards.judge("TH6D", "TC7C")).isEqualTo(Result.LOST);
  }

  @Test
  void aBlackjackPaysThreeToTwo() {
    assertThat(Result.BLACKJACK.payout(10)).isEqualTo(25);
    assertThat(Result.WON.payout(10)).isEqualTo(20);
    assertThat(Result.PUSH.payout(10)).isEqualTo(10);
    assertThat(Result.LOST.payout(10)).isZero();
  }

  @Test
  void aShuffledDeckHasEveryCardOnce() {
    String deck = Cards.shuffled(Seeds.generator(Seeds.next("shuffle")));

    assertThat(deck).hasSize(104);
    assertThat(IntStream.range(0, 52).mapToObj(i -> Cards.at(deck, i))).doesNotHaveDuplicates();
  }
}
