package org.terrace.cluster.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
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
    void releaseAndAwaitEnd() throws InterruptedException {
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

  private final Driver real;
  private final AtomicReference<Meddling> next = new AtomicReference<>();

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
  boolean hasMeddled() {
    return next.get() == null;
  }

  /** Lets the next connection to a place that a method asks for fail as drivers should not. */
  void breakDown(String place, String method) {
    next.set(
        new Meddling(
            place,
            method,
            () -> {
              throw new IllegalStateException("planted");
            }));
  }

  /** Lets the next connection to a place that a method asks for end as memory does. */
  void runOutOfMemory(String place, String method) {
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

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    Meddling meddling = next.get();
    if (meddling != null
        && url.contains(meddling.place)
        && StackWalker.getInstance()
            .walk(frames -> frames.anyMatch(f -> f.getMethodName().equals(meddling.method)))
        && next.compareAndSet(meddling, null)) {
      meddling.deed.run();
    }
    return real.connect(url, info);
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
