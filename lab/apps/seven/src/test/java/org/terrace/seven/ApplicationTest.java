package org.terrace.seven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.core.TimeSource;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Sql;
import org.terrace.testing.Seeds;

/** The tests that all of the seven share: fresh tables, direct calls, and the concurrent run. */
@ExtendWith(SevenDatabase.Resolver.class)
public abstract class ApplicationTest<S> {
  private static final int CLIENTS = 6;
  private static final int CALLS = 250;

  private final Application<S> application;
  private final SevenDatabase database;
  private final List<AutoCloseable> open = new ArrayList<>();

  /** A connection that commits each statement. */
  protected Connection connection;

  /** The service as one client calls it. */
  protected S service;

  @SuppressWarnings("NullAway.Init")
  protected ApplicationTest(Application<S> application, SevenDatabase database) {
    this.application = application;
    this.database = database;
  }

  @BeforeEach
  void install() throws Exception {
    connection = opened(database.connect());
    Installation.reset(application, connection);
    service = client(1, TimeSource.system());
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** The service as another client calls it, at a time of one's own. */
  protected S client(long number, TimeSource time) throws Exception {
    return opened(new DirectCalls(number, database.connect())).service(application, time);
  }

  @Test
  void manyClientsAtOnceKeepTheInvariants() throws Exception {
    ConcurrentRun.check(application, database, Seeds.next(application.name()), CLIENTS, CALLS);
  }

  /** The names of the invariants that are broken. */
  protected List<String> broken() {
    return SevenCheck.verdicts(application, connection).stream()
        .filter(verdict -> !verdict.holds())
        .map(SevenCheck.Verdict::name)
        .toList();
  }

  /** Damages data that were sound, and expects the invariant to be broken. */
  protected void assertSeen(String invariant, String damage, Object... arguments) throws Exception {
    assertThat(broken()).as("before: " + damage).isEmpty();
    assertThat(new Sql(connection).update(damage, arguments)).as(damage).isPositive();
    assertThat(broken()).as(damage).contains(invariant);
  }

  /** Expects a refusal with this code. */
  protected static void assertRefused(String code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            BusinessException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  private <T extends AutoCloseable> T opened(T resource) {
    open.add(resource);
    return resource;
  }
}
