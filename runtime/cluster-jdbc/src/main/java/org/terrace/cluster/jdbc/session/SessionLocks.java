package org.terrace.cluster.jdbc.session;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.freshness.SessionFreshness;
import org.terrace.cluster.jdbc.session.NamedLocks.Grant;
import org.terrace.cluster.jdbc.session.NamedLocks.Mode;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.LockCall;
import org.terrace.cluster.sql.StatementAnalysis;

/**
 * The advisory and named locks of one session: of PostgreSQL those of a session and those of a
 * transaction, of MariaDB those of a session. For one thread at a time; another may end it.
 */
final class SessionLocks {
  /** PostgreSQL's state for a lock that was waited for in vain. */
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** MariaDB's state and code for a statement that was cancelled. */
  private static final String INTERRUPTED = "70100";

  private static final int INTERRUPTED_CODE = 1317;

  private record Held(String name, Mode mode, boolean ofTransaction) {}

  private final DatabaseCluster cluster;
  private final SessionFreshness seen;
  private final List<Held> held = new CopyOnWriteArrayList<>();
  private @Nullable Held granted;

  SessionLocks(DatabaseCluster cluster, SessionFreshness seen) {
    this.cluster = cluster;
    this.seen = seen;
  }

  /** Does what a statement wants of a lock, and gives the result that its client expects. */
  OpenResult call(
      StatementRequest request,
      StatementAnalysis analysis,
      SessionValues.Reader reader,
      RunningStatements running)
      throws SQLException {
    LockCall call = Objects.requireNonNull(analysis.lock());
    List<String> arguments =
        call.arguments().isEmpty() ? List.of() : arguments(request, call, reader, running);
    running.atCancel(() -> cluster.locks().giveUp(this));
    granted = null;
    Object value =
        cluster.engine() == Engine.MARIADB
            ? ofMariaDb(call.function(), arguments)
            : ofPostgres(call.function(), arguments, request);
    BoundParameter bound =
        value == null ? BoundParameter.typed(null, Types.BIGINT) : BoundParameter.of(value);
    try {
      return reader.read(request.with(call.result(), List.of(List.of(bound))), running);
    } catch (SQLException | RuntimeException e) {
      Held unknown = granted;
      if (unknown != null) {
        // Its client would not let go of what it never learned to have.
        release(unknown);
      }
      throw e;
    }
  }

  private static List<String> arguments(
      StatementRequest request,
      LockCall call,
      SessionValues.Reader reader,
      RunningStatements running)
      throws SQLException {
    OpenResult result = reader.read(request.with(call.arguments(), request.rows()), running);
    try (ResultSet rows = result.statement().getResultSet()) {
      List<String> texts = new ArrayList<>();
      rows.next();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        String text = rows.getString(i);
        if (text == null) {
          throw new SQLException("The name of a lock is null.", SqlStates.BAD_PARAMETER);
        }
        texts.add(text);
      }
      return texts;
    } finally {
      result.close();
    }
  }

  private Object ofPostgres(String function, List<String> keys, StatementRequest request)
      throws SQLException {
    if (function.equals("pg_advisory_unlock_all")) {
      releaseWhere(false);
      return "";
    }
    StringBuilder name = new StringBuilder();
    for (String key : keys) {
      name.append(name.isEmpty() ? "" : ",").append(number(key).toBigInteger());
    }
    Mode mode = function.endsWith("_shared") ? Mode.SHARED : Mode.EXCLUSIVE;
    if (function.startsWith("pg_advisory_unlock")) {
      return release(new Held(name.toString(), mode, false));
    }
    Held wanted = new Held(name.toString(), mode, function.contains("_xact_"));
    if (function.startsWith("pg_try")) {
      return acquire(wanted, Duration.ZERO);
    }
    int seconds = request.options().timeoutSeconds();
    Duration most = cluster.configuration().lockWait();
    boolean told = seconds > 0 && Duration.ofSeconds(seconds).compareTo(most) < 0;
    if (!acquire(wanted, told ? Duration.ofSeconds(seconds) : most)) {
      throw new SQLException(
          "The advisory lock %s was not free for %s.".formatted(name, told ? seconds + " s" : most),
          told ? SqlStates.QUERY_CANCELED : LOCK_NOT_AVAILABLE);
    }
    return "";
  }

  private @Nullable Object ofMariaDb(String function, List<String> arguments) throws SQLException {
    if (function.equals("release_all_locks")) {
      int before = held.size();
      releaseWhere(false);
      return (long) before;
    }
    String name = arguments.getFirst().toLowerCase(Locale.ROOT);
    Object holder = cluster.locks().holder(name);
    return switch (function) {
      case "get_lock" -> acquire(new Held(name, Mode.EXCLUSIVE, false), limit(arguments)) ? 1L : 0L;
      case "release_lock" ->
          holder == null ? null : release(new Held(name, Mode.EXCLUSIVE, false)) ? 1L : 0L;
      case "is_free_lock" -> holder == null ? 1L : 0L;
      default -> holder == null ? null : Integer.toUnsignedLong(System.identityHashCode(holder));
    };
  }

  /** The time for which GET_LOCK waits: for ever is as long as for any other lock. */
  private Duration limit(List<String> arguments) throws SQLException {
    BigDecimal seconds = arguments.size() > 1 ? number(arguments.get(1)) : BigDecimal.ONE.negate();
    return seconds.signum() < 0
        ? cluster.configuration().lockWait()
        : Duration.ofMillis(
            seconds.min(BigDecimal.valueOf(Integer.MAX_VALUE)).movePointRight(3).longValue());
  }

  private static BigDecimal number(String text) throws SQLException {
    try {
      return new BigDecimal(text.strip());
    } catch (NumberFormatException e) {
      throw new SQLException(
          "Expected a number for a lock, got '" + text + "'.", SqlStates.BAD_PARAMETER, e);
    }
  }

  private boolean acquire(Held wanted, Duration limit) throws SQLException {
    Grant grant;
    try {
      grant = cluster.locks().acquire(this, wanted.name(), wanted.mode(), limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while waiting for a lock.", SqlStates.QUERY_CANCELED, e);
    }
    if (grant == Grant.GIVEN_UP) {
      String message = "The wait for the lock %s was cancelled.".formatted(wanted.name());
      throw cluster.engine() == Engine.MARIADB
          ? new SQLException(message, INTERRUPTED, INTERRUPTED_CODE)
          : new SQLException(message, SqlStates.QUERY_CANCELED);
    }
    if (grant == Grant.DEADLOCK) {
      throw new SQLException(
          "Who holds the lock %s waits for a lock of this session: try it again."
              .formatted(wanted.name()),
          SqlStates.SERIALIZATION_FAILURE);
    }
    if (grant == Grant.GRANTED) {
      held.add(wanted);
      granted = wanted;
      // Who had it before has committed what it was for.
      seen.toldOfAll();
    }
    return grant == Grant.GRANTED;
  }

  private boolean release(Held lock) {
    return held.remove(lock) && cluster.locks().release(this, lock.name(), lock.mode());
  }

  /** Lets go of the locks of a transaction that has ended. */
  void endTransaction() {
    releaseWhere(true);
  }

  /** Ends the session: it waits no longer, lets go of all, and is granted nothing more. */
  void close() {
    cluster.locks().end(this);
  }

  private void releaseWhere(boolean ofTransaction) {
    for (Held lock : List.copyOf(held)) {
      if (lock.ofTransaction() == ofTransaction) {
        release(lock);
      }
    }
  }
}
