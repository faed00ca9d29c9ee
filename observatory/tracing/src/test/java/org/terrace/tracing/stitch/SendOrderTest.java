package org.terrace.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendOrderTest {
  @Test
  void whoIsServedInTurnIsNeverLate() {
    // Two requests come, each calls once and answers; all is done in the order in which it came.
    long[] arrivals = {0, 10};
    long[] answers = {500, 600};
    long[] calls = {100, 200};
    long[] answered = {300, 400};

    SendOrder order = new SendOrder(arrivals, answers, calls, answered);

    assertThat(late(order.numberOfCall, order.turnOfArrival)).containsExactly(0, 0);
    assertThat(late(order.numberOfAnswer, order.turnOfAnswer)).containsExactly(0, 0);
  }

  @Test
  void whoOvertakesIsEarlyAndWhoIsOvertakenIsLate() {
    long[] arrivals = {0, 10};
    long[] answers = {500, 600};
    long[] calls = {100, 200};

    SendOrder order = new SendOrder(arrivals, answers, calls, new long[] {300, 400});

    // The second request's call is the first one.
    assertThat(order.numberOfCall[0] - order.turnOfArrival[1]).isEqualTo(-1);
    assertThat(order.numberOfCall[1] - order.turnOfArrival[0]).isEqualTo(1);
  }

  @Test
  void whatWasNotSeenDoesNotAddUp() {
    // A thousand requests before, of which nobody saw the calls.
    long[] arrivals = new long[1_002];
    long[] answers = new long[1_002];
    for (int i = 0; i < 1_000; i++) {
      arrivals[i] = 10L * i - 20_000;
      answers[i] = arrivals[i] + 5;
    }
    arrivals[1_000] = 0;
    arrivals[1_001] = 10;
    answers[1_000] = 500;
    answers[1_001] = 600;

    SendOrder order =
        new SendOrder(arrivals, answers, new long[] {100, 200}, new long[] {300, 400});

    assertThat(order.numberOfCall[0] - order.turnOfArrival[1_000]).isZero();
    assertThat(order.numberOfCall[1] - order.turnOfArrival[1_001]).isZero();
  }

  private static int[] late(int[] numbers, int[] turns) {
    int[] late = numbers.clone();
    for (int i = 0; i < late.length; i++) {
      late[i] -= turns[i];
    }
    return late;
  }
}
