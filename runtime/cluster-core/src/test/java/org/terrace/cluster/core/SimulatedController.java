package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.terrace.cluster.core.SimulatedReplica.Change;
import org.terrace.testing.simulation.Simulation;

/**
 * The core of a cluster over simulated servers, with a log that survives the controller. A fault
 * may be planted in what surrounds the core, to see whether the histories' judge finds it.
 */
final class SimulatedController {
  /** A fault that is planted now and then. */
  enum Plant {
    NOTHING,
    /** A replica says that it has done a write, and has not. */
    DROPPED_WRITE,
    /** A replica commits a transaction before another that it should come after. */
    SWAPPED_ORDER,
    /** The last records of the log are gone when the controller comes back. */
    LOST_LOG_TAIL,
    /** A transaction goes on as if its record were written. */
    NO_RECORD,
    /** A session reads at any replica, whatever it has seen before. */
    STALE_READ,
    /** A replica that crashed within a copy returns by the log. */
    HALF_COPY,
    /** The positions of a copy are of another moment than its rows. */
    TORN_COPY;

    /** The strategy under which the fault can be seen. */
    WriteStrategy strategy() {
      return this == STALE_READ ? WriteStrategy.WAIT_FIRST : WriteStrategy.WAIT_ALL;
    }
  }

  /** The memory of a session of what it has seen, by which it chooses where to read. */
  static final class Session {
    private FreshnessToken token = FreshnessToken.NONE;
    private final Set<Long> seen = new TreeSet<>();
  }

  record LogRecord(long position, List<Change> changes) {}

  private static final long STEP_NANOS = 1_000_000;
  private static final int LOST_RECORDS = 3;

  /** The most that a replica may be behind, by what was answered. */
  private static final int BEHIND_MAX = 3;

  private static final int POSTS_BETWEEN_FLOORS = 10;

  private final Simulation simulation;
  private final RandomGenerator random;
  private final Plant plant;
  private final ClusterSettings settings;
  final List<SimulatedReplica> replicas = new ArrayList<>();
  final List<LogRecord> log = new ArrayList<>();
  final Map<Long, List<Change>> acknowledged = new TreeMap<>();
  final Map<Long, List<Change>> changes = new HashMap<>();
  private final Map<Long, Long> positions = new HashMap<>();
  private final Map<String, Long> freeAtNanos = new HashMap<>();
  private final Map<Long, Consumer<ClusterEffect>> clients = new HashMap<>();
  int waitedInVain;
  final Set<String> wrongFloors = new TreeSet<>();
  final Set<String> staleReads = new TreeSet<>();
  private final Set<Integer> copying = new TreeSet<>();
  private final Set<Integer> removed = new TreeSet<>();
  int reads;
  int copies;
  int brokenCopies;
  int mostBehind;
  private ClusterCore core;
  private long posts;
  private int incarnation;
  private long transactions;

