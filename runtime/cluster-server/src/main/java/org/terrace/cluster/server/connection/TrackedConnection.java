package org.terrace.cluster.server.connection;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;

/**
 * A connection that tells whether one of its calls waits for its server. Its calls are for one
 * thread at a time, which is told when the connection is cut for its silence; what is asked of it
 * beside is for one other thread.
 */
public final class TrackedConnection {
  /** The number of answers in a row that make a connection silent: the server waits for it. */
  public static final int QUIET_ANSWERS = 5;

  private static final long NONE = 0;

  /** A call that waits for the server. */
  @FunctionalInterface
  public interface Call<T extends @Nullable Object, E extends Exception> {
    /** Makes the call. */
    T make() throws E, SQLException;
  }

  private final Connection real;
  private final @Nullable ServerSession session;
  private final AtomicLong calls = new AtomicLong();
  private volatile long underWay = NONE;
  private volatile boolean ofOnePiece;
  private volatile long silentMillis;

  // Of the thread that asks.
  private long seen = NONE;
  private long sinceNanos;
  private int quiet;
  private boolean waitsLong;
  private boolean asked;
  private boolean listed;

  /**
   * A connection of which no call waits.
   *
   * @param session its session; null: it is not known what the server does for it
   */
  public TrackedConnection(Connection real, @Nullable ServerSession session) {
    this.real = real;
    this.session = session;
  }

  /** The connection to use, whose calls are counted; {@code closed} is run when it is closed. */
  public Connection connection(Runnable closed) {
    return (Connection)
        Proxy.newProxyInstance(
            TrackedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new ConnectionCalls(this, real, closed));
  }

  /** The server's session of this connection, if that is known. */
  public Optional<ServerSession> session() {
    return Optional.ofNullable(session);
  }

  /** Whether it is closed at this end. */
  public boolean isClosed() {
    try {
      return real.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /**
   * Makes a call for one piece of a COPY, which a server that works sends or takes in a moment; it
   * is counted if the connection is a tracked one.
   */
  public static <T extends @Nullable Object> T piece(
      Connection connection, Call<T, SQLException> call) throws SQLException {
    if (!connection.isWrapperFor(TrackedConnection.class)) {
      return call.make();
    }
    TrackedConnection tracked = connection.unwrap(TrackedConnection.class);
    tracked.ofOnePiece = true;
    try {
      return tracked.during(call);
    } finally {
      tracked.ofOnePiece = false;
    }
  }

  /** Makes a call that waits for the server. */
  <T extends @Nullable Object, E extends Exception> T during(Call<T, E> call)
      throws E, SQLException {
    underWay = calls.incrementAndGet();
    try {
      return call.make();
    } catch (SQLException e) {
      throw silentMillis == 0 ? e : silence(e);
    } finally {
      underWay = NONE;
    }
  }

  private SQLException silence(SQLException failure) {
    return new SQLException(
        "a connection to it was silent for %d ms, while the server had nothing to do for it"
            .formatted(silentMillis),
        SqlStates.CONNECTION_FAILURE,
        failure);
  }

  /**
   * Whether the server is to be asked what it does for it: one call has been seen to wait for so
   * long, or since the server was last at it; or it has not been asked yet, and may not list the
   * session at all.
   */
  public boolean isToAsk(long nowNanos, long limitNanos) {
    waitsLong = hasWaited(nowNanos, limitNanos);
    return session != null && (waitsLong || !asked);
  }

  private boolean hasWaited(long nowNanos, long limitNanos) {
    long call = underWay;
    if (call == NONE || call != seen) {
      seen = call;
      sinceNanos = nowNanos;
      quiet = 0;
      return false;
    }
    return nowNanos - sinceNanos >= limitNanos;
  }

  /**
   * Notes what the server says of it, and tells whether it is silent.
   *
   * @param activity what the server does for it
   */
  public boolean isSilent(SessionActivity activity, long nowNanos) {
    asked = true;
    listed |= activity != SessionActivity.ABSENT;
    boolean works =
        switch (activity) {
          case WORKS -> true;
          case SENDS -> !ofOnePiece;
          case WAITS -> false;
          // Who has never listed it may be another server behind the same address.
          case ABSENT -> !listed;
        };
    if (works) {
      sinceNanos = nowNanos;
      quiet = 0;
      return false;
    }
    if (waitsLong) {
      quiet++;
    }
    return quiet >= QUIET_ANSWERS && underWay == seen;
  }

  /** Lets its calls fail from now on as those of a connection that has fallen silent. */
  public void tellSilence(long nowNanos) {
    silentMillis = Math.max(1, (nowNanos - sinceNanos) / 1_000_000);
  }

  /** Cuts it, so that whoever waits for its server waits no longer. */
  public void cut() {
    try {
      real.abort(Runnable::run);
    } catch (SQLException e) {
      // It is gone already.
    }
  }
}
