package org.terrace.collections.guava;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Depth;

public class GuavaSuiteTest {
  /**
   * The suites had about this many tests when this was written: fewer would mean they did not run.
   */
  private static final int TESTS_AT_LEAST = Depth.of(2_000, 50);

  /** Those of maps, sets and lists, which take longest and come first. */
  private static final int LEFT_OUT = Depth.of(0, 4);

  @Test
  void guavasSuitesForCollectionsPass() {
    TestResult result = new TestResult();
    GuavaCollectionSuites.suites().stream()
        .skip(LEFT_OUT)
        .forEach(suite -> suite.get().run(result));

    List<TestFailure> failures = new ArrayList<>();
    result.failures().asIterator().forEachRemaining(failures::add);
    result.errors().asIterator().forEachRemaining(failures::add);
    assertThat(failures.stream().map(TestFailure::toString).sorted().toList()).isEmpty();
    assertThat(result.runCount()).isGreaterThan(TESTS_AT_LEAST);
    System.out.println("Guava's suites: " + result.runCount() + " tests");
  }
}
