package org.terrace.invocation.retention.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.naming.NamingClient;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.testing.Await;

/** Replicas that their managers start while the database is away. */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ManagedStartTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration AWAY = Duration.ofSeconds(3);

  @TempDir Path folder;

  @Test
  void theyWaitSayThatTheyDoAndServeWhenItIsBack() throws Exception {
    try (PostgresDatabase database = PostgresDatabase.startDurable();
        ControlPlane plane = new ControlPlane(folder)) {
      try (HikariDataSource pool = database.pool(1)) {
        DatabaseAccounts.create(pool);
      }
      database.server().crash();
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
        Path manager = folder.resolve("manager1.log");
        Path replicas = folder.resolve("replicas");
        assertThat(Await.until(LIMIT, () -> waits(manager) && allWait(replicas, 2))).isTrue();
        assertThat(Await.until(AWAY, () -> replicas(naming) > 0)).isFalse();
        assertThat(Files.readString(manager)).doesNotContain("ended with status");

        database.server().start();

        assertThat(Await.until(LIMIT, () -> replicas(naming) == 2)).isTrue();
        assertThat(client.stub(Accounts.class, OracleReplica.SERVICE).add(0, 1, 1, 1)).isEqualTo(1);
        assertThat(Files.readString(manager)).doesNotContain("ended with status");
      }
    }
  }

  private static boolean waits(Path log) {
    try {
      return Files.exists(log) && Files.readString(log).contains("waits for its database");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean allWait(Path logs, int count) {
    if (!Files.isDirectory(logs)) {
      return false;
    }
    try (Stream<Path> files = Files.list(logs)) {
      return files.filter(Files::isRegularFile).filter(ManagedStartTest::waits).count() == count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int replicas(NamingClient naming) {
    return naming
        .resolve(OracleReplica.SERVICE)
        .map(reference -> reference.endpoints().size())
        .orElse(0);
  }
}
