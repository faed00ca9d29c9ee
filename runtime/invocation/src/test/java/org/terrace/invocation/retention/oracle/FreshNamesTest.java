package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ServiceReference;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.naming.NamingClient;
import org.terrace.core.TimeSource;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.PrimaryEpoch;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.testing.Await;

/** A naming service that begins again beside a database that does not. */
@Tag("real-processes")
@Tag("long")
class FreshNamesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void updatesGoOnWhenTheNamesAreDeletedAndTheDatabaseIsOld() throws Exception {
    try (TestDatabase database = PostgresDatabase.start()) {
      deleteTheNamesOf(database);
    }
  }

  @Test
  void theSameHoldsOnMariaDb() throws Exception {
    try (TestDatabase database = MariaDbDatabase.start()) {
      deleteTheNamesOf(database);
    }
  }

  private void deleteTheNamesOf(TestDatabase database) throws Exception {
    try (HikariDataSource pool = database.pool(2)) {
      DatabaseAccounts.create(pool);
      Path before = Files.createDirectory(folder.resolve("before"));
      long balance = callAfterFailOver(database, before, 1, () -> epoch(pool) > 1);
      long old = epoch(pool);
      assertThat(old).isGreaterThan(1);

      Path after = Files.createDirectory(folder.resolve("after"));
      assertThat(callAfterFailOver(database, after, 2, null)).isEqualTo(balance + 1);
      assertThat(epoch(pool)).isGreaterThan(old);
    }
  }

  private static long epoch(HikariDataSource pool) throws Exception {
    return new PrimaryEpoch(pool).current(OracleReplica.SERVICE).orElseThrow().epoch();
  }

  /**
   * The balance after one call, or after one, a fail-over and more until a condition holds. The
   * naming service tells an epoch before the replicas are told, and their first call of it puts it
   * in force: a call that comes between belongs to the epoch before, and is done as well.
   */
  private static long callAfterFailOver(
      TestDatabase database, Path directory, long caller, @Nullable Callable<Boolean> until)
      throws Exception {
    try (ControlPlane plane = new ControlPlane(directory)) {
      String names = plane.startNaming(1);
      plane.startManagers(
          names,
          1,
          OracleReplica.SERVICE,
          ManagedReplica.class,
          List.of(database.url(), database.user(), Planted.NOTHING.name()),
          List.of("--archives", "none"));
      try (NamingClient naming = NamingClient.open(names);
          ServiceClient client = ServiceClient.open(ClientOptions.of(naming).withDeadline(LIMIT))) {
        assertThat(Await.until(LIMIT, () -> replicas(naming) == 2)).isTrue();
        Accounts accounts = client.stub(Accounts.class, OracleReplica.SERVICE);
        long balance = accounts.add(0, 1, caller, 1);
        if (until != null) {
          String primary = reference(naming).endpoints().getFirst().replica();
          plane.processes().tellManager("kill " + OracleReplica.SERVICE + " " + primary);
          assertThat(Await.until(LIMIT, () -> reference(naming).epoch() > 1)).isTrue();
          long endNanos = TimeSource.system().elapsedNanos() + LIMIT.toNanos();
          for (long call = 2; call == 2 || !until.call(); call++) {
            assertThat(TimeSource.system().elapsedNanos()).isLessThan(endNanos);
            long before = balance;
            balance = accounts.add(0, 1, caller, call);
            assertThat(balance).isEqualTo(before + 1);
          }
        }
        return balance;
      }
    }
  }

  private static ServiceReference reference(NamingClient naming) {
    return naming.resolve(OracleReplica.SERVICE).orElseThrow();
  }

  private static int replicas(NamingClient naming) {
    return naming
        .resolve(OracleReplica.SERVICE)
        .map(reference -> reference.endpoints().size())
        .orElse(0);
  }
}
