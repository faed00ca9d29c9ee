package org.terrace.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TerraceException;
import org.terrace.databases.mariadb.MariaDbServer;
import org.terrace.invocation.retention.MariaDbDatabase;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.invocation.retention.oracle.InvocationProof;
import org.terrace.invocation.retention.oracle.ManagedProof;

/**
 * The program behind {@code terrace prove invocation}, on each real database: hostile clients that
 * send requests up to three times to replicas that are killed, paused and fenced; real clients over
 * naming, managers and a database that is killed and cut off; and planted faults that both must
 * find. Exit code 1 if anything was found that must not be, or not found that must.
 */
public final class ProveInvocation {
  private static final int KILLS_DEFAULT = 20;

  /**
   * Seconds on one database, on an idle machine of two cores: a fault of hostile clients and one on
   * the whole way together, and all planted faults.
   */
  private static final int SECONDS_A_FAULT = 5;

  private static final int SECONDS_OF_CONTROLS = 120;

  /** The multiple of the expected time beyond which a slow machine explains nothing any more. */
  private static final int SLOWEST = 5;

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
        case MARIADB -> MariaDbDatabase.start();
      };
    }

    /** One whose commits survive its crash. */
    TestDatabase startDurable() throws IOException {
      return switch (this) {
        case POSTGRESQL -> PostgresDatabase.startDurable();
        case MARIADB -> MariaDbDatabase.startDurable();
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
      Duration expected = expected(kills, databases);
      System.err.printf(
          "%d faults of each kind of campaign on %d database(s): about %d min, at most %d min%n",
          kills,
          databases.size(),
          expected.toMinutes(),
          expected.multipliedBy(SLOWEST).toMinutes());
      TimeLimit limit =
          TimeLimit.begin(
              expected.multipliedBy(SLOWEST), System.err::println, () -> System.exit(1));
      System.exit(prove(first, kills, databases, json, limit) ? 0 : 1);
    } catch (TerraceException e) {
      System.err.println(e.getMessage());
      System.exit(e.code().exitCode());
    }
  }

  private static Duration expected(int kills, List<Database> databases) {
    long seconds = (long) kills * SECONDS_A_FAULT + SECONDS_OF_CONTROLS;
    return Duration.ofSeconds(
        seconds * Math.max(1, databases.stream().filter(Database::isThere).count()));
  }

  private static boolean prove(
      long seed, int kills, List<Database> databases, boolean json, TimeLimit limit)
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
      prove(seed, kills, database, folder, parts, limit);
    }
    if (parts.isEmpty()) {
      System.exit(MACHINE_LACKS);
    }
    Proof proof = new Proof("invocation", seed, parts);
    System.out.println(
        json
            ? proof.toJson()
            : proof.toText(
                "no effect came twice, no acknowledged call was lost, what clients were told is true, and"
                    + " each planted fault was found (seed "
                    + seed
                    + ")",
                "seed " + seed + "; logs of the processes are in " + folder));
    return proof.held();
  }

  /** Hostile clients and the whole way of real ones, each with the mistakes it must find. */
  private static void prove(
      long seed,
      int kills,
      Database name,
      Path folder,
      Map<String, Proof.Part> parts,
      TimeLimit limit)
      throws Exception {
    Path logs = Files.createDirectory(folder.resolve(name.toString()));
    Consumer<String> progress = line -> limit.tell(name + ": " + line);
    try (Open open = new Open(name.start())) {
      parts.put(
          name + ", hostile clients",
          part(InvocationProof.run(seed, kills, open.database, logs, progress)));
      parts.put(
          name + ", hostile clients, planted faults",
          part(InvocationProof.runControls(seed, open.database, logs, progress)));
    }
    Path managed = Files.createDirectory(logs.resolve("managed"));
    try (Open open = new Open(name.startDurable())) {
      parts.put(
          name + ", the whole way",
          part(ManagedProof.run(seed, kills, open.database, managed, progress)));
      parts.put(
          name + ", the whole way, planted fault",
          part(ManagedProof.runControl(seed, open.database, managed, progress)));
    }
  }

  private static Proof.Part part(InvocationProof.Verdict verdict) {
    return new Proof.Part(verdict.facts(), verdict.violations());
  }

  /** A database that ends with this process too. */
  private static final class Open implements AutoCloseable {
    private final TestDatabase database;
    private final Thread ifInterrupted;

    Open(TestDatabase database) {
      this.database = database;
      ifInterrupted = new Thread(database::close);
      Runtime.getRuntime().addShutdownHook(ifInterrupted);
    }

    @Override
    public void close() {
      Runtime.getRuntime().removeShutdownHook(ifInterrupted);
      database.close();
    }
  }
}
