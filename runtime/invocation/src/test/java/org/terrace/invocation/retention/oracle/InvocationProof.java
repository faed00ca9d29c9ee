package org.terrace.invocation.retention.oracle;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.invocation.retention.oracle.OracleFaults.Fault;

/**
 * Exactly once under fire: replicas and clients as processes over real sockets and a real database,
 * killed, stopped, fenced, and sent everything up to three times. For the build (few faults) and
 * for a command (as many as one likes). Stateless.
 */
public final class InvocationProof {
  private static final String HOST = "127.0.0.1";
  private static final int OWN_CONNECTIONS = 2;
  private static final int FAULTS_OF_CONTROL_MAX = 100;

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
   * @param database whose tables of an earlier proof are removed
   * @param folder for the processes' logs
   * @param progress is told now and then how far it is
   */
  public static Verdict run(
      long seed, int faults, TestDatabase database, Path folder, Consumer<String> progress)
      throws Exception {
    return run(seed, faults, database, folder, Planted.NOTHING, List.of(Fault.values()), progress);
  }

  /**
   * Plants each mistake that the oracle is there for, one after the other, and strikes a few times:
   * a violation is one that was not found.
   *
   * @param folder for the processes' logs
   */
  public static Verdict runControls(
      long seed, TestDatabase database, Path folder, Consumer<String> progress) throws Exception {
    Map<String, Long> facts = new LinkedHashMap<>();
    List<String> violations = new ArrayList<>();
    for (Planted planted : Planted.values()) {
      if (planted != Planted.NOTHING) {
        Verdict verdict = runPlanted(seed, database, folder, planted);
        long found =
            verdict.violations.stream().filter(each -> each.startsWith(planted.finding())).count();
        progress.accept(planted + ", planted: " + (found > 0 ? "found" : "NOT found"));
        facts.put("violations found of the planted fault '" + planted + "'", found);
        if (found == 0) {
          violations.add("the planted fault '" + planted + "' was not found");
        }
      }
    }
    return new Verdict(facts, violations);
  }

  /**
   * A history of replicas with a mistake, under the faults that show it; it ends soon after it was
   * found.
   */
  static Verdict runPlanted(long seed, TestDatabase database, Path folder, Planted planted)
      throws Exception {
    return run(
        seed,
        FAULTS_OF_CONTROL_MAX,
        database,
        Files.createDirectories(folder.resolve(planted.name().toLowerCase(Locale.ROOT))),
        planted,
        planted == Planted.NO_EPOCH_CHECK
            ? List.of(Fault.PRIMARY_REPLACED_WHILE_STOPPED)
            : List.of(Fault.REPLICA_STOPPED),
        line -> {});
  }

  private static Verdict run(
      long seed,
      int faults,
      TestDatabase database,
      Path folder,
      Planted planted,
      List<Fault> kinds,
      Consumer<String> progress)
      throws Exception {
    try (HikariDataSource pool = database.pool(OWN_CONNECTIONS)) {
      DatabaseAccounts.create(pool);
      OracleFaults strikes =
          new OracleFaults(
              new OracleSetup(
                  seed,
                  List.of(freeAddress(), freeAddress()),
                  database.url(),
                  database.user(),
                  folder,
                  planted,
                  kinds));
      strikes.run(
          faults,
          () -> planted != Planted.NOTHING && isFound(planted, strikes.logs(), pool),
          progress);
      return verdict(strikes.done(), strikes.complaints(), OracleVerdict.of(strikes.logs(), pool));
    }
  }

  /** Whether what was planted shows by now. */
  static boolean isFound(Planted planted, List<Path> logs, DataSource database)
      throws IOException, SQLException {
    return OracleVerdict.of(logs, database).violations().stream()
        .anyMatch(violation -> violation.startsWith(planted.finding()));
  }

  /** A verdict from what was done, what was wrong besides, and what the oracle found. */
  static Verdict verdict(Map<?, Integer> done, List<String> complaints, OracleVerdict found) {
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("faults", done.values().stream().mapToLong(each -> each).sum());
    done.forEach((fault, times) -> facts.put("times a " + fault, (long) times));
    facts.put("requests sent", (long) found.sent());
    facts.put("requests acknowledged", (long) found.acknowledged());
    facts.put("requests refused", (long) found.refused());
    facts.put("requests said to have had no effect", (long) found.without());
    facts.put("requests said to have an unknown outcome", (long) found.unsure());
    facts.put(
        "requests whose client died before the reply", (long) found.unknown() - found.unsure());
    facts.put("replies to copies", (long) found.copies());
    facts.put("effects", (long) found.effects());
    List<String> violations = new ArrayList<>(found.violations());
    violations.addAll(complaints);
    if (found.acknowledged() == 0) {
      violations.add("nothing was acknowledged; the last failure: " + found.lastFailure());
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
