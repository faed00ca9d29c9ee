package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.control.manager.ControlPlane;
import org.terrace.control.manager.Processes;
import org.terrace.core.process.ChildProcess;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.testing.Await;
import org.terrace.testing.Seeds;

/**
 * The whole way of a call under fire: real clients, three naming processes, two managers, the
 * replicas that they start and replace, and the database behind a relay, each struck at random
 * times.
 */
final class ManagedFaults {
  private static final int NAMING_PROCESSES = 3;
  private static final int MANAGERS = 2;
  private static final int CLIENT_PROCESSES = 2;
  private static final int THREADS = 4;
  private static final int TOLD_EVERY = 25;
  private static final Duration LONGEST_STOP = Duration.ofMillis(600);
  private static final Duration LONGEST_GAP = Duration.ofMillis(250);
  private static final Duration AWAY = ManagedReplica.LEASE.plusSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern REPLICA =
      Pattern.compile(
          "\"replica\":\"([^\"]+)\",\"role\":\"(primary|backup)\",\"state\":\"alive\".*?\"pid\":(\\d+)");

  /** A fault that is done. */
  enum Fault {
    PRIMARY_KILLED("primary killed"),
    BACKUP_KILLED("backup killed"),
    PRIMARY_STOPPED("primary paused"),
    PRIMARY_DRAINED("primary drained"),
    NAMING_KILLED("naming process killed"),
    MANAGER_KILLED("manager killed"),
    DATABASE_KILLED("database killed"),
    CUT_BEFORE_COMMIT("connection cut before COMMIT"),
    CUT_AFTER_COMMIT("connection cut after COMMIT"),
    CLIENT_KILLED("client killed"),
    CLIENT_AWAY("client paused for longer than its lease");

    private final String words;

