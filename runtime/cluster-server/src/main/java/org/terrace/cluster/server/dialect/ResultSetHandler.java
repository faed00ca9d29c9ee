package org.terrace.cluster.server.dialect;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a real statement, which name the cluster's statement as theirs. Those of a further
 * page are fetched at the result's {@linkplain FetchPlace place}. All else goes to the real rows as
 * it is. For one thread at a time.
 */
public final class ResultSetHandler implements InvocationHandler {
  /** The moves, beside that to the next row, at which a driver may fetch a page. */
  private static final Set<String> MOVES =
      Set.of(
          "absolute",
          "afterLast",
          "beforeFirst",
          "first",
          "isAfterLast",
          "isBeforeFirst",
          "isFirst",
          "isLast",
          "last",
          "previous",
          "refreshRow",
          "relative",
          "setFetchSize");

  private final ResultSet rows;
  private final @Nullable Statement owner;
  private final RunningStatements running;
  private final FetchPlace place;
  private final boolean paged;
  private final Runnable onClose;

  /** The rows behind this one that the driver has for certain. */
  private long there;

  /** Whether a page failed with which its server has undone the transaction. */
  private volatile boolean undone;

  /** Whether it is known where a page ends. */
  private boolean counted = true;

  private ResultSetHandler(
      ResultSet rows,
      @Nullable Statement owner,
      RunningStatements running,
      FetchPlace place,
      int pageRows,
      Runnable onClose) {
    this.rows = rows;
    this.owner = owner;
    this.running = running;
    this.place = place;
    this.paged = pageRows > 0;
    this.there = all(pageRows);
    this.onClose = onClose;
  }

  /** The rows of a statement, which is counted among those that run while it fetches a page. */
  public static ResultSet of(
      OpenResult result, @Nullable Statement owner, RunningStatements running, Runnable onClose)
      throws SQLException {
    return proxy(
        new ResultSetHandler(
            result.statement().getResultSet(),
            owner,
            running,
            result.place(),
            result.pageRows(),
            onClose));
  }

  /** Rows that are all there. */
  public static ResultSet of(ResultSet rows, @Nullable Statement owner, Runnable onClose) {
    return proxy(
        new ResultSetHandler(rows, owner, new RunningStatements(), FetchPlace.CALLER, 0, onClose));
  }

  private static ResultSet proxy(ResultSetHandler handler) {
    return (ResultSet)
        Proxy.newProxyInstance(
            ResultSetHandler.class.getClassLoader(), new Class<?>[] {ResultSet.class}, handler);
  }

  /** The rows of a page of so many; 0: there is one page. */
  private static long all(int pageRows) {
    return pageRows > 0 ? pageRows : Long.MAX_VALUE;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return answer(proxy, method, arguments);
    } catch (SQLException e) {
      if (FetchPlace.isInterruption(e)) {
        running.readingEndsTransaction();
        throw e;
      }
      if (Thread.currentThread().isInterrupted() && FailureKind.of(e) == FailureKind.LOST) {
        // A driver may ask the server for the type of a value, too, on the client's own thread.
        place.broken();
        running.readingEndsTransaction();
        throw FetchPlace.interrupted(e);
      }
      if (undone) {
        running.readingEndsTransaction();
      } else {
        running.readingFailed(rows);
      }
      throw e;
    }
  }

  private @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    return switch (name) {
      case "getStatement" -> owner;
      case "close" -> {
        close();
        yield null;
      }
      case "next" -> next();
      case "equals" -> isSame(proxy, arguments);
      case "hashCode" -> System.identityHashCode(proxy);
      default -> {
        if (!paged || !MOVES.contains(name)) {
          yield call(rows, method, arguments);
        }
        yield move(method, arguments);
      }
    };
  }

  private void close() throws SQLException {
    if (paged) {
      place.end(() -> {
        rows.close();
        return true;
      });
    } else {
      rows.close();
    }
    onClose.run();
  }

  private boolean next() throws SQLException {
    if (there > 0) {
      there--;
      return rows.next();
    }
    return fetched(() -> {
      boolean more = rows.next();
      if (more && counted) {
        there = all(rows.getFetchSize()) - 1;
      }
      return more;
    });
  }

  /** Fetches, and asks the server to give that up if the client waits for it no longer. */
  private <T> T fetched(FetchPlace.Call<T> call) throws SQLException {
    RunningStatements own = new RunningStatements();
    running.begin(own);
    try {
      return place.fetch(() -> own.during(rows, () -> fetchedHere(call)));
    } finally {
      running.end(own);
      own.leave();
    }
  }

  private <T> T fetchedHere(FetchPlace.Call<T> call) throws SQLException {
    Statement statement = rows.getStatement();
    try {
      return call.make();
    } catch (SQLException e) {
      undone = statement != null && FailedTransaction.isUndoneBy(e, statement.getConnection());
      throw e;
    }
  }

  private @Nullable Object move(Method method, Object @Nullable [] arguments) throws SQLException {
    counted = false;
    there = 0;
    @Nullable Object[] answer = new @Nullable Object[1];
    boolean _ =
        fetched(() -> {
          try {
            answer[0] = call(rows, method, arguments);
            return true;
          } catch (SQLException | RuntimeException | Error e) {
            throw e;
          } catch (Throwable e) {
            throw new SQLException(e);
          }
        });
    return answer[0];
  }

  /** Whether a proxy is asked whether it equals itself. */
  @SuppressWarnings("ReferenceEquality")
  public static boolean isSame(Object proxy, Object @Nullable [] arguments) {
    return arguments != null && proxy == arguments[0];
  }

  /** Makes a call on the real thing behind a proxy. */
  public static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? new SQLException(e) : cause;
    }
  }
}
