package org.terrace.invocation.retention.oracle;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.terrace.invocation.retention.TestDatabase;

/**
 * Exactly once under fire: replicas and clients as processes over real sockets and a real database,
 * killed, stopped, fenced, and sent everything up to three times. For the build (few faults) and
 * for a command (as many as one likes). Stateless.
 */
public final class InvocationProof {
  private static final String HOST = "127.0.0.1";
  private static final int OWN_CONNECTIONS = 2;

  /**
   * The facts and findings of a proof.
   *
   * @param facts counts by name
   * @param violations what must not have happened
   */
  public record Verdict(Map<String, Long> facts, List<String> violations) {
    /** Copies both. */
    public Verdict {
      facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
      violations = List.copyOf(violations);
    }
  }

  private InvocationProof() {}

  /**
   * Strikes so many times, then lets every call end and compares the clients' logs with the
   * database. Returns with no process left, however it ends.
   *
   * @param database with no tables of an earlier proof
   * @param folder for the processes' logs
   * @param progress is told now and then how far it is
   */
  public static Verdict run(
      long seed, int faults, TestDatabase database, Path folder, Consumer<String> progress)
      throws Exception {
    try (HikariDataSource pool = database.pool(OWN_CONNECTIONS)) {
      DatabaseAccounts.create(pool);
      OracleFaults strikes =
          new OracleFaults(
              seed, List.of(freeAddress(), freeAddress()), database.url(), database.user(), folder);
      strikes.run(faults, progress);
      return verdict(strikes, OracleVerdict.of(strikes.logs(), pool));
    }
  }

  private static Verdict verdict(OracleFaults strikes, OracleVerdict found) {
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("faults", strikes.done().values().stream().mapToLong(each -> each).sum());
    strikes.done().forEach((fault, times) -> facts.put("times a " + fault, (long) times));
    facts.put("requests sent", (long) found.sent());
    facts.put("requests acknowledged", (long) found.acknowledged());
    facts.put("requests refused", (long) found.refused());
    facts.put("requests whose client died before the reply", (long) found.unknown());
    facts.put("replies to copies", (long) found.copies());
    facts.put("effects", (long) found.effects());
    List<String> violations = new ArrayList<>(found.violations());
    violations.addAll(strikes.complaints());
    if (found.acknowledged() == 0) {
      violations.add("nothing was acknowledged");
    }
    if (found.effects() < found.acknowledged()
        || found.effects() > found.acknowledged() + found.unknown()) {
      violations.add(
          "%d effects of %d acknowledged and %d unknown requests"
              .formatted(found.effects(), found.acknowledged(), found.unknown()));
    }
    return new Verdict(facts, violations);
  }

  private static String freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(HOST))) {
      return HOST + ":" + socket.getLocalPort();
    }
  }
}
