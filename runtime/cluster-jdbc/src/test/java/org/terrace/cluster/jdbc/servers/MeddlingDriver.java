package org.terrace.cluster.jdbc.servers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.logging.Logger;

/**
 * A driver in the place of a real one, which it uses; the next connection that a method asks for
 * can be held up, or end in an error of the driver, before it is made. Thread-safe.
 */
public final class MeddlingDriver implements Driver, AutoCloseable {
  /** The next connection of a method to a place. */
  private record Meddling(String place, String method, Runnable deed) {}

  /** A thread that asked for a connection, and does not get it yet. */
  public static final class Held {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Thread thread = Thread.currentThread();

    /** Whether somebody has asked. */
    public boolean isReached() {
      return reached.getCount() == 0;
    }

    /** Lets it have its connection. */
    public void release() {
      over.countDown();
    }

    /** Lets it have its connection, and waits for what it does then. */
    public void releaseAndAwaitEnd() throws InterruptedException {
      release();
      thread.join();
    }

    private void hold() {
      thread = Thread.currentThread();
      reached.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The next statement of a method at a place that begins so. */
  private record Interruption(String place, String method, String beginning, Runnable deed) {}

  private final Driver real;
  private final AtomicReference<Meddling> next = new AtomicReference<>();
  private final AtomicReference<Interruption> statement = new AtomicReference<>();
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final Map<String, Held> commits = new ConcurrentHashMap<>();
  private final AtomicReference<Runnable> cancel = new AtomicReference<>();
  private volatile boolean watching;

  private MeddlingDriver(Driver real) {
    this.real = real;
  }

  /** Takes the place of the driver of a URL until it is closed. */
  public static MeddlingDriver inPlaceOf(String url) throws SQLException {
    MeddlingDriver driver = new MeddlingDriver(DriverManager.getDriver(url));
    DriverManager.deregisterDriver(driver.real);
    DriverManager.registerDriver(driver);
    return driver;
  }

  /** Whether nothing is to be done any more. */
  public boolean hasMeddled() {
    return next.get() == null;
  }

  /** Lets the next connection to a place that a method asks for fail as drivers should not. */
  public void breakDown(String place, String method) {
    next.set(
        new Meddling(
            place,
            method,
            () -> {
              throw new IllegalStateException("planted");
            }));
  }

  /** Lets the next connection to a place that a method asks for end as memory does. */
  public void runOutOfMemory(String place, String method) {
    next.set(
        new Meddling(
            place,
            method,
            () -> {
              throw new OutOfMemoryError("planted");
            }));
  }

  /** Holds the next connection to a place that a method asks for. */
  public Held hold(String place, String method) {
    Held held = new Held();
    next.set(new Meddling(place, method, held::hold));
    return held;
  }

  /**
   * Does something before the next statement at a place that a method executes and that begins so,
   * on a connection that is made from now on.
   */
  public void before(String place, String method, String beginning, Runnable deed) {
    statement.set(new Interruption(place, method, beginning, deed));
  }

  /** Looks at all connections that are made from now on. */
  public void watch() {
    watching = true;
  }

  /** Holds the next commit at a place, on a connection that is looked at. */
  public Held holdCommit(String place) {
    Held held = new Held();
    commits.put(place, held);
    return held;
  }

  /** Does something before a server is next asked to end a statement that is looked at. */
  public void beforeCancel(Runnable deed) {
    cancel.set(deed);
  }

  private void cancels() {
    Runnable deed = cancel.getAndSet(null);
    if (deed != null) {
      deed.run();
    }
  }

  private void commits(String url) {
    commits.forEach((place, held) -> {
      if (url.contains(place) && commits.remove(place, held)) {
        held.hold();
      }
    });
  }

  /** Whether that has been done. */
  public boolean hasInterrupted() {
    return interrupted.getCount() == 0;
  }

  /** A connection whose statements are looked at. */
  private Connection watched(Connection connection, String url) {
    return proxy(
        Connection.class,
        connection,
        (made, arguments) ->
            made instanceof Statement one && !(made instanceof PreparedStatement)
                ? proxy(
                    Statement.class,
                    one,
                    (result, given) -> result,
                    (method, given) -> {
                      if (method.startsWith("execute")) {
                        interrupt(url, given);
                      } else if (method.equals("cancel")) {
                        cancels();
                      }
                    })
                : made,
        (method, arguments) -> {
          if (method.equals("commit")) {
            commits(url);
          }
        });
  }

  private void interrupt(String url, Object[] arguments) {
    Interruption meant = statement.get();
    if (meant != null
        && arguments.length > 0
        && String.valueOf(arguments[0]).startsWith(meant.beginning)
        && url.contains(meant.place)
        && isCalledBy(meant.method)
        && statement.compareAndSet(meant, null)) {
      meant.deed.run();
      interrupted.countDown();
    }
  }

  private static <T> T proxy(
      Class<T> type,
      T real,
      BiFunction<Object, Object[], Object> after,
      BiConsumer<String, Object[]> before) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              before.accept(method.getName(), given);
              try {
                return after.apply(method.invoke(real, given), given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static boolean isCalledBy(String method) {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)));
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    Meddling meddling = next.get();
    if (meddling != null
        && url.contains(meddling.place)
        && isCalledBy(meddling.method)
        && next.compareAndSet(meddling, null)) {
      meddling.deed.run();
    }
    Connection connection = real.connect(url, info);
    boolean looks = watching || statement.get() != null;
    return connection == null || !looks ? connection : watched(connection, url);
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return real.acceptsURL(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    return real.getPropertyInfo(url, info);
  }

  @Override
  public int getMajorVersion() {
    return real.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return real.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return real.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public void close() throws SQLException {
    DriverManager.deregisterDriver(this);
    DriverManager.registerDriver(real);
  }
}