  SimulatedController(Simulation simulation, WriteStrategy strategy, int count, Plant plant) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.plant = plant;
    this.settings = new ClusterSettings(strategy, 1, BEHIND_MAX);
    for (int i = 0; i < count; i++) {
      replicas.add(new SimulatedReplica(i));
    }
    core = new ClusterCore(settings, numbers(), 0, 0, 0);
  }

  long begin(Consumer<ClusterEffect> client) {
    long id = ++transactions;
    clients.put(id, client);
    changes.put(id, new ArrayList<>());
    return id;
  }

  void write(long transaction, Change change) {
    changes.get(transaction).add(change);
    post(
        new ClusterEvent.Write(
            transaction,
            List.of(new LockDemand(new Lockable("t", change.key()), LockMode.EXCLUSIVE))));
    int statement = changes.get(transaction).size();
    int then = incarnation;
    simulation.schedule(
        random.nextLong(1, 20 * STEP_NANOS),
        () -> {
          boolean same = statement == changes.get(transaction).size();
          if (same && then == incarnation) {
            post(new ClusterEvent.WaitedTooLong(transaction));
          }
        });
  }

  void post(ClusterEvent event) {
    for (ClusterEffect effect : core.step(event)) {
      perform(effect);
    }
    if (++posts % POSTS_BETWEEN_FLOORS == 0) {
      checkFloors();
    }
  }

  /** Checks that a replica has every transaction that is said to be at an end there. */
  private void checkFloors() {
    for (SimulatedReplica replica : replicas) {
      long floor = core.floorAt(replica.number).orElse(0);
      for (LogRecord entry : log) {
        if (entry.position() <= floor && !replica.applied.contains(entry.position())) {
          wrongFloors.add(
              "replica %d has not %d, though all up to %d are said to be there"
                  .formatted(replica.number, entry.position(), floor));
        }
      }
    }
  }

  void crashReplica(int number) {
    SimulatedReplica replica = replicas.get(number);
    if (!crashInCopy(replica) && replica.up && core.active().size() > 1) {
      replica.crash();
      int seen = incarnation;
      later(() -> {
        if (seen == incarnation) {
          post(new ClusterEvent.ReplicaFailed(number, "crashed"));
        }
      });
    }
  }

  /** Adds a replica without data. */
  void add() {
    SimulatedReplica added = new SimulatedReplica(replicas.size());
    added.beginCopy();
    replicas.add(added);
    bringBack(added.number);
  }

  /** Removes a replica for good, if there are enough others. */
  void remove(int number) {
    if (core.active().size() > 2 && removed.add(number)) {
      replicas.get(number).crash();
      post(new ClusterEvent.ReplicaFailed(number, "removed"));
    }
  }

  boolean isRemoved(int number) {
    return removed.contains(number);
  }

  /** Lets a crashed replica come back by way of the log, or of a copy first. */
  void bringBack(int number) {
    SimulatedReplica replica = replicas.get(number);
    if (core.active().contains(number) || copying.contains(number) || removed.contains(number)) {
      return;
    }
    replica.up = true;
    boolean half = !replica.whole && plant != Plant.HALF_COPY;
    if (!core.active().isEmpty() && (half || random.nextInt(3) == 0)) {
      copy(replica, replicas.get(core.active().getLast()));
    } else if (!half) {
      catchUp(number, log.size());
    }
  }

  private void copy(SimulatedReplica replica, SimulatedReplica donor) {
    copying.add(replica.number);
    // An attempt to return by the log ends with the data that it was for.
    post(new ClusterEvent.ReplicaFailed(replica.number, "gets a copy"));
    replica.crash();
    replica.up = true;
    Map<String, Long> rows = new TreeMap<>(donor.committed);
    Set<Long> positions = new TreeSet<>(donor.applied);
    replica.beginCopy();
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    simulation.schedule(
        random.nextLong(1, 30 * STEP_NANOS),
        () -> {
          copying.remove(replica.number);
          if (then == incarnation && incarnationOfReplica == replica.incarnation) {
            copies++;
            replica.endCopy(plant == Plant.TORN_COPY ? donor.committed : rows, positions);
            catchUp(replica.number, log.size());
          } else {
            brokenCopies++;
          }
        });
  }

  /** Crashes one that is in the middle of a copy. */
  private boolean crashInCopy(SimulatedReplica replica) {
    if (copying.contains(replica.number)) {
      replica.crash();
      return true;
    }
    return false;
  }

  private void catchUp(int number, long records) {
    SimulatedReplica replica = replicas.get(number);
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    later(() -> {
      boolean same = then == incarnation && incarnationOfReplica == replica.incarnation;
      if (!same || !replica.up) {
        return;
      }
      long known = Math.min(records, log.size());
      for (int i = 0; i < known; i++) {
        replica.apply(log.get(i).position(), log.get(i).changes());
      }
      post(new ClusterEvent.CaughtUp(number, known));
    });
  }

  /** Ends the controller, and starts another from the log and what the replicas have. */
  void restart() {
    incarnation++;
    clients.clear();
    freeAtNanos.clear();
    if (plant == Plant.LOST_LOG_TAIL) {
      for (int i = 0; i < LOST_RECORDS && !log.isEmpty(); i++) {
        log.removeLast();
      }
    }
    long last = transactions;
    for (SimulatedReplica replica : replicas) {
      replica.crash();
      replica.up = true;
      if (replica.whole || plant == Plant.HALF_COPY) {
        for (LogRecord entry : log) {
          replica.apply(entry.position(), entry.changes());
        }
      }
      last = Math.max(last, replica.applied.stream().mapToLong(p -> p).max().orElse(0));
    }
    List<Integer> members =
        replicas.stream()
            .filter(replica -> replica.whole || plant == Plant.HALF_COPY)
            .filter(replica -> !removed.contains(replica.number))
            .map(replica -> replica.number)
            .toList();
    core = new ClusterCore(settings, members, 0, last, log.size());
  }

  boolean isActive(int number) {
    return core.active().contains(number);
  }

  private List<Integer> numbers() {
    return replicas.stream().map(replica -> replica.number).toList();
  }

  private void perform(ClusterEffect effect) {
    switch (effect) {
      case ClusterEffect.Execute execute -> execute(execute);
      case ClusterEffect.Prepare prepare -> prepare(prepare);
      case ClusterEffect.Append append -> append(append);
      case ClusterEffect.CommitAt commit -> commitAt(commit);
      case ClusterEffect.RollBackAt undo ->
          at(
              undo.transaction(),
              undo.replica(),
              replica -> {
                replica.rollBack(undo.transaction());
                post(new ClusterEvent.RolledBack(undo.transaction(), undo.replica()));
              });
      case ClusterEffect.Replay replay ->
          at(
              replay.transaction(),
              replay.replica(),
              replica -> {
                replica.apply(
                    positions.get(replay.transaction()),
                    List.copyOf(changes.get(replay.transaction())));
                post(new ClusterEvent.Committed(replay.transaction(), replay.replica()));
              });
      case ClusterEffect.AnswerDone done -> answer(done.transaction(), done);
      case ClusterEffect.AnswerAborted aborted -> answer(aborted.transaction(), aborted);
      case ClusterEffect.AnswerWaited waited -> {
        waitedInVain++;
        answer(waited.transaction(), waited);
      }
      case ClusterEffect.Forget forget -> clients.remove(forget.transaction());
      case ClusterEffect.TakeOut out -> replicas.get(out.replica()).crash();
      case ClusterEffect.RecordView view ->
          laterUnlessRestarted(() -> post(new ClusterEvent.ViewRecorded(view.view())));
      case ClusterEffect.CatchUp catchUp -> catchUp(catchUp.replica(), catchUp.logged());
      case ClusterEffect.Join join -> {}
    }
  }

  private void execute(ClusterEffect.Execute execute) {
    Change change = changes.get(execute.transaction()).get(execute.statement());
    at(
        execute.transaction(),
        execute.replica(),
        replica -> {
          StatementOutcome outcome = StatementOutcome.done("1");
          if (random.nextInt(60) == 0) {
            outcome = new StatementOutcome(StatementOutcome.Kind.GAVE_UP, "40P01");
          } else if (plant != Plant.DROPPED_WRITE || random.nextInt(20) > 0) {
            replica.execute(execute.transaction(), change);
          }
          post(
              new ClusterEvent.Executed(
                  execute.transaction(), execute.statement(), execute.replica(), outcome));
        });
  }

  private void prepare(ClusterEffect.Prepare prepare) {
    positions.put(prepare.transaction(), prepare.position());
    at(
        prepare.transaction(),
        prepare.replica(),
        replica ->
            post(
                new ClusterEvent.Prepared(
                    prepare.transaction(), prepare.replica(), StatementOutcome.done(""))));
  }

  private void append(ClusterEffect.Append append) {
    List<Change> whole = List.copyOf(changes.get(append.transaction()));
    boolean forgotten = plant == Plant.NO_RECORD && random.nextInt(3) == 0;
    if (!forgotten) {
      log.add(new LogRecord(append.position(), whole));
    }
    laterUnlessRestarted(() -> post(new ClusterEvent.Logged(append.transaction())));
  }

  private void commitAt(ClusterEffect.CommitAt commit) {
    boolean swapped = plant == Plant.SWAPPED_ORDER && random.nextInt(10) == 0;
    at(
        commit.transaction(),
        commit.replica(),
        replica -> {
          if (swapped) {
            // It says so at once and does it when others have come between.
            int then = replica.incarnation;
            long position = positions.get(commit.transaction());
            List<Change> whole = List.copyOf(changes.get(commit.transaction()));
            replica.rollBack(commit.transaction());
            simulation.schedule(
                20 * STEP_NANOS,
                () -> {
                  if (then == replica.incarnation) {
                    replica.apply(position, whole);
                  }
                });
          } else {
            replica.commit(commit.transaction(), positions.get(commit.transaction()));
          }
          post(new ClusterEvent.Committed(commit.transaction(), commit.replica()));
        });
  }

  private void answer(long transaction, ClusterEffect effect) {
    Consumer<ClusterEffect> client = clients.get(transaction);
    if (client != null) {
      laterUnlessRestarted(() -> client.accept(effect));
    }
  }

  void acknowledge(long transaction, ClusterEffect.AnswerDone answer, Session session) {
    long position = positions.get(transaction);
    acknowledged.put(position, List.copyOf(changes.get(transaction)));
    session.token = session.token.afterCommit(answer.record(), answer.replica(), core.progress());
    session.seen.add(position);
    for (SimulatedReplica replica : replicas) {
      long behind =
          acknowledged.keySet().stream().filter(one -> !replica.applied.contains(one)).count();
      if (isActive(replica.number)) {
        mostBehind = Math.max(mostBehind, (int) behind);
      }
    }
  }

  /** A session reads all there is at a replica that is fresh enough, if there is one now. */
  void read(Session session) {
    CommitProgress progress = core.progress();
    List<Integer> fresh =
        core.active().stream()
            .filter(number -> replicas.get(number).up)
            .filter(number -> plant == Plant.STALE_READ || session.token.allows(number, progress))
            .toList();
    if (fresh.isEmpty()) {
      return;
    }
    reads++;
    SimulatedReplica replica = replicas.get(fresh.get(random.nextInt(fresh.size())));
    for (long position : session.seen) {
      if (!replica.applied.contains(position)) {
        staleReads.add(
            "a session read at replica %d, which lacks %d, that it had written or seen"
                .formatted(replica.number, position));
      }
    }
    session.seen.addAll(replica.applied);
    session.token = session.token.afterRead(replica.number, core.progress());
  }

  /** Does something at a replica for a transaction, after what was given before. */
  private void at(long transaction, int number, Consumer<SimulatedReplica> work) {
    SimulatedReplica replica = replicas.get(number);
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    String queue = transaction + "@" + number;
    long from = Math.max(simulation.nowNanos(), freeAtNanos.getOrDefault(queue, 0L));
    long at = from + random.nextLong(1, 2 * STEP_NANOS);
    freeAtNanos.put(queue, at);
    simulation.schedule(
        at - simulation.nowNanos(),
        () -> {
          if (then == incarnation && incarnationOfReplica == replica.incarnation && replica.up) {
            work.accept(replica);
          }
        });
  }

  private void laterUnlessRestarted(Runnable task) {
    int then = incarnation;
    later(() -> {
      if (then == incarnation) {
        task.run();
      }
    });
  }

  private void later(Runnable task) {
    simulation.schedule(random.nextLong(1, STEP_NANOS), task);
  }
}
