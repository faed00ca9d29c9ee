package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.core.TimeSource;
import org.terrace.testing.Seeds;

/**
 * Two replicas and two processes of clients as they are killed, stopped and fenced at random times.
 */
final class OracleFaults {
  private static final int REPLICAS = 2;
  private static final int CLIENT_PROCESSES = 2;
  private static final int THREADS = 4;
  private static final int TOLD_EVERY = 25;
  private static final int LONGEST_STOP_MILLIS = 600;
  private static final Duration LONGEST_GAP = Duration.ofMillis(250);

  /** A fault that strikes the processes. */
  enum Fault {
    REPLICA_KILLED("replica killed"),
    REPLICA_STOPPED("replica paused"),
    PRIMARY_REPLACED_WHILE_STOPPED("primary replaced while paused"),
    CLIENT_KILLED("client killed"),
    CLIENT_STOPPED("client paused");

    private final String words;

    Fault(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  private final RandomGenerator random;
  private final OracleProcess[] replicas = new OracleProcess[REPLICAS];
  private final OracleProcess[] clients = new OracleProcess[CLIENT_PROCESSES];
  private final List<Path> logs = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
  private final OracleSetup setup;
  private final LoggedCalls calls = new LoggedCalls();
  private long epoch = 1;

  OracleFaults(OracleSetup setup) {
    this.random = Seeds.generator(setup.seed());
    this.setup = setup;
  }

  /**
   * Runs so many faults, then lets every call end.
   *
   * @param enough is asked after each fault, and ends them
   */
  void run(int faults, Callable<Boolean> enough, Consumer<String> progress) throws Exception {
    Thread ifInterrupted = new Thread(this::killAll);
    Runtime.getRuntime().addShutdownHook(ifInterrupted);
    try {
      for (int i = 0; i < REPLICAS; i++) {
        startReplica(i);
        replicas[i].awaitReady();
      }
      for (int i = 0; i < CLIENT_PROCESSES; i++) {
        startClient(i);
      }
      boolean over = false;
      for (int i = 0; i < faults && !over; i++) {
        pauseUpTo(LONGEST_GAP);
        calls.awaitSome(logs);
        strike();
        over = enough.call();
        if ((i + 1) % TOLD_EVERY == 0) {
          progress.accept("%d of %d faults".formatted(i + 1, faults));
        }
      }
      for (OracleProcess replica : replicas) {
        replica.write(String.valueOf(epoch));
      }
      for (OracleProcess client : clients) {
        if (client.end() != 0) {
          complaints.add("calls of a client that lived on had no reply in the end");
        }
      }
      for (OracleProcess replica : replicas) {
        replica.end();
      }
    } finally {
      killAll();
      Runtime.getRuntime().removeShutdownHook(ifInterrupted);
    }
  }

  private void killAll() {
    for (OracleProcess process : replicas) {
      if (process != null) {
        process.kill();
      }
    }
    for (OracleProcess process : clients) {
      if (process != null) {
        process.kill();
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

  /** The logs of all processes of clients. */
  List<Path> logs() {
    return logs;
  }

  private void strike() throws Exception {
    Fault fault = setup.kinds().get(random.nextInt(setup.kinds().size()));
    int replica = random.nextInt(REPLICAS);
    int client = random.nextInt(CLIENT_PROCESSES);
    switch (fault) {
      case REPLICA_KILLED -> {
        replicas[replica].kill();
        startReplica(replica);
      }
      case REPLICA_STOPPED -> {
        replicas[replica].stop();
        pauseUpTo(Duration.ofMillis(LONGEST_STOP_MILLIS));
        replicas[replica].proceed();
      }
      case PRIMARY_REPLACED_WHILE_STOPPED -> {
        replicas[replica].stop();
        epoch++;
        replicas[1 - replica].write(String.valueOf(epoch));
        pauseUpTo(Duration.ofMillis(LONGEST_STOP_MILLIS));
        replicas[replica].proceed();
        pauseUpTo(LONGEST_GAP);
        replicas[replica].write(String.valueOf(epoch));
      }
      case CLIENT_KILLED -> {
        clients[client].kill();
        startClient(client);
      }
      case CLIENT_STOPPED -> {
        clients[client].stop();
        pauseUpTo(LONGEST_GAP);
        clients[client].proceed();
      }
    }
    done.merge(fault, 1, Integer::sum);
  }

  private void startReplica(int number) throws IOException {
    String[] address = setup.addresses().get(number).split(":", -1);
    replicas[number] =
        OracleProcess.start(
            OracleReplica.class,
            setup.folder().resolve("replica" + number + ".err"),
            List.of(
                "replica" + number,
                address[0],
                address[1],
                setup.url(),
                setup.user(),
                String.valueOf(epoch),
                setup.planted().name()));
  }

  private void startClient(int number) throws IOException {
    Path log = setup.folder().resolve("client" + logs.size() + ".log");
    logs.add(log);
    List<String> arguments =
        new ArrayList<>(
            List.of(String.valueOf(random.nextLong()), String.valueOf(THREADS), log.toString()));
    setup.addresses().forEach(address -> arguments.addAll(List.of(address.split(":", -1))));
    clients[number] =
        OracleProcess.start(
            OracleClient.class, setup.folder().resolve("client" + number + ".err"), arguments);
  }

  private void pauseUpTo(Duration longest) {
    TimeSource time = TimeSource.system();
    long end = time.elapsedNanos() + random.nextLong(longest.toNanos());
    for (long now = time.elapsedNanos(); now < end; now = time.elapsedNanos()) {
      LockSupport.parkNanos(end - now);
    }
  }
}
