package org.terrace.details;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.observation.Outcome;
import org.terrace.testing.Seeds;

class ResponseTallyTest {
  private static final long MICRO = 1_000;

  private static ClassResponses of(long... nanos) {
    ResponseTally tally = new ResponseTally(0, Long.MAX_VALUE);
    for (long each : nanos) {
      tally.add("a", 0, each, Outcome.OK);
    }
    return tally.classes("app1").getFirst();
  }

  @Test
  void shortTimesHaveABinForEachMicrosecond() {
    ClassResponses responses = of(0, 1, MICRO, MICRO + 1, 8 * MICRO, 10 * MICRO);

    assertThat(responses.boundariesMicros()).containsExactly(1L, 2L, 7L, 8L, 9L, 10L);
    assertThat(responses.counts()).containsExactly(3L, 1L, 0L, 1L, 0L, 1L, 0L);
  }

  @Test
  void aTimeIsInTheBinUpToTheNextBoundaryAndBinsAreNarrow() {
    RandomGenerator random = Seeds.generator(Seeds.next("aTimeIsInTheBin"));
    for (int i = 0; i < 10_000; i++) {
      long nanos = random.nextLong() >>> random.nextInt(1, 63);
      ClassResponses responses = of(nanos);

      List<Long> ends = responses.boundariesMicros();
      long from = ends.size() == 1 ? 0 : ends.getFirst();
      assertThat(nanos).as("%s", responses).isLessThanOrEqualTo(bounded(ends.getLast()));
      assertThat(nanos == 0 || nanos > from * MICRO).as("%d in %s", nanos, responses).isTrue();
      assertThat(ends.getLast() - from).isLessThanOrEqualTo(Math.max(1, from / 8));
      assertThat(responses.counts().getLast()).isZero();
      assertThat(responses.counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
      assertThat(responses.counts()).hasSize(ends.size() + 1);
    }
  }

  private static long bounded(long micros) {
    return micros > Long.MAX_VALUE / MICRO ? Long.MAX_VALUE : micros * MICRO;
  }

  @Test
  void theRarestClassesAreOneEntry() {
    ResponseTally tally = new ResponseTally(0, 1_000_000);
    for (int i = 0; i < ResponseTally.CLASSES_MAX + 2; i++) {
      for (int many = 0; many < 2 + i % 2; many++) {
        tally.add("class " + i, 0, (1 + i) * MICRO, many == 0 ? Outcome.ERROR : Outcome.OK);
      }
    }
    List<ClassResponses> classes = tally.classes("app1");

    assertThat(classes).hasSize(ResponseTally.CLASSES_MAX + 1);
    assertThat(classes.getFirst())
        .extracting(ClassResponses::requestClass, ClassResponses::count, ClassResponses::errors)
        .containsExactly("class 1", 3L, 1L);
    ClassResponses rest = classes.getLast();
    assertThat(rest.requestClass()).isNull();
    assertThat(rest.count()).isEqualTo(4);
    assertThat(rest.errors()).isEqualTo(2);
    assertThat(rest.counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(4);
  }
}
