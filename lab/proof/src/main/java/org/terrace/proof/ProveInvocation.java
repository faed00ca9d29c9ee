package org.terrace.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TerraceException;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.invocation.retention.oracle.InvocationProof;

/**
 * The program behind {@code terrace prove invocation}: replicas and clients on real processes and a
 * real database, killed and paused at random while requests are sent up to three times. Exit code 1
 * if anything was found that must not be.
 */
public final class ProveInvocation {
  private static final int KILLS_DEFAULT = 20;
  private static final int BAD_INPUT = 2;
  private static final int MACHINE_LACKS = 3;

  /** The database that keeps the effects and the retained replies. */
  enum Database {
    POSTGRESQL,
    MARIADB;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isThere() {
      return switch (this) {
        case POSTGRESQL -> true;
        case MARIADB -> MariaDbServer.isInstallable();
      };
    }

    TestDatabase start() throws IOException {
      return switch (this) {
        case POSTGRESQL -> PostgresDatabase.start();
        case MARIADB -> MariaDbDatabase.startWithoutAssumption();
      };
    }
  }

  private ProveInvocation() {}

  /**
   * Arguments: {@code --kills N}, {@code --seed S}, {@code --database NAME} (both by default),
   * {@code --json}.
   */
  public static void main(String[] arguments) throws Exception {
    int kills = KILLS_DEFAULT;
    @Nullable Long seed = null;
    boolean json = false;
    List<Database> databases = new ArrayList<>(List.of(Database.values()));
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--kills" -> kills = Integer.parseInt(arguments[++i]);
        case "--seed" -> seed = Long.valueOf(arguments[++i]);
        case "--database" ->
            databases = List.of(Database.valueOf(arguments[++i].toUpperCase(Locale.ROOT)));
        case "--json" -> json = true;
        default -> {
          System.err.println("ProveInvocation: unknown argument " + arguments[i]);
          System.exit(BAD_INPUT);
        }
      }
    }
    try {
      long first = seed != null ? seed : RandomGenerator.getDefault().nextLong();
      System.exit(prove(first, kills, databases, json) ? 0 : 1);
    } catch (TerraceException e) {
      System.err.println(e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  private static boolean prove(long seed, int kills, List<Database> databases, boolean json)
      throws Exception {
    Path folder = Files.createTempDirectory("terrace-proof");
    TreeMap<String, Proof.Part> parts = new TreeMap<>();
    for (Database database : databases) {
      if (!database.isThere()) {
        System.err.println(
            "there is no "
                + database
                + " for this machine: its part is left out"
                + (databases.size() == 1 ? ", and nothing is left" : ""));
        continue;
      }
      parts.put(database.toString(), prove(seed, kills, database, folder));
    }
    if (parts.isEmpty()) {
      System.exit(MACHINE_LACKS);
    }
    Proof proof = new Proof("invocation", seed, parts);
    System.out.println(
        json
            ? proof.toJson()
            : proof.toText(
                "no effect came twice, and no acknowledged call was lost (seed " + seed + ")",
                "seed " + seed + "; logs of the processes are in " + folder));
    return proof.held();
  }

  private static Proof.Part prove(long seed, int kills, Database name, Path folder)
      throws Exception {
    TestDatabase database = name.start();
    Thread ifInterrupted = new Thread(database::close);
    Runtime.getRuntime().addShutdownHook(ifInterrupted);
    try (database) {
      InvocationProof.Verdict verdict =
          InvocationProof.run(
              seed,
              kills,
              database,
              Files.createDirectory(folder.resolve(name.toString())),
              line -> System.err.println(name + ": " + line));
      return new Proof.Part(verdict.facts(), verdict.violations());
    } finally {
      Runtime.getRuntime().removeShutdownHook(ifInterrupted);
    }
  }
}
