package org.terrace.seven.blackjack;

import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A player who bets a tenth of the chips, takes cards up to 15, doubles on 10 and 11, looks at the
 * table now and then, and buys in when broke.
 */
final class BlackjackWorkload implements Workload<Blackjack> {
  private static final int STANDS_FROM = 16;
  private static final int LOOKS_PERCENT = 10;

  private final RandomGenerator random;
  private final int replyBytes;
  private final String player;
  private boolean registered;
  private boolean dealt;
  private long chips;
  private Result result = Result.PUSH;
  private int cards;
  private int total;
  private int bet;

  BlackjackWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.replyBytes = replyBytes;
    // A name of its own for every run over the same tables, within the length of a request.
    this.player = "player-%08x-%d".formatted((int) random.nextLong(), client);
  }

  @Override
  public Step<Blackjack, ?> next() {
    if (!registered) {
      return new Step<>(
          "register",
          table -> table.register(player, replyBytes),
          reply -> {
            registered = true;
            chips = reply.value();
          },
          refusal -> registered = true);
    }
    if (dealt && random.nextInt(100) < LOOKS_PERCENT) {
      return step("look", table -> table.look(player, replyBytes));
    }
    if (result == Result.OPEN) {
      return play();
    }
    if (chips < BlackjackRules.LEAST_BET) {
      return Step.of(
          "buyIn", table -> table.buyIn(player, replyBytes), reply -> chips = reply.value());
    }
    int tenth = (int) Math.min(BlackjackRules.HIGHEST_BET, chips / 10) / 2 * 2;
    int next = Math.max(BlackjackRules.LEAST_BET, tenth);
    return step("deal", table -> table.deal(player, next, replyBytes));
  }

  private Step<Blackjack, Table> play() {
    if (cards == 2 && (total == 10 || total == 11) && chips >= bet) {
      return step("doubleDown", table -> table.doubleDown(player, replyBytes));
    } else if (total < STANDS_FROM) {
      return step("hit", table -> table.hit(player, replyBytes));
    }
    return step("stand", table -> table.stand(player, replyBytes));
  }

  private Step<Blackjack, Table> step(String method, Function<Blackjack, Table> call) {
    return new Step<>(method, call, this::see, this::recover);
  }

  private void see(Table table) {
    dealt = true;
    result = table.result();
    chips = table.chips();
    cards = Cards.count(table.cards());
    total = table.total();
    bet = table.bet();
  }

  /** Learns from a refusal the change that an earlier call of unknown outcome made. */
  private void recover(BusinessException refusal) {
    switch (refusal.code()) {
      case "hand-open" -> result = Result.OPEN;
      case "no-hand" -> result = Result.PUSH;
      case "unknown-player" -> registered = false;
      case "not-enough-chips" -> chips = 0;
      case "not-broke" -> chips = BlackjackRules.LEAST_BET;
      default -> {}
    }
  }
}
