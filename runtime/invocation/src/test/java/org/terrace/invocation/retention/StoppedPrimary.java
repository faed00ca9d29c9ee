package org.terrace.invocation.retention;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallReply.Status;
import org.terrace.middleware.CallRequest;

/**
 * A primary as a process, to be stopped in the middle of a call: {@code StoppedPrimary URL USER
 * CLIENT IDLE_MILLIS SQL}. It says {@code working} when it has run the SQL, goes on when it is
 * told, and prints what became of the call.
 */
final class StoppedPrimary {
  static final String SERVICE = "bank";

  private StoppedPrimary() {}

  public static void main(String[] arguments) throws Exception {
    long idleMillis = Long.parseLong(arguments[3]);
    RetentionOptions options =
        RetentionOptions.defaults()
            .withLimits(Duration.ofMillis(idleMillis), Duration.ofSeconds(5));
    try (HikariDataSource pool = TestDatabase.pool(arguments[0], arguments[1], 2);
        RetainedExecution execution = RetainedExecution.open(pool, options, () -> 1)) {
      CallReply reply =
          execution.execute(
              new CallRequest(
                  SERVICE,
                  "change",
                  new RequestIdentity(Long.parseLong(arguments[2]), 1),
                  1,
                  1_000_000_000L,
                  true,
                  new byte[0]),
              connection -> {
                try (var statement = connection.createStatement()) {
                  statement.execute(arguments[4]);
                }
                System.out.println("working");
                System.in.read();
                return new CallReply(Status.RESULT, new byte[] {1});
              });
      System.out.println(reply.status() + " " + new String(reply.body(), StandardCharsets.UTF_8));
    }
  }
}
