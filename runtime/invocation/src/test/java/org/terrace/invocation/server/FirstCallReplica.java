package org.terrace.invocation.server;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.CountDownLatch;
import org.terrace.control.Style;
import org.terrace.invocation.Update;
import org.terrace.invocation.retention.TestDatabase;

/**
 * A backup as a process, which nobody has called yet: {@code FirstCallReplica URL USER}. It says
 * {@code ready HOST PORT}.
 */
final class FirstCallReplica {
  static final String SERVICE = "adding";
  private static final int CONNECTIONS = 4;

  /** The service. */
  interface Adding {
    @Update
    long add(long first, long second);
  }

  private FirstCallReplica() {}

  public static void main(String[] arguments) throws InterruptedException {
    try (HikariDataSource pool = TestDatabase.pool(arguments[0], arguments[1], CONNECTIONS);
        ServiceServer server = ServiceServer.open(ServerOptions.of("backup").withDatabase(pool))) {
      server.export(SERVICE, Adding.class, Long::sum, Style.WARM_PASSIVE);
      System.out.println("ready " + server.endpoint().host() + " " + server.endpoint().port());
      new CountDownLatch(1).await();
    }
  }
}
