package org.terrace.petstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Seeds;

/** The cost of calls: equal means, unequal spread. */
class WorkTest {
  private static final int DRAWS = 200_000;

  @Test
  void smallAndLargeVarianceHaveTheSameMean(@TempDir Path folder) throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("smallAndLargeVariance"));
    try (Work small = Work.open(PetServiceKind.CPU_IO_SMALL, 1_000, 4, 1, folder);
        Work large = Work.open(PetServiceKind.CPU_IO_LARGE, 1_000, 4, 1, folder)) {
      double[] smallNanos = draw(() -> small.processorNanos(random));
      double[] largeNanos = draw(() -> large.processorNanos(random));

      assertThat(mean(smallNanos)).isBetween(0.98e6, 1.02e6);
      assertThat(mean(largeNanos)).isBetween(0.95e6, 1.05e6);
      assertThat(deviation(largeNanos)).isGreaterThan(10 * deviation(smallNanos));
      assertThat(small.writes(random)).isEqualTo(4);
      assertThat(mean(draw(() -> large.writes(random)))).isBetween(3.9, 4.1);
    }
  }

  @Test
  void aCallWritesToItsScratchFileWhichIsGoneAtTheEnd(@TempDir Path folder) throws Exception {
    try (Work work = Work.open(PetServiceKind.IO_SMALL, 0, 3, 1, folder)) {
      work.run();
      assertThat(work.scratchBytes()).isPositive();
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void everyKindIsFoundByTheNameOfItsService() {
    for (PetServiceKind kind : PetServiceKind.values()) {
      assertThat(PetServiceKind.of(kind.service())).isEqualTo(kind);
    }
  }

  private static double[] draw(java.util.function.LongSupplier source) {
    return DoubleStream.generate(source::getAsLong).limit(DRAWS).toArray();
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(DoubleStream.of(values).map(v -> (v - mean) * (v - mean)).average().orElse(0));
  }
}
