package org.terrace.cluster.jdbc.proof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Acknowledged;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Out;
import org.terrace.cluster.jdbc.proof.ClientTransactionLine.Refused;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.testing.Await;

/**
 * A cluster whose servers and owner are killed: the owner is a process, a dead one is replaced by
 * the next, and a dead server is started again. For one thread.
 */
final class ClusterUnderFire implements AutoCloseable {
  /** The things that are killed together. */
  private enum Fault {
    SERVER,
    SERVER_SUSPENDED,
    OWNER,
    SERVER_THEN_OWNER,
    OWNER_WHILE_A_SERVER_RETURNS,
    OWNER_AND_THE_DATA_OF_A_SERVER
  }

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final List<String> STRATEGIES = List.of("wait-all", "wait-first", "majority");
  private static final int WRITES_BETWEEN = 12;
  private static final long NUMBERS_AN_OWNER = 1_000_000_000L;
  private static final String OPTIONS = "?leaseMillis=1000&connectMillis=20000&log=";

  private final RealReplicas servers;
  private final Path folder;
  private final RandomGenerator random;
  private final List<ClientTransactionLine> told = new ArrayList<>();
  private final Map<String, Long> struck = new LinkedHashMap<>();
  private long acknowledged;
  private long refused;
  private @Nullable List<String> out;
  private int owners;
  private @Nullable Owner owner;

  /** An owner and the reader of what it tells. */
  private record Owner(ChildProcess process, CountDownLatch read) {}

  ClusterUnderFire(RealReplicas servers, Path folder, RandomGenerator random) throws IOException {
    this.servers = servers;
    this.folder = folder;
    this.random = random;
    startOwner();
  }

  private void startOwner() throws IOException {
    owners++;
    synchronized (this) {
      out = null;
    }
    List<String> command =
        JavaCommand.small(
            List.of("-Xmx192m"),
            ProofClients.class,
            servers.url(OPTIONS + folder.resolve("log") + "&writes=" + strategy()),
            "shop",
            Long.toString(owners * NUMBERS_AN_OWNER),
            Long.toString(random.nextLong()));
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(command)
                .redirectError(
                    ProcessBuilder.Redirect.appendTo(folder.resolve("owners.log").toFile())));
    process.awaitReady();
    CountDownLatch read = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> read(process, read));
    owner = new Owner(process, read);
  }

  /** Each owner has its own; the data must be right whatever the one before had. */
  private String strategy() {
    String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
    struck.merge("owners with " + strategy, 1L, Long::sum);
    return strategy;
  }

  private void read(ChildProcess process, CountDownLatch read) {
    try {
      BufferedReader output = process.output();
      for (String text = output.readLine(); text != null; text = output.readLine()) {
        ClientTransactionLine line = ClientTransactionLine.parse(text);
        if (line != null) {
          take(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      read.countDown();
    }
  }

  private synchronized void take(ClientTransactionLine line) {
    told.add(line);
    switch (line) {
      case Acknowledged _ -> acknowledged++;
      case Refused _ -> refused++;
      case Out(List<String> places) -> out = places;
      default -> {}
    }
  }

  synchronized long acknowledged() {
    return acknowledged;
  }

  private synchronized boolean areAllActive() {
    return out != null && out.isEmpty();
  }

  /** One fault while clients write, and the way back to three servers that are active. */
  void strike() throws IOException, InterruptedException, SQLException {
    Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
    struck.merge(
        "faults of " + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '), 1L, Long::sum);
    int victim = random.nextInt(DatabaseProof.SERVERS);
    awaitWrites();
    switch (fault) {
      case SERVER -> {
        servers.kill(victim);
        awaitWrites();
        servers.startAgain(victim);
      }
      case SERVER_SUSPENDED -> {
        servers.suspend(victim);
        awaitWrites();
        servers.resume(victim);
      }
      case OWNER -> replaceOwner();
      case SERVER_THEN_OWNER -> {
        servers.kill(victim);
        awaitWrites();
        replaceOwner();
        awaitWrites();
        servers.startAgain(victim);
      }
      case OWNER_WHILE_A_SERVER_RETURNS -> {
        servers.kill(victim);
        awaitWrites();
        servers.startAgain(victim);
        replaceOwner();
      }
      case OWNER_AND_THE_DATA_OF_A_SERVER -> {
        endOwner();
        servers.empty(victim);
        startOwner();
      }
    }
    require(Await.until(LONGEST, this::areAllActive), "the servers did not return: " + out);
  }

  private void awaitWrites() {
    long wanted = acknowledged() + 1 + random.nextInt(WRITES_BETWEEN);
    require(Await.until(LONGEST, () -> acknowledged() >= wanted), "writes have stopped");
  }

  private void replaceOwner() throws IOException, InterruptedException {
    endOwner();
    startOwner();
  }

  private void endOwner() throws IOException, InterruptedException {
    Owner ending = owner;
    owner = null;
    if (ending != null) {
      // A signal by hand: what it had told is still in the pipe, which Process.destroy would close.
      ending.process.signal("KILL");
      require(
          ending.read.await(LONGEST.toSeconds(), TimeUnit.SECONDS),
          "the output of a killed owner did not end");
      ending.process.close();
    }
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise + "; see " + folder);
    }
  }

  /**
   * Kills the last owner, and opens the cluster once more without clients, so that every server
   * gets what the log has; the violations are what keeps one away.
   */
  List<String> settle() throws Exception {
    endOwner();
    try (var source = servers.open(OPTIONS + folder.resolve("log"))) {
      boolean all = Await.until(LONGEST, () -> source.losses().isEmpty());
      return all ? List.of() : List.of("servers stayed out: " + source.losses());
    }
  }

  synchronized List<ClientTransactionLine> told() {
    return List.copyOf(told);
  }

  synchronized Map<String, Long> facts() {
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("transactions acknowledged", acknowledged);
    facts.put("transactions refused", refused);
    facts.putAll(struck);
    return facts;
  }

  @Override
  public void close() {
    if (owner != null) {
      owner.process.close();
    }
  }
}
