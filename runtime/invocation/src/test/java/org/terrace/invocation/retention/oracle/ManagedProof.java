package org.terrace.invocation.retention.oracle;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.invocation.retention.oracle.InvocationProof.Verdict;
import org.terrace.invocation.retention.oracle.ManagedFaults.Fault;

/**
 * Exactly once on the whole way: {@code ServiceClient}, naming, managers and the replicas they
 * replace, with the database killed under them, its connections cut around {@code COMMIT}, and
 * clients forgotten. What a client was told of each call is compared with the database. Stateless.
 */
public final class ManagedProof {
  private static final int OWN_CONNECTIONS = 2;
  private static final int FAULTS_OF_CONTROL_MAX = 40;

  private ManagedProof() {}

  /**
   * Strikes so many times, then lets every call end and compares. Returns with no process left,
   * however it ends.
   *
   * @param database whose commits survive its crash; its tables of an earlier proof are removed
   * @param folder for the processes' logs
   * @param progress is told now and then how far it is
   */
  public static Verdict run(
      long seed, int faults, TestDatabase database, Path folder, Consumer<String> progress)
      throws Exception {
    return run(seed, faults, database, folder, Planted.NOTHING, List.of(Fault.values()), progress);
  }

  /**
   * The same with a mistake that the faults must show: that cutting a connection after {@code
   * COMMIT} has a real client send its call again, and that the oracle sees what comes of it.
   */
  public static Verdict runControl(
      long seed, TestDatabase database, Path folder, Consumer<String> progress) throws Exception {
    Planted planted = Planted.NO_KEY;
    Verdict verdict =
        run(
            seed,
            FAULTS_OF_CONTROL_MAX,
            database,
            Files.createDirectories(folder.resolve(planted.name().toLowerCase(Locale.ROOT))),
            planted,
            List.of(Fault.CUT_AFTER_COMMIT),
            line -> {});
    long found =
        verdict.violations().stream().filter(each -> each.startsWith(planted.finding())).count();
    progress.accept(planted + ", planted on the whole way: " + (found > 0 ? "found" : "NOT found"));
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("violations found of the planted fault '" + planted + "'", found);
    return new Verdict(
        facts,
        found > 0
            ? List.of()
            : List.of("the planted fault '" + planted + "' was not found on the whole way"));
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
      ManagedFaults strikes = new ManagedFaults(seed, database, folder, planted, kinds);
      strikes.run(
          faults,
          () ->
              planted != Planted.NOTHING && InvocationProof.isFound(planted, strikes.logs(), pool),
          progress);
      return InvocationProof.verdict(
          strikes.done(), strikes.complaints(), OracleVerdict.of(strikes.logs(), pool));
    }
  }
}
