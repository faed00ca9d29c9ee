package org.terrace.benchmarks.invocation;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.InetSocketAddress;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.terrace.control.Style;
import org.terrace.control.naming.Addresses;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.Endpoint;

/**
 * A replica as a process: {@code LotsServer NAME STYLE [DATABASE-URL USER]}, or under a replication
 * manager {@code LotsServer NAME STYLE ADDRESS MANAGERS managed [DATABASE-URL USER]}.
 */
public final class LotsServer {
  private static final int MANAGED_WORDS = 5;
  private static final int DATABASE_WORDS = 2;
  private static final int OWN_WORDS = 2;
  private static final long HELD_NANOS = 1_000_000;
  private static final int POOL = 8;
  private static final int SLOW_SECONDS = 5;

  private LotsServer() {}

  /** Serves until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    ServerOptions options =
        ServerOptions.of(arguments[0]).withAddress(new InetSocketAddress(EchoServer.HOST, 0));
    boolean managed = arguments.length >= MANAGED_WORDS;
    int first = managed ? MANAGED_WORDS : OWN_WORDS;
    boolean stored = arguments.length == first + DATABASE_WORDS;
    if (stored) {
      options = options.withDatabase(pool(arguments[first], arguments[first + 1]));
    } else {
      options = options.withUnsharedReplies();
    }
    if (managed) {
      options =
          options
              .withAddress(Addresses.parseOne("address", arguments[2]))
              .withManager(Addresses.parse("managers", arguments[3]));
    }
    ServiceServer server = ServiceServer.open(options);
    long pid = ProcessHandle.current().pid();
    server.export(
        "lots", Lots.class, new Entrance(arguments[0], stored, pid), Style.valueOf(arguments[1]));
    Endpoint endpoint = server.endpoint();
    System.out.println("ready " + endpoint.host() + " " + endpoint.port());
    new CountDownLatch(1).await();
  }

  /** The connections of a replica to its database. */
  static HikariDataSource pool(String url, String user) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setMaximumPoolSize(POOL);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private record Entrance(String name, boolean stored, long pid) implements Lots {
    @Override
    public long enter(long lot) {
      if (stored) {
        store(lot);
      }
      return lot;
    }

    private static void store(long lot) {
      try (PreparedStatement insert =
          Invocation.current()
              .connection()
              .prepareStatement("INSERT INTO entered (lot) VALUES (?)")) {
        insert.setLong(1, lot);
        insert.executeUpdate();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void hold(long place) {
      try (PreparedStatement change =
          Invocation.current()
              .connection()
              .prepareStatement("UPDATE held SET changes = changes + 1 WHERE place = ?")) {
        change.setLong(1, place);
        if (change.executeUpdate() != 1) {
          throw new IllegalStateException("there is no place " + place);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      LockSupport.parkNanos(HELD_NANOS);
    }

    @Override
    public String who() {
      return name + " " + pid;
    }

    @Override
    public long look(long slow) {
      if (stored) {
        store(-slow);
      }
      if (slow == pid) {
        try {
          TimeUnit.SECONDS.sleep(SLOW_SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return pid;
    }
  }
}
