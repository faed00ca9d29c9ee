package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** Some faults on each database; {@code terrace prove invocation} runs more. */
@Tag("real-processes")
@Tag("untimed")
class ExactlyOnceOracleTest {
  private static final int FAULTS = Depth.of(4, 1);

  @TempDir Path folder;

  @Test
  void everyAcknowledgedCallHasOneEffectAndNoCallHasTwo() throws Exception {
    try (TestDatabase database = PostgresDatabase.start()) {
      run("PostgreSQL", database);
    }
  }

  @Test
  @Tag("long")
  void theSameHoldsOnMariaDb() throws Exception {
    try (TestDatabase database = MariaDbDatabase.start()) {
      run("MariaDB", database);
    }
  }

  private void run(String name, TestDatabase database) throws Exception {
    long seed = Seeds.next("ExactlyOnceOracleTest");
    InvocationProof.Verdict verdict =
        InvocationProof.run(seed, FAULTS, database, folder, System.out::println);
    System.out.println(name + ": " + verdict.facts());

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.facts()).containsEntry("faults", (long) FAULTS);
  }

  static Stream<Planted> mistakes() {
    return Stream.of(Planted.values()).filter(planted -> planted != Planted.NOTHING);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  @Tag("long")
  void aPlantedMistakeIsFound(Planted planted) throws Exception {
    try (TestDatabase database = PostgresDatabase.start()) {
      long seed = Seeds.next("ExactlyOnceOracleTest");
      assertThat(InvocationProof.runPlanted(seed, database, folder, planted).violations())
          .anySatisfy(violation -> assertThat(violation).startsWith(planted.finding()));
    }
  }
}
