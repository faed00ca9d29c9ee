package org.terrace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace prove}: random histories with faults against a part of Terrace. */
@Command(
    name = "prove",
    description = "Runs random histories with faults, and checks that every promise held.",
    footer = {
      "",
      "Examples:",
      "  terrace prove collections --seeds 100000       on simulated nodes",
      "  terrace prove collections --real --kills 20    on three real processes",
      "  terrace prove collections --churn 10000000     puts and removals: nothing may grow"
    })
final class ProveCommand implements Callable<Integer> {
  private static final List<String> OWN_OPTIONS = List.of("-XX:+UseSerialGC");
  private static final int KILLS_DEFAULT = 10;

  /** What can be proved, by the name a user gives. */
  enum Proof {
    /** Replicated collections. */
    COLLECTIONS("apps/proof", "org.terrace.proof.ProveCollections");

    private final String libraries;
    private final String mainClass;

    Proof(String libraries, String mainClass) {
      this.libraries = libraries;
      this.mainClass = mainClass;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "NAME", description = "one of: ${COMPLETION-CANDIDATES}")
  private Proof proof = Proof.COLLECTIONS;

  @Option(names = "--seeds", description = "how many simulated histories; 10,000 by default")
  private @Nullable Long seeds;

  @Option(names = "--seed", description = "the first seed; a fresh one by default")
  private @Nullable Long seed;

  @Option(names = "--real", description = "on three real processes, killing them one by one")
  private boolean real;

  @Option(names = "--kills", description = "how many kills on real processes; 10 by default")
  private @Nullable Long kills;

  @Option(names = "--churn", description = "how many puts and removals on real processes")
  private @Nullable Long churn;

  @Option(names = "--json", description = "the verdict as terrace-proof/1 on standard output")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(Home.javaCommand(proof.libraries, OWN_OPTIONS, proof.mainClass));
    add(command, "--seeds", seeds);
    add(command, "--seed", seed);
    add(command, "--kills", real && kills == null ? Long.valueOf(KILLS_DEFAULT) : kills);
    add(command, "--churn", churn);
    if (json) {
      command.add("--json");
    }
    Process process = new ProcessBuilder(command).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    return process.waitFor();
  }

  private static void add(List<String> command, String flag, @Nullable Long value) {
    if (value != null) {
      command.addAll(List.of(flag, Long.toString(value)));
    }
  }
}
