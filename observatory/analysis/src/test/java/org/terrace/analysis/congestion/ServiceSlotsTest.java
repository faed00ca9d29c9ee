package org.terrace.analysis.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

/** The number of slots by the order of answers, where throughput agrees, and not otherwise. */
class ServiceSlotsTest {
  private static final int SLOTS = 10;
  private static final double SECONDS = 0.02;
  private static final double CAPACITY = SLOTS / SECONDS;

  private final RandomGenerator random = Seeds.generator(Seeds.next("ServiceSlotsTest"));

  /** Answers at loads up to three times the slots, each of which overtakes any number below. */
  private ServiceSlots.Answers answers(int overtakeLess) {
    ServiceSlots.Answers answers = new ServiceSlots.Answers();
    for (int i = 0; i < 20_000; i++) {
      int there = random.nextInt(1, 3 * SLOTS);
      answers.add(random.nextInt(Math.min(there, overtakeLess)), there);
    }
    return answers;
  }

  /** Windows whose throughput grows with load up to a knee. */
  private LoadWindows windows(double knee) {
    int count = 3_000;
    double[] load = new double[count];
    double[] throughput = new double[count];
    for (int i = 0; i < count; i++) {
      load[i] = random.nextDouble(0.1, 3 * SLOTS);
      throughput[i] = Math.min(load[i], knee) / SECONDS * random.nextDouble(0.9, 1.1);
    }
    return new LoadWindows(10, load, throughput, throughput, new boolean[count]);
  }

  @Test
  void answersThatOvertakeNoMoreTellTheSlots() {
    ServiceSlots found = ServiceSlots.of(answers(SLOTS), windows(SLOTS), SECONDS);

    assertThat(found).isNotNull();
    assertThat(found.count()).isEqualTo(SLOTS);
    assertThat(found.knee()).isBetween((double) SLOTS, 1.05 * SLOTS);
    assertThat(found.capacity()).isBetween(0.97 * CAPACITY, 1.03 * CAPACITY);
  }

  @Test
  void someThatAreMisorderedDoNotMatter() {
    ServiceSlots.Answers answers = answers(SLOTS);
    for (int i = 0; i < 20; i++) {
      answers.add(2 * SLOTS, 3 * SLOTS);
    }

    assertThat(ServiceSlots.of(answers, windows(SLOTS), SECONDS))
        .extracting(ServiceSlots::count)
        .isEqualTo(SLOTS);
  }

  @Test
  void answersThatOvertakeAnyNumberTellNone() {
    assertThat(ServiceSlots.of(answers(3 * SLOTS), windows(SLOTS), SECONDS)).isNull();
  }

  /** As of requests in turn on few connections: their order is no limit. */
  @Test
  void anOrderBeyondWhichThroughputGrowsIsNoLimit() {
    assertThat(ServiceSlots.of(answers(SLOTS / 2), windows(SLOTS), SECONDS)).isNull();
    assertThat(ServiceSlots.of(answers(1), windows(SLOTS), SECONDS)).isNull();
  }

  /** As of more threads than processors: the processors are the limit, and their number is less. */
  @Test
  void moreSlotsThanThroughputGrowsUpToAreNoLimit() {
    assertThat(ServiceSlots.of(answers(SLOTS), windows(SLOTS / 2.0), SECONDS)).isNull();
  }

  @Test
  void fewAnswersTellNone() {
    ServiceSlots.Answers few = new ServiceSlots.Answers();
    for (int i = 0; i < 150; i++) {
      few.add(i % SLOTS, 3 * SLOTS);
    }

    assertThat(ServiceSlots.of(few, windows(SLOTS), SECONDS)).isNull();
    assertThat(ServiceSlots.of(answers(SLOTS), windows(SLOTS), Double.NaN)).isNull();
  }
}