    Fault(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  record Replica(String name, String role, long pid) {}

  private final RandomGenerator random;
  private final TestDatabase database;
  private final Path folder;
  private final Planted planted;
  private final List<Fault> kinds;
  private final OracleProcess[] clients = new OracleProcess[CLIENT_PROCESSES];
  private final List<Path> logs = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
  private final LoggedCalls calls = new LoggedCalls();

  ManagedFaults(long seed, TestDatabase database, Path folder, Planted planted, List<Fault> kinds) {
    this.random = Seeds.generator(seed);
    this.database = database;
    this.folder = folder;
    this.planted = planted;
    this.kinds = List.copyOf(kinds);
  }

  /**
   * Runs so many faults, then lets every call end.
   *
   * @param enough is asked after each fault, and ends them
   */
  void run(int faults, Callable<Boolean> enough, Consumer<String> progress) throws Exception {
    URI address = URI.create(database.url().substring("jdbc:".length()));
    try (ControlPlane plane = new ControlPlane(folder);
        CuttingRelay relay =
            new CuttingRelay(new InetSocketAddress(address.getHost(), address.getPort()))) {
      Thread ifInterrupted = new Thread(() -> killAll(plane));
      Runtime.getRuntime().addShutdownHook(ifInterrupted);
      try {
        String naming = plane.startNaming(NAMING_PROCESSES);
        plane.startManagers(
            naming,
            MANAGERS,
            OracleReplica.SERVICE,
            ManagedReplica.class,
            List.of(relayed(address, relay), database.user(), planted.name()),
            List.of("--archives", "none"));
        awaitReplicas(plane.processes());
        for (int i = 0; i < CLIENT_PROCESSES; i++) {
          startClient(i, naming);
        }
        boolean over = false;
        for (int i = 0; i < faults && !over; i++) {
          pauseUpTo(LONGEST_GAP);
          calls.awaitSome(logs);
          strike(plane.processes(), relay, naming);
          over = enough.call();
          if ((i + 1) % TOLD_EVERY == 0) {
            progress.accept("%d of %d faults on the whole way".formatted(i + 1, faults));
          }
        }
        calls.awaitSome(logs);
        for (OracleProcess client : clients) {
          if (client.end() != 0) {
            complaints.add("calls of a client that lived on had no end");
          }
        }
      } finally {
        killClients();
        Runtime.getRuntime().removeShutdownHook(ifInterrupted);
      }
    }
  }

  /** The URL by way of the relay, which must see the text of each statement. */
  private static String relayed(URI database, CuttingRelay relay) {
    String query = database.getQuery() == null ? "" : database.getQuery() + "&";
    return "jdbc:%s://%s%s?%sprepareThreshold=0"
        .formatted(database.getScheme(), relay.address(), database.getPath(), query);
  }

  private void killAll(ControlPlane plane) {
    killClients();
    plane.close();
  }

  private void killClients() {
    for (OracleProcess client : clients) {
      if (client != null) {
        client.kill();
      }
    }
  }

  /** The complaints about anything besides what the clients' logs tell. */
  List<String> complaints() {
    return complaints;
  }

  /** The number of times that each fault was made. */
  Map<Fault, Integer> done() {
    return done;
  }

  /** The logs of all clients. */
  List<Path> logs() {
    return logs;
  }

  private void strike(Processes processes, CuttingRelay relay, String naming) throws Exception {
    Fault fault = kinds.get(random.nextInt(kinds.size()));
    int client = random.nextInt(CLIENT_PROCESSES);
    switch (fault) {
      case PRIMARY_KILLED -> signal("KILL", awaitReplica(processes, "primary").pid());
      case BACKUP_KILLED -> signal("KILL", awaitReplica(processes, "backup").pid());
      case PRIMARY_STOPPED -> {
        long pid = awaitReplica(processes, "primary").pid();
        signal("STOP", pid);
        pauseUpTo(LONGEST_STOP);
        signal("CONT", pid);
      }
      case PRIMARY_DRAINED -> drain(processes);
      case NAMING_KILLED ->
          processes.killAndStart("naming" + (1 + random.nextInt(NAMING_PROCESSES)));
      case MANAGER_KILLED -> {
        awaitReplicas(processes);
        processes.killAndStart("manager" + (1 + random.nextInt(MANAGERS)));
      }
      case DATABASE_KILLED -> database.crashAndStart();
      case CUT_BEFORE_COMMIT -> cut(relay, CuttingRelay.Cut.BEFORE_COMMIT);
      case CUT_AFTER_COMMIT -> cut(relay, CuttingRelay.Cut.AFTER_COMMIT);
      case CLIENT_KILLED -> {
        clients[client].kill();
        startClient(client, naming);
      }
      case CLIENT_AWAY -> {
        clients[client].stop();
        pause(AWAY);
        clients[client].proceed();
      }
    }
    done.merge(fault, 1, Integer::sum);
  }

  private void cut(CuttingRelay relay, CuttingRelay.Cut where) {
    relay.cut(where);
    if (!Await.until(PATIENCE, relay::hasCut)) {
      complaints.add("no call was committed for " + PATIENCE.toSeconds() + " s");
    }
  }

  private static void drain(Processes processes) throws Exception {
    String name = awaitReplica(processes, "primary").name();
    String answer = processes.ask("drain " + OracleReplica.SERVICE + " " + name);
    assert !answer.isEmpty();
  }

  /** Signals a process that its manager may have replaced and killed a moment ago. */
  static void signal(String signal, long pid) throws IOException {
    if (ProcessHandle.of(pid).isPresent()) {
      try {
        ChildProcess.signal(signal, pid);
      } catch (IOException e) {
        if (ProcessHandle.of(pid).isPresent()) {
          throw e;
        }
      }
    }
  }

  static void awaitReplicas(Processes processes) throws IOException {
    Replica primary = awaitReplica(processes, "primary");
    Replica backup = awaitReplica(processes, "backup");
    assert primary.pid != backup.pid;
  }

  static Replica awaitReplica(Processes processes, String role) throws IOException {
    List<Replica> found = new ArrayList<>();
    boolean there =
        Await.until(
            PATIENCE,
            () -> {
              found.clear();
              found.addAll(replicas(processes));
              found.removeIf(replica -> !replica.role.equals(role));
              return !found.isEmpty();
            });
    if (!there) {
      throw new IOException("there was no " + role + " for " + PATIENCE.toSeconds() + " s");
    }
    return found.getFirst();
  }

  private static List<Replica> replicas(Processes processes) {
    List<Replica> replicas = new ArrayList<>();
    try {
      Matcher matcher = REPLICA.matcher(processes.ask("services"));
      while (matcher.find()) {
        replicas.add(
            new Replica(matcher.group(1), matcher.group(2), Long.parseLong(matcher.group(3))));
      }
    } catch (IOException managerIsStarting) {
      replicas.clear();
    }
    return replicas;
  }

  private void startClient(int number, String naming) throws IOException {
    Path log = folder.resolve("client" + logs.size() + ".log");
    logs.add(log);
    clients[number] =
        OracleProcess.start(
            ManagedClient.class,
            folder.resolve("client" + number + ".err"),
            List.of(
                String.valueOf(random.nextLong()),
                String.valueOf(THREADS),
                log.toString(),
                naming));
  }

  private void pauseUpTo(Duration longest) {
    pause(Duration.ofNanos(random.nextLong(longest.toNanos())));
  }

  static void pause(Duration duration) {
    boolean ended = Await.until(duration, () -> false);
    assert !ended;
  }
}
