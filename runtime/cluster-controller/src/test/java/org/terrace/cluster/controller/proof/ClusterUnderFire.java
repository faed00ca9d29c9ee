package org.terrace.cluster.controller.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Acknowledged;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Refused;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Unknown;
import org.terrace.cluster.jdbc.ClusterDataSource;
import org.terrace.cluster.jdbc.inspection.ClusterInspection;
import org.terrace.cluster.jdbc.inspection.ServerStatus;
import org.terrace.cluster.jdbc.servers.RealReplicas;
import org.terrace.testing.Await;

/**
 * A cluster whose servers and owner are killed, stopped for a while and cut off inside COMMIT: a
 * dead owner is replaced by the next, and a dead server is started again. For one thread.
 */
final class ClusterUnderFire implements AutoCloseable {
  /** The things that are done at a time. */
  private enum Fault {
    SERVER_KILLED,
    SERVER_PAUSED,
    SERVER_CUT_INSIDE_COMMIT,
    CLIENT_CUT_INSIDE_COMMIT,
    OWNER_KILLED,
    OWNER_PAUSED,
    SERVER_THEN_OWNER_KILLED,
    OWNER_KILLED_WHILE_A_SERVER_RETURNS,
    OWNER_AND_THE_DATA_OF_A_SERVER_LOST
  }

  /** The longest that anything is waited for. */
  static final Duration LONGEST = Duration.ofMinutes(2);

  /** The owner is stopped for longer than its lease. */
  private static final Duration PAUSE = Duration.ofMillis(1_500);

  private static final List<String> STRATEGIES = List.of("wait-all", "wait-first", "majority");
  private static final List<String> SCHEDULERS = List.of("table", "serial", "key");
  private static final int WRITES_BETWEEN = 12;

  /** With so many, lists have several elements, so that their order can be wrong. */
  private static final int LEAST_TRANSACTIONS = 400;

  private static final String OPTIONS = "?leaseMillis=1000&connectMillis=20000&log=";

  private final RealReplicas servers;
  private final String engine;
  private final Path folder;
  private final RandomGenerator random;
  private final List<CommitRelay> relays = new ArrayList<>();
  private final ProofDeployment deployment;
  private final boolean clientsCanBeCut;
  private final Deque<Fault> next = new ArrayDeque<>();
  private final List<ClientTransactionLine> told = new ArrayList<>();
  private final Map<String, Long> struck = new LinkedHashMap<>();
  private long acknowledged;
  private long refused;
  private long unknown;

  ClusterUnderFire(
      RealReplicas servers, String engine, ProofAccess access, Path folder, RandomGenerator random)
      throws IOException, InterruptedException {
    this.servers = servers;
    this.engine = engine;
    this.folder = folder;
    this.random = random;
    for (int i = 0; i < DatabaseProof.SERVERS; i++) {
      relays.add(CommitRelay.to(servers.place(i)));
    }
    this.clientsCanBeCut = access == ProofAccess.CONTROLLERS;
    this.deployment =
        switch (access) {
          case IN_PROCESS -> new OwnerDeployment(this::nextUrl, folder, random, this::take);
          case CONTROLLERS -> new ControllerDeployment(this::nextUrl, folder, random, this::take);
        };
    deployment.start();
  }

  /** The cluster's URL by ways that can be cut. */
  private String url(String options) {
    List<String> places = relays.stream().map(CommitRelay::place).toList();
    return "jdbc:terrace:%s://%s/shop%s%s%s"
        .formatted(engine, String.join(",", places), OPTIONS, folder.resolve("log"), options);
  }

  /**
   * The URL of the next owner, each of which has its own strategy and scheduling; the data must be
   * right whatever the one before had.
   */
  private String nextUrl() {
    String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
    String scheduling = SCHEDULERS.get(random.nextInt(SCHEDULERS.size()));
    struck.merge("owners with " + strategy, 1L, Long::sum);
    struck.merge("owners with scheduling by " + scheduling, 1L, Long::sum);
    return url("&writes=" + strategy + "&scheduling=" + scheduling);
  }

  private synchronized void take(ClientTransactionLine line) {
    told.add(line);
    switch (line) {
      case Acknowledged _ -> acknowledged++;
      case Refused _ -> refused++;
      case Unknown _ -> unknown++;
      default -> {}
    }
  }

  synchronized long acknowledged() {
    return acknowledged;
  }

  /** Whether all servers remember that all of them were active last. */
  private boolean areAllActive() {
    try {
      List<ServerStatus> all = ClusterInspection.of(url(""), user()).status();
      long latest = all.stream().mapToLong(ServerStatus::view).max().orElse(0);
      return all.stream()
          .allMatch(server ->
              server.failure().isEmpty()
                  && server.diverged().isEmpty()
                  && server.view() == latest
                  && server.members().size() == DatabaseProof.SERVERS);
    } catch (SQLException e) {
      throw new IllegalStateException("the cluster cannot be looked at", e);
    }
  }

  private static Properties user() {
    Properties properties = new Properties();
    properties.setProperty("user", "shop");
    return properties;
  }

