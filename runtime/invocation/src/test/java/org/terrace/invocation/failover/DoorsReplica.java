package org.terrace.invocation.failover;

import com.zaxxer.hikari.HikariDataSource;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import org.terrace.control.Style;
import org.terrace.core.TerraceException;
import org.terrace.invocation.Execution;
import org.terrace.invocation.Invocation;
import org.terrace.invocation.retention.RetainedExecution;
import org.terrace.invocation.retention.RetentionOptions;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.invocation.server.ServerOptions;
import org.terrace.invocation.server.ServiceServer;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.MiddlewareUnavailableException;

/**
 * A replica as a process: {@code DoorsReplica NAME MIDDLEWARE HOST URL USER}. It says {@code ready
 * HOST PORT KEY}, or {@code unavailable WHY}; {@code paused} where a call made it stand still; and
 * ends with its input.
 */
final class DoorsReplica implements Doors {
  static final String SERVICE = "doors";
  private static final int CONNECTIONS = 8;

  private final String name;
  private volatile boolean pausesBeforeReply;

  private DoorsReplica(String name) {
    this.name = name;
  }

  public static void main(String[] arguments) {
    DoorsReplica doors = new DoorsReplica(arguments[0]);
    try (HikariDataSource pool = TestDatabase.pool(arguments[3], arguments[4], CONNECTIONS);
        ServiceServer server =
            ServiceServer.open(
                ServerOptions.of(arguments[0])
                    .withMiddleware(arguments[1])
                    .withAddress(new InetSocketAddress(arguments[2], 0))
                    .withExecution((service, epoch) -> doors.new PausingExecution(pool)))) {
      server.export(SERVICE, Doors.class, doors, Style.WARM_PASSIVE);
      Endpoint endpoint = server.endpoint();
      System.out.printf("ready %s %d %s%n", endpoint.host(), endpoint.port(), endpoint.key());
      Scanner input = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
      while (input.hasNextLine()) {
        System.out.println("does not understand " + input.nextLine());
      }
    } catch (TerraceException e) {
      if (!(e.getCause() instanceof MiddlewareUnavailableException)) {
        throw e;
      }
      System.out.println("unavailable " + e.getMessage());
    }
  }

  @Override
  public String enter() {
    Invocation call = Invocation.current();
    try {
      record(call);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return name;
  }

  @Override
  public String enterPausingBeforeCommit(String replica) {
    String entered = enter();
    if (replica.equals(name)) {
      pause();
    }
    return entered;
  }

  @Override
  public String enterPausingBeforeReply(String replica) {
    pausesBeforeReply = replica.equals(name);
    return enter();
  }

  private void record(Invocation call) throws SQLException {
    try (var insert = call.connection().prepareStatement("INSERT INTO entry VALUES (?, ?, ?)")) {
      insert.setLong(1, call.identity().client());
      insert.setLong(2, call.identity().sequence());
      insert.setString(3, name);
      insert.executeUpdate();
    }
  }

  /** The table has no key: a request that takes effect twice leaves two rows. */
  static void create(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE entry (client bigint NOT NULL, sequence bigint NOT NULL, replica text NOT"
              + " NULL)");
      connection.commit();
    }
  }

  private static void pause() {
    System.out.println("paused");
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stands still between commit and reply when told. */
  private final class PausingExecution implements Execution {
    private final RetainedExecution retained;

    PausingExecution(HikariDataSource pool) {
      retained =
          RetainedExecution.open(
              pool, RetentionOptions.defaults(), () -> RetainedExecution.UNFENCED);
    }

    @Override
    public CallReply execute(CallRequest request, Executable work) {
      CallReply reply = retained.execute(request, work);
      if (pausesBeforeReply) {
        pause();
      }
      return reply;
    }

    @Override
    public CallReply read(CallRequest request, Executable work) {
      return retained.read(request, work);
    }

    @Override
    public CallReply warmUp(CallRequest request, Executable work) {
      return retained.warmUp(request, work);
    }

    @Override
    public void close() {
      retained.close();
    }
  }
}
