package org.terrace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace prove}: random histories with faults against a part of Terrace. */
@Command(
    name = "prove",
    description = "Runs random histories with faults, and checks that every promise held.",
    footer = {
      "",
      "Examples:",
      "  terrace prove collections --seeds 100000    on simulated nodes",
      "  terrace prove collections --real --kills 20 on three real processes",
      "  terrace prove collections --churn 10000000  nothing may grow",
      "  terrace prove invocation --kills 1000       exactly once",
      "  terrace prove database --kills 200          one URL, three servers"
    })
final class ProveCommand implements Callable<Integer> {
  private static final List<String> OWN_OPTIONS = List.of("-XX:+UseSerialGC");
  private static final int END_SECONDS_MAX = 10;
  private static final int KILLS_DEFAULT = 10;
  private static final int KILLS_MAX = 1_000_000;
  private static final String LIBRARIES = "apps/proof";

  /** A thing that can be proved, by the name a user gives. */
  enum Proof {
    /** Replicated collections. */
    COLLECTIONS("org.terrace.proof.ProveCollections"),
    /** Calls with exactly one effect. */
    INVOCATION("org.terrace.proof.ProveInvocation"),
    /** Several databases behind one URL. */
    DATABASE("org.terrace.proof.ProveDatabase");

    private final String mainClass;

    Proof(String mainClass) {
      this.mainClass = mainClass;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The engine of the real databases of a proof. */
  enum Database {
    POSTGRESQL,
    MARIADB;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "NAME", description = "one of: ${COMPLETION-CANDIDATES}")
  private Proof proof = Proof.COLLECTIONS;

  @Option(
      names = "--seeds",
      description =
          "collections, database: how many simulated histories; 10,000 by default, database 2,000")
  private @Nullable Long seeds;

  @Option(names = "--seed", description = "the first seed; a fresh one by default")
  private @Nullable Long seed;

  @Option(
      names = "--real",
      description = "collections: on three real processes, killing them one by one")
  private boolean real;

  @Option(
      names = "--kills",
      description =
          "how many kills (invocation and database: faults of all kinds) on real processes; 10 by"
              + " default, invocation and database 20")
  private @Nullable Long kills;

  @Option(
      names = "--churn",
      description = "collections: how many puts and removals on real processes")
  private @Nullable Long churn;

  @Option(
      names = "--database",
      description = "invocation, database: one of ${COMPLETION-CANDIDATES}; both by default")
  private @Nullable Database database;

  @Option(names = "--json", description = "the verdict as terrace-proof/1 on standard output")
  private boolean json;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkOptions();
    List<String> command =
        new ArrayList<>(Home.javaCommand(LIBRARIES, OWN_OPTIONS, proof.mainClass));
    add(command, "--seeds", seeds);
    add(command, "--seed", seed);
    add(command, "--kills", real && kills == null ? Long.valueOf(KILLS_DEFAULT) : kills);
    add(command, "--churn", churn);
    if (database != null) {
      command.addAll(List.of("--database", database.toString()));
    }
    if (json) {
      command.add("--json");
    }
    return Subprogram.run(command, console.quiet(), END_SECONDS_MAX);
  }

  /** Refuses an option that this proof does not take, which would be left aside without a word. */
  private void checkOptions() {
    boolean others =
        switch (proof) {
          case COLLECTIONS -> database != null;
          case INVOCATION -> seeds != null || real || churn != null;
          case DATABASE -> real || churn != null;
        };
    if (others) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          switch (proof) {
            case COLLECTIONS -> "prove collections takes no --database: it has none";
            case INVOCATION ->
                "prove invocation takes --kills, --seed, --database and --json:"
                    + " it always runs on real processes";
            case DATABASE ->
                "prove database takes --kills, --seeds, --seed, --database and --json:"
                    + " it always runs on real servers, too";
          });
    }
    if (kills != null && (kills < 1 || kills > KILLS_MAX)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "--kills is " + kills + "; expected 1 to " + KILLS_MAX);
    }
  }

  private static void add(List<String> command, String flag, @Nullable Long value) {
    if (value != null) {
      command.addAll(List.of(flag, Long.toString(value)));
    }
  }
}
