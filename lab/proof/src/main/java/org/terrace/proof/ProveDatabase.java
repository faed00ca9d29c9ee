package org.terrace.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.controller.proof.DatabaseProof;
import org.terrace.cluster.controller.proof.ProofAccess;
import org.terrace.cluster.core.ClusterHistories;
import org.terrace.cluster.core.CommitCrashes;
import org.terrace.core.TerraceException;

/**
 * The program behind {@code terrace prove database}: histories of the cluster's core on simulated
 * servers, with crashes at random moments and between any two steps of a few commits, and
 * transactions on three real servers of each engine, in the process that owns the cluster and
 * through controllers, while servers and owners are killed, stopped and cut off inside COMMIT; all
 * with planted faults and anomalies that must be found. Exit code 1 if anything was found that must
 * not be, or not found that must.
 */
public final class ProveDatabase {
  private static final int SEEDS_DEFAULT = 2_000;
  private static final int KILLS_DEFAULT = 20;
  private static final int BAD_INPUT = 2;

  /** Seconds a fault and the way back take on an idle machine of two cores. */
  private static final int SECONDS_A_FAULT = 6;

  /** The seeds of random histories for one of crashes at each step, which is as many histories. */
  private static final int SEEDS_A_CRASHED = 400;

  /** The multiple of the expected time beyond which a slow machine explains nothing any more. */
  private static final int SLOWEST = 5;

  private ProveDatabase() {}

  /**
   * Arguments: {@code --seeds N}, {@code --kills N}, {@code --seed S}, {@code --database NAME}
   * (both by default), {@code --json}.
   */
  public static void main(String[] arguments) throws Exception {
    int seeds = SEEDS_DEFAULT;
    int kills = KILLS_DEFAULT;
    @Nullable Long seed = null;
    boolean json = false;
    List<String> engines = List.of("postgresql", "mariadb");
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--seeds" -> seeds = Integer.parseInt(arguments[++i]);
        case "--kills" -> kills = Integer.parseInt(arguments[++i]);
        case "--seed" -> seed = Long.valueOf(arguments[++i]);
        case "--database" -> engines = List.of(arguments[++i]);
        case "--json" -> json = true;
        default -> {
          System.err.println("ProveDatabase: unknown argument " + arguments[i]);
          System.exit(BAD_INPUT);
        }
      }
    }
    long first = seed != null ? seed : RandomGenerator.getDefault().nextLong();
    int campaigns = engines.size() * ProofAccess.values().length;
    Duration expected = Duration.ofSeconds((long) (kills + 10) * SECONDS_A_FAULT * campaigns);
    System.err.printf(
        "%d faults on %s, in process and through controllers each: about %d min%n",
        kills, String.join(" and ", engines), Math.max(1, expected.toMinutes()));
    TimeLimit limit =
        TimeLimit.begin(expected.multipliedBy(SLOWEST), System.err::println, () -> System.exit(1));
    try {
      System.exit(prove(first, seeds, kills, engines, json, limit) ? 0 : 1);
    } catch (TerraceException e) {
      System.err.println(e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  private static boolean prove(
      long seed, int seeds, int kills, List<String> engines, boolean json, TimeLimit limit)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("terrace-proof");
    TreeMap<String, Proof.Part> parts = new TreeMap<>();
    ClusterHistories.Verdict simulated = ClusterHistories.simulate(seed, seeds, limit::tell);
    parts.put("simulated", new Proof.Part(simulated.facts(), simulated.violations()));
    int crashed = 1 + seeds / SEEDS_A_CRASHED;
    ClusterHistories.Verdict steps = CommitCrashes.simulate(seed, crashed, limit::tell);
    parts.put("simulated, at each step", new Proof.Part(steps.facts(), steps.violations()));
    for (String engine : engines) {
      for (ProofAccess access : ProofAccess.values()) {
        String name = engine + " " + access;
        Path logs = Files.createDirectory(folder.resolve(name.replace(' ', '-')));
        parts.put(name, onServers(seed, kills, engine, access, logs, limit));
      }
    }
    Proof proof = new Proof("database", seed, parts);
    System.out.println(
        json
            ? proof.toJson()
            : proof.toText(
                "nothing acknowledged was lost, nothing refused was kept, nothing is there twice or in"
                    + " part, all servers have the same, no anomaly was seen that its level excludes,"
                    + " and each planted fault and anomaly was found (seed "
                    + seed
                    + ")",
                "seed " + seed + "; logs of the owners are in " + folder));
    return proof.held();
  }

  private static Proof.Part onServers(
      long seed, int kills, String engine, ProofAccess access, Path logs, TimeLimit limit)
      throws InterruptedException {
    List<String> violations = new ArrayList<>();
    try {
      DatabaseProof.Verdict verdict =
          DatabaseProof.run(
              seed,
              kills,
              engine,
              access,
              logs,
              line -> limit.tell(engine + " " + access + ": " + line));
      return new Proof.Part(verdict.facts(), verdict.violations());
    } catch (InterruptedException | TerraceException e) {
      throw e;
    } catch (Exception e) {
      violations.add("the campaign ended early: " + e);
      return new Proof.Part(new TreeMap<>(), violations);
    }
  }
}
