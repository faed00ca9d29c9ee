package org.terrace.invocation.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.invocation.InvocationException;
import org.terrace.invocation.Outcome;

class RequestNumbersTest {
  private static final long SECOND = 1_000_000_000L;

  private final RequestNumbers numbers = new RequestNumbers();

  private static int place(long sequence) {
    return new RequestIdentity(1, sequence).place();
  }

  @Test
  void numbersFollowOneAnotherAsLongAsPlacesAreFree() {
    for (long expected = 1; expected <= 10_000; expected++) {
      long sequence = numbers.take(SECOND).sequence();
      assertThat(sequence).isEqualTo(expected);
      numbers.release(sequence);
    }
  }

  @Test
  void noOtherRequestTakesThePlaceOfOneThatHangs() {
    long hanging = numbers.take(SECOND).sequence();
    long before = hanging;
    for (int i = 0; i < 5 * RequestIdentity.PLACES; i++) {
      RequestNumbers.Taken other = numbers.take(SECOND);
      assertThat(other.sequence()).isGreaterThan(before);
      assertThat(other.firstIncomplete()).isEqualTo(hanging);
      assertThat(place(other.sequence())).isNotEqualTo(place(hanging));
      before = other.sequence();
      numbers.release(other.sequence());
    }
  }

  @Test
  void whoFindsNoFreePlaceWaitsForOneAndThenGivesUp() throws Exception {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < RequestIdentity.PLACES; i++) {
      taken.add(numbers.take(SECOND).sequence());
    }
    assertThatThrownBy(() -> numbers.take(1))
        .isInstanceOfSatisfying(
            InvocationException.class,
            failure -> assertThat(failure.outcome()).isEqualTo(Outcome.NOT_EXECUTED));
    CompletableFuture<Long> next =
        CompletableFuture.supplyAsync(() -> numbers.take(20 * SECOND).sequence());
    numbers.release(taken.get(7));

    assertThat(place(next.get(20, TimeUnit.SECONDS))).isEqualTo(place(taken.get(7)));
  }
}
