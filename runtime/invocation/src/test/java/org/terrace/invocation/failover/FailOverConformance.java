package org.terrace.invocation.failover;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TimeSource;
import org.terrace.invocation.CallRecord;
import org.terrace.invocation.CallStep;
import org.terrace.invocation.Outcome;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;

/**
 * The behaviour of a service with two replicas over every middleware when its primary is killed:
 * the other answers, and each request takes effect once. Replicas are processes with one database;
 * who survives a test is the next one's primary.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FailOverConformance {
  /** Less than a client waits for one replica's reply: then it is not this that helped. */
  private static final Duration WITHIN = Duration.ofSeconds(4);

  /** Some times as long as a replica is avoided that was slow. */
  private static final Duration SETTLED = Duration.ofSeconds(30);

  private static final int CALLS_BEFORE = 20;
  private static final TimeSource TIME = TimeSource.system();

  private final String middleware;
  private final String host;
  private final Deque<DoorsProcess> standing = new ArrayDeque<>();
  private PostgresDatabase database;
  private HikariDataSource pool;
  private int started;

  @TempDir private Path directory;

  /**
   * The suite for a middleware.
   *
   * @param middleware the name that the class path knows it by
   * @param host the address that its replicas listen at
   */
  protected FailOverConformance(String middleware, String host) {
    this.middleware = middleware;
    this.host = host;
  }

  @BeforeAll
  final void startDatabase() throws IOException, SQLException {
    database = PostgresDatabase.start();
    pool = database.pool(1);
    try (Connection connection = pool.getConnection()) {
      DoorsReplica.create(connection);
    }
  }

  @AfterAll
  final void stopAll() {
    standing.forEach(DoorsProcess::kill);
    pool.close();
    database.close();
  }

  @BeforeEach
  final void startReplicas() throws IOException {
    List<DoorsProcess> starting = new ArrayList<>();
    while (standing.size() < 2) {
      DoorsProcess replica =
          DoorsProcess.start("server" + ++started, middleware, host, database, directory);
      standing.add(replica);
      starting.add(replica);
    }
    for (DoorsProcess replica : starting) {
      replica.awaitReady();
    }
  }

  @Test
  void aPrimaryKilledBetweenCallsIsSucceededByTheOther() throws Exception {
    DoorsProcess primary = standing.removeFirst();
    String backup = standing.getFirst().name();
    try (ServiceClient client = client(primary, standing.getFirst())) {
      Doors doors = callOften(client, primary);

      primary.kill();
      String ran = doors.enter();

      assertThat(ran).isEqualTo(backup);
      CallRecord call = assertLastIsDone(client, backup);
      assertThat(call.elapsedNanos()).isLessThan(WITHIN.toNanos());
    }
  }

  @Test
  void aCallThatThePrimaryDidNotCommitIsRunByTheOther() throws Exception {
    DoorsProcess primary = standing.removeFirst();
    String backup = standing.getFirst().name();
    try (ServiceClient client = client(primary, standing.getFirst())) {
      Doors doors = callOften(client, primary);

      String ran = enterAndKill(primary, doors::enterPausingBeforeCommit);

      assertThat(ran).isEqualTo(backup);
      assertThat(asked(assertLastIsDone(client, backup))).containsExactly(primary.name(), backup);
    }
  }

  @Test
  void aCallThatThePrimaryCommittedIsAnsweredByTheOtherAndDoesNotRunAgain() throws Exception {
    DoorsProcess primary = standing.removeFirst();
    String backup = standing.getFirst().name();
    try (ServiceClient client = client(primary, standing.getFirst())) {
      Doors doors = callOften(client, primary);

      String ran = enterAndKill(primary, doors::enterPausingBeforeReply);

      assertThat(ran).isEqualTo(primary.name());
      assertThat(asked(assertLastIsDone(client, primary.name())))
          .containsExactly(primary.name(), backup);
    }
  }

  private static ServiceClient client(DoorsProcess primary, DoorsProcess backup) {
    ServiceReference reference =
        new ServiceReference(
            DoorsReplica.SERVICE,
            Style.WARM_PASSIVE,
            1,
            1,
            List.of(primary.endpoint(), backup.endpoint()));
    return ServiceClient.open(ClientOptions.of(Naming.fixed(reference)).withoutHedging());
  }

  /**
   * Calls until the primary has answered {@value #CALLS_BEFORE} times in succession: where
   * processes have to wait for a processor, a look after it may come too late, and it is avoided
   * for a while.
   */
  private static Doors callOften(ServiceClient client, DoorsProcess primary) {
    Doors doors = client.stub(Doors.class, DoorsReplica.SERVICE);
    long start = TIME.elapsedNanos();
    int atPrimary = 0;
    while (atPrimary < CALLS_BEFORE) {
      atPrimary = doors.enter().equals(primary.name()) ? atPrimary + 1 : 0;
      assertThat(TIME.elapsedNanos() - start)
          .as("%s", client.attempts().getLast())
          .isLessThan(SETTLED.toNanos());
    }
    return doors;
  }

  /** The result of the call that is under way when the primary is killed. */
  private String enterAndKill(DoorsProcess primary, UnaryOperator<String> enter) throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        answer.complete(enter.apply(primary.name()));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    });
    primary.awaitPause();
    assertThat(answer).isNotDone();
    long killed = TIME.elapsedNanos();
    primary.kill();
    String replica = answer.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    System.out.printf(
        "%s: answered %.1f ms after the kill%n", middleware, (TIME.elapsedNanos() - killed) / 1e6);
    return replica;
  }

  /** The last call is done, and each of the client's requests took effect once. */
  private CallRecord assertLastIsDone(ServiceClient client, String ranAt) throws SQLException {
    CallRecord last = client.attempts().getLast();
    System.out.println(middleware + ": " + last);
    assertThat(last.outcome()).isEqualTo(Outcome.DONE);
    assertThat(ranAt(last.identity())).containsExactly(ranAt);
    for (CallRecord each : client.attempts()) {
      assertThat(ranAt(each.identity())).as("%s", each).hasSize(1);
    }
    return last;
  }

  private List<String> ranAt(RequestIdentity identity) throws SQLException {
    try (Connection connection = pool.getConnection();
        var query =
            connection.prepareStatement(
                "SELECT replica FROM entry WHERE client = ? AND sequence = ?")) {
      query.setLong(1, identity.client());
      query.setLong(2, identity.sequence());
      List<String> replicas = new ArrayList<>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          replicas.add(rows.getString(1));
        }
      }
      connection.rollback();
      return replicas;
    }
  }

  private static List<String> asked(CallRecord call) {
    List<String> asked = new ArrayList<>();
    for (CallStep step : call.steps()) {
      if (step instanceof CallStep.Attempt attempt) {
        asked.add(attempt.replica());
      }
    }
    return asked;
  }
}