  /** Each fault in turn, in an order that the seed says, and again. */
  private Fault next() {
    if (next.isEmpty()) {
      List<Fault> all = new ArrayList<>(List.of(Fault.values()));
      all.removeIf(fault -> fault == Fault.CLIENT_CUT_INSIDE_COMMIT && !clientsCanBeCut);
      Collections.shuffle(all, Random.from(random));
      next.addAll(all);
    }
    return next.removeFirst();
  }

  /** One fault while clients write, and the way back to three servers that are active. */
  void strike() throws IOException, InterruptedException, SQLException {
    Fault fault = next();
    String name = fault.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    struck.merge("faults: " + name, 1L, Long::sum);
    int victim = random.nextInt(DatabaseProof.SERVERS);
    awaitWrites(name);
    switch (fault) {
      case SERVER_KILLED, SERVER_PAUSED, SERVER_CUT_INSIDE_COMMIT, CLIENT_CUT_INSIDE_COMMIT ->
          strikeServer(fault, victim, name);
      case OWNER_KILLED -> deployment.replaceOwner();
      case OWNER_PAUSED -> {
        deployment.pauseOwner();
        // Nobody tells how long it is stopped: that is the fault.
        var _ = Await.until(PAUSE, () -> false);
        deployment.resumeOwner();
      }
      case SERVER_THEN_OWNER_KILLED -> {
        servers.kill(victim);
        awaitWrites(name);
        deployment.replaceOwner();
        awaitWrites(name);
        servers.startAgain(victim);
      }
      case OWNER_KILLED_WHILE_A_SERVER_RETURNS -> {
        servers.kill(victim);
        awaitWrites(name);
        servers.startAgain(victim);
        deployment.replaceOwner();
      }
      case OWNER_AND_THE_DATA_OF_A_SERVER_LOST -> {
        deployment.kill();
        servers.empty(victim);
        deployment.start();
      }
    }
    awaitWrites(name);
    require(Await.until(LONGEST, this::areAllActive), "after " + name + " servers did not return");
  }

  private void strikeServer(Fault fault, int victim, String name) {
    switch (fault) {
      case SERVER_KILLED -> {
        servers.kill(victim);
        awaitWrites(name);
        servers.startAgain(victim);
      }
      case SERVER_PAUSED -> {
        servers.suspend(victim);
        awaitWrites(name);
        servers.resume(victim);
      }
      case SERVER_CUT_INSIDE_COMMIT -> {
        CommitRelay relay = relays.get(victim);
        relay.cutNext(
            random.nextBoolean()
                ? CommitRelay.Cut.BEFORE_THE_SERVER
                : CommitRelay.Cut.BEFORE_THE_ANSWER);
        awaitCut(relay::hasCut, name);
      }
      default -> awaitCut(deployment.cutClient(random.nextBoolean()), name);
    }
  }

  private void awaitCut(BooleanSupplier done, String name) {
    require(Await.until(LONGEST, done), "nobody committed for " + name);
  }

  private void awaitWrites(String name) {
    long wanted = acknowledged() + 1 + random.nextInt(WRITES_BETWEEN);
    require(
        Await.until(LONGEST, () -> acknowledged() >= wanted), "writes have stopped with " + name);
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise + "; see " + folder);
    }
  }

  /**
   * Ends clients and owner, and opens the cluster once more, so that every server gets what the log
   * has; the violations are what keeps one away.
   */
  List<String> settle() throws Exception {
    require(
        Await.until(LONGEST, () -> acknowledged() >= LEAST_TRANSACTIONS),
        "clients write too little to be judged");
    deployment.endClients();
    deployment.kill();
    try (ClusterDataSource source =
        ClusterDataSource.open(RealReplicas.patient(url("")), "shop", "")) {
      boolean all = Await.until(LONGEST, () -> source.losses().isEmpty());
      return all ? List.of() : List.of("servers stayed out: " + source.losses());
    }
  }

  /**
   * Takes the log's last byte away, tries to open the cluster, and puts it back; says whether that
   * was refused for what is gone.
   */
  boolean findsLostLogEnd() throws IOException {
    Path last;
    try (Stream<Path> files = Files.list(folder.resolve("log"))) {
      last =
          files
              .filter(file -> file.toString().endsWith(".log"))
              .max(Comparator.comparing(Path::toString))
              .orElseThrow();
    }
    byte[] whole = Files.readAllBytes(last);
    Files.write(last, Arrays.copyOf(whole, whole.length - 1));
    try (ClusterDataSource opened =
        ClusterDataSource.open(RealReplicas.patient(url("")), "shop", "")) {
      return opened.servers().isEmpty();
    } catch (SQLException e) {
      return String.valueOf(e.getMessage()).contains("lost its end");
    } finally {
      Files.write(last, whole);
    }
  }

  synchronized List<ClientTransactionLine> told() {
    return List.copyOf(told);
  }

  synchronized Map<String, Long> facts() {
    Map<String, Long> facts = new LinkedHashMap<>();
    facts.put("transactions acknowledged", acknowledged);
    facts.put("transactions refused", refused);
    facts.put("transactions of unknown outcome", unknown);
    facts.putAll(struck);
    return facts;
  }

  @Override
  public void close() throws IOException {
    deployment.close();
    for (CommitRelay relay : relays) {
      relay.close();
    }
  }
}
