package org.terrace.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.histories.CollectionsProof;
import org.terrace.collections.histories.CollectionsProof.Verdict;
import org.terrace.testing.Seeds;

/**
 * The program behind {@code terrace prove collections}: histories on simulated nodes, on real
 * processes, and puts and removals without end. Exit code 1 if anything was found that must not be.
 */
public final class ProveCollections {
  private static final int SEEDS_DEFAULT = 10_000;

  private ProveCollections() {}

  /** Arguments: {@code --seeds N}, {@code --kills N}, {@code --churn N}, {@code --seed S}, json. */
  public static void main(String[] arguments) throws IOException {
    Map<String, Long> options = new TreeMap<>();
    boolean json = false;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("--json")) {
        json = true;
      } else {
        options.put(arguments[i], Long.parseLong(arguments[++i]));
      }
    }
    Long fixed = options.get("--seed");
    if (fixed != null) {
      System.setProperty("terrace.seed", Long.toString(fixed));
    }
    long seed = json ? seedQuietly(fixed) : Seeds.next("prove collections");
    System.exit(prove(seed, options, json) ? 0 : 1);
  }

  private static long seedQuietly(@Nullable Long fixed) {
    return fixed != null ? fixed : RandomGenerator.getDefault().nextLong();
  }

  private static boolean prove(long seed, Map<String, Long> options, boolean json)
      throws IOException {
    Path folder = Files.createTempDirectory("terrace-proof");
    TreeMap<String, Verdict> verdicts = new TreeMap<>();
    int kills = options.getOrDefault("--kills", 0L).intValue();
    int churn = options.getOrDefault("--churn", 0L).intValue();
    int seeds = options.getOrDefault("--seeds", kills + churn > 0 ? 0L : SEEDS_DEFAULT).intValue();
    if (seeds > 0) {
      verdicts.put("simulated", CollectionsProof.simulate(seed, seeds, ProveCollections::progress));
    }
    if (kills > 0) {
      verdicts.put(
          "processes",
          CollectionsProof.onProcesses(seed, kills, folder, ProveCollections::progress));
    }
    if (churn > 0) {
      verdicts.put("churn", CollectionsProof.churn(churn, folder, ProveCollections::progress));
    }
    TreeMap<String, Proof.Part> parts = new TreeMap<>();
    verdicts.forEach(
        (name, verdict) -> parts.put(name, new Proof.Part(verdict.facts(), verdict.violations())));
    Proof proof = new Proof("collections", seed, parts);
    System.out.println(
        json
            ? proof.toJson()
            : proof.toText(
                "everything converged, and nothing acknowledged was lost",
                "logs of the processes are in " + folder));
    return proof.held();
  }

  private static void progress(String line) {
    System.err.println(line);
  }
}
