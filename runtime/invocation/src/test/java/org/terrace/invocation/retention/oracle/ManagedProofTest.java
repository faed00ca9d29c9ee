package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.testing.Seeds;

/** Some faults on the whole way of a call; {@code terrace prove invocation} runs more. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ManagedProofTest {
  private static final int FAULTS = 3;

  @TempDir Path folder;

  @Test
  void whatARealClientIsToldIsTrue() throws Exception {
    try (TestDatabase database = PostgresDatabase.startDurable()) {
      run("PostgreSQL", database);
    }
  }

  @Test
  void theSameHoldsOnMariaDb() throws Exception {
    Assumptions.assumeTrue(MariaDbServer.isInstallable(), "there is no MariaDB for this machine");
    try (TestDatabase database = MariaDbDatabase.startDurable()) {
      run("MariaDB", database);
    }
  }

  private void run(String name, TestDatabase database) throws Exception {
    long seed = Seeds.next("ManagedProofTest");
    InvocationProof.Verdict verdict =
        ManagedProof.run(seed, FAULTS, database, folder, System.out::println);
    System.out.println(name + ": " + verdict.facts());

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.facts()).containsEntry("faults", (long) FAULTS);
  }

  @Test
  void callsWithoutAKeyAreSeenToTakeEffectTwice() throws Exception {
    try (TestDatabase database = PostgresDatabase.startDurable()) {
      long seed = Seeds.next("ManagedProofTest");
      assertThat(ManagedProof.runControl(seed, database, folder, System.out::println).violations())
          .isEmpty();
    }
  }
}
