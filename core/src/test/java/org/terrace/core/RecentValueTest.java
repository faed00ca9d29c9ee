package org.terrace.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentValueTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final AtomicInteger asked = new AtomicInteger();
  private final TimeSource time = new StandingTime(now);

  @Test
  void theSourceIsAskedAgainOnceItsAnswerIsOfThatAge() {
    RecentValue<Integer> value = new RecentValue<>(asked::incrementAndGet, time, 100);
    assertThat(value.get()).isEqualTo(1);
    now.addAndGet(99);
    assertThat(value.get()).isEqualTo(1);
    now.addAndGet(1);
    assertThat(value.get()).isEqualTo(2);
    now.addAndGet(99);
    assertThat(value.get()).isEqualTo(2);
  }

  /** An answer is as old as its question: it may have waited for a lock. */
  @Test
  void anAnswerAgesFromItsQuestionOn() {
    RecentValue<Integer> value = new RecentValue<>(this::slowly, time, 100);
    assertThat(value.get()).isEqualTo(1);
    now.addAndGet(40);
    assertThat(value.get()).isEqualTo(2);
  }

  private int slowly() {
    now.addAndGet(60);
    return asked.incrementAndGet();
  }

  @Test
  void aSourceThatThrowsIsAskedAgainAndItsOldAnswerIsNotGiven() {
    RecentValue<Integer> value = new RecentValue<>(this::failsSecond, time, 100);
    assertThat(value.get()).isEqualTo(1);
    now.addAndGet(100);
    assertThatThrownBy(value::get).isInstanceOf(ArithmeticException.class);
    assertThat(value.get()).isEqualTo(3);
  }

  private int failsSecond() {
    int count = asked.incrementAndGet();
    return count / (count == 2 ? 0 : 1);
  }

  /** A clock that a test sets. */
  record StandingTime(AtomicLong nanos) implements TimeSource {
    @Override
    public long epochNanos() {
      return nanos.get();
    }

    @Override
    public long elapsedNanos() {
      return nanos.get();
    }
  }
}
