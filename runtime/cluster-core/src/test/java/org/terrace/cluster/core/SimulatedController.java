package org.terrace.cluster.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SimulatedReplica.Change;
import org.terrace.testing.simulation.Simulation;

/**
 * The core of a cluster over simulated servers, with a log that survives the controller. A fault
 * may be planted in what surrounds the core, to see whether the histories' judge finds it.
 */
final class SimulatedController {
  /** The memory of a session of what it has seen, by which it chooses where to read. */
  static final class Session {
    private FreshnessToken token = FreshnessToken.NONE;
    private final Set<Long> seen = new TreeSet<>();
  }

  private static final long STEP_NANOS = 1_000_000;

  /** The most that a replica may be behind, by what was answered. */
  private static final int BEHIND_MAX = 3;

  private static final int POSTS_BETWEEN_FLOORS = 10;

  /** One of so many steps at a replica takes long, and one of so many answers. */
  private static final int FEW = 15;

  /** The most records that the log loses at its end. */
  private static final int LOST_RECORDS = 4;

  /** The log refuses one of so many records. */
  private static final int REFUSED_RECORDS = 25;

  /** A replica answers one of so many writes otherwise than the others. */
  private static final int WRONG = 200;

  /** A replica gives up one of so many definitions. */
  private static final int GIVEN_UP = 6;

  private static final String CANCELLED = "57014";

  /** An owner that takes the replicas and does nothing with them. */
  private static final int INTRUDER = -1;

  private final Simulation simulation;
  private final RandomGenerator random;
  private final Plant plant;
  private final ClusterSettings settings;
  final List<SimulatedReplica> replicas = new ArrayList<>();
  final SimulatedLog log;
  final Map<Long, List<Change>> acknowledged = new TreeMap<>();
  final Map<Long, List<Change>> changes = new HashMap<>();

  /** The transactions with a definition that are not at an end. */
  private final Set<Long> defining = new TreeSet<>();

  /** Those of them that a replica has done. */
  private final Set<Long> defined = new TreeSet<>();

  /** The transactions whose statement servers are asked to end. */
  final Set<Long> cancelled = new TreeSet<>();

  /** The transactions in which a replica has answered otherwise than the others. */
  private final Set<Long> wrong = new TreeSet<>();

  /** The replicas that only a copy helps, and that were not told so. */
  private final Set<Integer> divergences = new TreeSet<>();

  private int definitionsBegun;
  private long settlements;

  private final Map<Long, Long> positions = new HashMap<>();
  private final Map<String, Long> freeAtNanos = new HashMap<>();
  private final Map<String, Long> answeredAtNanos = new HashMap<>();

  private final Set<Session> sessions = new LinkedHashSet<>();

  /** The transactions whose clients wait. */
  private final Set<Long> waiting = new TreeSet<>();

  private final Map<Long, Consumer<ClusterEffect>> clients = new HashMap<>();
  int waitedInVain;
  final Set<String> wrongFloors = new TreeSet<>();
  final Set<String> staleReads = new TreeSet<>();
  final SimulatedReads seen = new SimulatedReads();

  /**
   * Deeds by the number of the core's step before which they are done; each says whether the step
   * is taken all the same.
   */
  final Map<Long, Predicate<ClusterEvent>> deeds = new HashMap<>();

  private final Set<Integer> copying = new TreeSet<>();
  private final Set<Integer> removed = new TreeSet<>();
  int reads;
  int copies;
  int brokenCopies;
  int mostBehind;
  int lateAnswers;
  int lostEnds;
  int fencings;
  int refusedRecords;
  int definitions;
  int leftDefinitions;
  int firstReturns;
  int differences;
  int exclusions;

  private boolean fenced;
  private ClusterCore core;
  private long posts;
  private long steps;
  private int incarnation;
  private long transactions;

  SimulatedController(Simulation simulation, WriteStrategy strategy, int count, Plant plant) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.plant = plant;
    this.log = new SimulatedLog(plant);
    this.settings = new ClusterSettings(strategy, 1, BEHIND_MAX);
    for (int i = 0; i < count; i++) {
      replicas.add(new SimulatedReplica(i));
    }
    core = new ClusterCore(settings, numbers(), 0, 0, 0, 0);
  }

  long begin(Consumer<ClusterEffect> client) {
    long id = ++transactions;
    clients.put(id, client);
    changes.put(id, new ArrayList<>());
    return id;
  }

  /** One of so many transactions is a definition. */
  int transactionsPerDefinition() {
    return plant.isOfDefinitions() ? 3 : 12;
  }

  /** Defines something, which stays where it is done. */
  void define(long transaction, Change change) {
    changes.get(transaction).add(change);
    defining.add(transaction);
    definitionsBegun++;
    ask(
        transaction,
        new ClusterEvent.Write(
            transaction,
            List.of(new LockDemand(Lockable.DATABASE, LockMode.EXCLUSIVE)),
            true,
            true));
  }

  /** Does something at a moment at which servers may be at a definition. */
  void withinDefinition(Runnable deed) {
    int then = incarnation;
    simulation.schedule(
        random.nextLong(1, 15 * STEP_NANOS),
        () -> {
          if (then == incarnation) {
            deed.run();
          }
        });
  }

  void write(long transaction, Change change) {
    changes.get(transaction).add(change);
    int then = incarnation;
    ask(
        transaction,
        new ClusterEvent.Write(
            transaction,
            List.of(new LockDemand(new Lockable("t", change.key()), LockMode.EXCLUSIVE))));
    int statement = changes.get(transaction).size();
    if (random.nextInt(FEW) == 0) {
      simulation.schedule(
          random.nextLong(1, 4 * STEP_NANOS),
          () -> {
            if (then == incarnation) {
              post(new ClusterEvent.Cancelled(transaction, statement - 1));
            }
          });
    }
    simulation.schedule(
        random.nextLong(1, 20 * STEP_NANOS),
        () -> {
          boolean same = statement == changes.get(transaction).size();
          if (same && then == incarnation) {
            post(new ClusterEvent.WaitedTooLong(transaction));
          }
        });
  }

  /** The transactions whose clients wait for an answer of this controller. */
  Set<Long> waiting() {
    return waiting;
  }

  /** Whether a replica has done a definition that is in no log, as its client was told. */
  boolean mayRemain() {
    Set<Long> unlogged = new TreeSet<>(defined);
    log.entries().forEach(entry -> unlogged.remove(entry.transaction()));
    return !unlogged.isEmpty();
  }

  /** The transactions that the core has not let go. */
  List<Long> unfinished() {
    return core.unfinished();
  }

  /** A client wants something, and waits for the answer. */
  void ask(long transaction, ClusterEvent event) {
    waiting.add(transaction);
    post(event);
  }

  /** The number of steps that cores have taken, or would have without a deed. */
  long steps() {
    return steps;
  }

  void post(ClusterEvent event) {
    Predicate<ClusterEvent> deed = deeds.remove(steps++);
    if (deed != null && !deed.test(event)) {
      return;
    }
    for (ClusterEffect effect : core.step(event)) {
      perform(effect);
    }
    if (++posts % POSTS_BETWEEN_FLOORS == 0) {
      checkFloors();
      prune();
    }
  }

  /** The replicas forget what they all have. */
  private void prune() {
    for (SimulatedReplica replica : replicas) {
      if (replica.owner == incarnation) {
        core.floorAt(replica.number).ifPresent(known -> replica.forget(log.belowEnd(known)));
      }
    }
  }

  /** Checks that a replica has every transaction that is said to be at an end there. */
  private void checkFloors() {
    for (SimulatedReplica replica : replicas) {
      long floor = core.floorAt(replica.number).map(RememberedPositions::floor).orElse(0L);
      for (SimulatedLog.Entry entry : log.entries()) {
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

  /** All replicas are out of reach at once, some of them for good until they are started again. */
  void loseAll() {
    for (int number : core.active()) {
      if (random.nextBoolean()) {
        replicas.get(number).crash();
      }
      post(new ClusterEvent.ReplicaFailed(number, "all are silent"));
      laterUnlessRestarted(() -> bringBack(number));
    }
  }

  /** A replica says nothing for a while, and is taken out with what it had to do yet. */
  void silence(int number) {
    if (isActive(number) && core.active().size() > 1) {
      post(new ClusterEvent.ReplicaFailed(number, "silent"));
      laterUnlessRestarted(() -> bringBack(number));
    }
  }

  /** Another process takes the replicas one by one, and keeps them until the next restart. */
  void intrude() {
    for (SimulatedReplica replica : replicas) {
      laterUnlessRestarted(() -> takeAway(replica));
    }
  }

  private void takeAway(SimulatedReplica replica) {
    if (!replica.up || !replica.take(INTRUDER)) {
      laterUnlessRestarted(() -> takeAway(replica));
    }
  }

  /** Adds a replica without data. */
  void add() {
    SimulatedReplica added = new SimulatedReplica(replicas.size());
    added.owner = incarnation;
    added.beginCopy();
    replicas.add(added);
    bringBack(added.number);
  }

  /** Removes a replica for good, if there are enough others. */
  void remove(int number) {
    if (core.active().size() > 2 && removed.add(number)) {
      replicas.get(number).crash();
      post(new ClusterEvent.ReplicaFailed(number, "removed"));
      post(new ClusterEvent.ReplicaExcluded(number));
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
    if (fenced || replica.owner != incarnation) {
      return;
    }
    replica.endDefinitions();
    int then = incarnation;
    if (divergences.remove(number)) {
      differs(replica);
    }
    if (then != incarnation) {
      return; // The controller was lost before it knew.
    }
    boolean half = !replica.whole && plant != Plant.HALF_COPY;
    boolean canCopy = !core.active().isEmpty() && defining.isEmpty();
    if (canCopy && (half || random.nextInt(3) == 0)) {
      copy(replica, replicas.get(core.active().getLast()));
    } else if (!half) {
      catchUp(number, log.size());
    }
  }

  private void copy(SimulatedReplica replica, SimulatedReplica donor) {
    copying.add(replica.number);
    int then = incarnation;
    // An attempt to return by the log ends with the data that it was for.
    post(new ClusterEvent.ReplicaFailed(replica.number, "gets a copy"));
    if (then != incarnation) {
      copying.remove(replica.number);
      return; // The controller was lost before it began the copy.
    }
    replica.crash();
    replica.up = true;
    SimulatedReplica.Snapshot snapshot = donor.snapshot();
    replica.beginCopy();
    int incarnationOfReplica = replica.incarnation;
    int definitionsBefore = definitionsBegun;
    simulation.schedule(
        random.nextLong(1, 30 * STEP_NANOS),
        () -> {
          copying.remove(replica.number);
          // A definition cuts a copy off.
          boolean whole = definitionsBefore == definitionsBegun;
          if (whole && then == incarnation && incarnationOfReplica == replica.incarnation) {
            copies++;
            replica.endCopy(plant == Plant.TORN_COPY ? donor.committed : snapshot.rows(), snapshot);
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

  /** Crashes one that is in the middle of a copy, if there is any. */
  void breakCopy() {
    copying.stream().findFirst().ifPresent(number -> replicas.get(number).crash());
  }

  private void catchUp(int number, long records) {
    SimulatedReplica replica = replicas.get(number);
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    later(() -> {
      boolean same = then == incarnation && incarnationOfReplica == replica.incarnation;
      // Another attempt may have come before.
      if (!same || !replica.up || core.active().contains(number)) {
        return;
      }
      long known = Math.min(records, log.size());
      for (int i = 0; i < known; i++) {
        replica.redo(log.entries().get(i));
      }
      if (!mayGoOn(replica)) {
        post(new ClusterEvent.ReplicaFailed(number, "it failed while returning"));
        laterUnlessRestarted(() -> bringBack(number));
        return;
      }
      post(new ClusterEvent.CaughtUp(number, known));
    });
  }

  /** Whether a replica that has done the log may go on as it is. */
  private boolean mayGoOn(SimulatedReplica replica) {
    if (core.active().isEmpty()) {
      if (core.lastActive() != replica.number) {
        return false;
      }
      firstReturns++;
      if (replica.begun != 0) {
        replica.settle(++settlements);
      }
      return true;
    }
    boolean same =
        replica.lineage == replicas.get(core.active().getFirst()).lineage
            || plant == Plant.UNNOTED_DIFFERENCE;
    if (!same || (replica.begun != 0 && plant != Plant.FORGOTTEN_DEFINITION)) {
      needsCopy(replica);
    }
    return replica.whole || plant == Plant.HALF_COPY;
  }

  /** From now on only a copy helps a replica. */
  private void needsCopy(SimulatedReplica replica) {
    if (replica.whole) {
      differences++;
      replica.whole = false;
    }
  }

  /** The same, of which the replica is told, so that nobody waits for it. */
  private void differs(SimulatedReplica replica) {
    needsCopy(replica);
    exclusions++;
    post(new ClusterEvent.ReplicaExcluded(replica.number));
  }

  /** Ends the controller, and starts another from the log and what the replicas have. */
  void restart() {
    incarnation++;
    List<Integer> activeLast = core.active().isEmpty() ? List.of(core.lastActive()) : core.active();
    defining.clear();
    divergences.clear();
    clients.clear();
    waiting.clear();
    sessions.clear();
    freeAtNanos.clear();
    answeredAtNanos.clear();
    fenced = false;
    loseEndOfLog();
    long last = transactions;
    for (SimulatedReplica replica : replicas) {
      replica.crash();
      replica.up = true;
      replica.owner = incarnation;
      if (replica.whole || plant == Plant.HALF_COPY) {
        log.entries().forEach(replica::redo);
      }
      last = Math.max(last, replica.floor);
      last = Math.max(last, replica.remembered.isEmpty() ? 0 : replica.remembered.last());
    }
    leaveOutUnsure(activeLast);
    List<Integer> members =
        replicas.stream()
            .filter(replica -> replica.whole || plant == Plant.HALF_COPY)
            .filter(replica -> !removed.contains(replica.number))
            .map(replica -> replica.number)
            .toList();
    long greatest = Math.max(last, log.greatest());
    RememberedPositions all = new RememberedPositions(greatest, log.last());
    members.forEach(member -> replicas.get(member).forget(log.belowEnd(all)));
    core = new ClusterCore(settings, members, 0, greatest, log.size(), log.last());
  }

  /** Those that may differ by a definition take no part, as an opening has it. */
  private void leaveOutUnsure(List<Integer> activeLast) {
    List<SimulatedReplica> all =
        replicas.stream()
            .filter(replica -> replica.whole && !removed.contains(replica.number))
            .toList();
    if (all.isEmpty()) {
      return;
    }
    SimulatedReplica first =
        all.stream()
            .filter(replica -> replica.begun == 0)
            .max(Comparator.comparing(replica -> activeLast.contains(replica.number)))
            .orElse(all.getFirst());
    long lineage = first.lineage;
    if (first.begun != 0) {
      first.settle(++settlements);
    }
    for (SimulatedReplica replica : all) {
      boolean unsure = replica.begun != 0 && plant != Plant.FORGOTTEN_DEFINITION;
      boolean other = replica.lineage != lineage && plant != Plant.UNNOTED_DIFFERENCE;
      if (replica != first && (unsure || other)) {
        needsCopy(replica);
      }
    }
  }

  /**
   * Loses the end of the log if the replicas that can be asked have all that was acknowledged:
   * nobody could miss what none has.
   */
  private void loseEndOfLog() {
    boolean askable =
        removed.isEmpty()
            && replicas.stream().allMatch(replica -> replica.whole)
            && acknowledged.keySet().stream()
                .allMatch(position ->
                    replicas.stream().anyMatch(replica -> replica.applied.contains(position)));
    boolean planted = plant == Plant.LOST_LOG_TAIL || plant == Plant.FORGOTTEN_END;
    if (planted || (askable && random.nextInt(3) == 0)) {
      lostEnds += log.loseEnd(replicas, random.nextInt(1, LOST_RECORDS + 1)) ? 1 : 0;
    }
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
                if (replica.begun == undo.transaction()) {
                  replica.settle(-undo.transaction());
                }
                return new ClusterEvent.RolledBack(undo.transaction(), undo.replica());
              });
      case ClusterEffect.Replay replay ->
          at(
              replay.transaction(),
              replay.replica(),
              replica -> {
                if (isAnothers(replica)) {
                  return tellOfOwner(replica);
                }
                replica.replay(
                    replay.transaction(),
                    positions.get(replay.transaction()),
                    List.copyOf(changes.get(replay.transaction())));
                return new ClusterEvent.Committed(replay.transaction(), replay.replica());
              });
      case ClusterEffect.AnswerDone done -> answer(done.transaction(), done);
      case ClusterEffect.AnswerAborted aborted -> answer(aborted.transaction(), aborted);
      case ClusterEffect.AnswerWaited waited -> {
        waitedInVain++;
        answer(waited.transaction(), waited);
      }
      case ClusterEffect.GiveUp giveUp -> cancelled.add(giveUp.transaction());
      case ClusterEffect.Forget forget -> {
        clients.remove(forget.transaction());
        defining.remove(forget.transaction());
      }
      case ClusterEffect.TakeOut out -> takenOut(out);
      case ClusterEffect.RecordView view ->
          laterUnlessRestarted(() -> post(new ClusterEvent.ViewRecorded(view.view())));
      case ClusterEffect.CatchUp(int replica, long logged) -> catchUp(replica, logged);
      case ClusterEffect.Join join -> readByAll();
    }
  }

  private void execute(ClusterEffect.Execute execute) {
    Change change = changes.get(execute.transaction()).get(execute.statement());
    if (change.lasts()) {
      defineAt(execute, change);
      return;
    }
    at(
        execute.transaction(),
        execute.replica(),
        replica -> {
          StatementOutcome outcome = StatementOutcome.done("1");
          boolean alone =
              settings.strategy() == WriteStrategy.WAIT_ALL
                  && core.active().size() > 2
                  && random.nextInt(WRONG) == 0
                  && wrong.add(execute.transaction());
          if (alone) {
            outcome = StatementOutcome.done("2");
            replica.execute(execute.transaction(), change);
          } else if (cancelled.contains(execute.transaction()) && random.nextBoolean()) {
            outcome = new StatementOutcome(StatementOutcome.Kind.GAVE_UP, CANCELLED);
          } else if (random.nextInt(60) == 0) {
            outcome = new StatementOutcome(StatementOutcome.Kind.GAVE_UP, "40P01");
          } else if (plant != Plant.DROPPED_WRITE || random.nextInt(20) > 0) {
            replica.execute(execute.transaction(), change);
          }
          return new ClusterEvent.Executed(
              execute.transaction(), execute.statement(), execute.replica(), outcome);
        });
  }

  private void takenOut(ClusterEffect.TakeOut out) {
    SimulatedReplica replica = replicas.get(out.replica());
    if (out.reason().endsWith(CANCELLED)) {
      replica.faults.add("replica " + replica.number + " is out, as it was asked to end a write");
    }
    if (out.diverged()) {
      divergences.add(replica.number);
    }
    if (replica.up) {
      laterUnlessRestarted(() -> bringBack(replica.number));
    }
    replica.cut();
  }

  /** A definition takes long, and goes on when its replica is out of reach. */
  private void defineAt(ClusterEffect.Execute execute, Change change) {
    SimulatedReplica replica = replicas.get(execute.replica());
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    int ended = replica.ended;
    // It may have been received and not begun when its replica is out of reach.
    long delay = random.nextLong(1, random.nextInt(4) == 0 ? 30 * STEP_NANOS : STEP_NANOS);
    long length = random.nextLong(1, 10 * STEP_NANOS);
    String queue = execute.transaction() + "@" + execute.replica();
    freeAtNanos.put(queue, simulation.nowNanos() + delay + length);
    Runnable definition =
        () -> {
          if (ended != replica.ended) {
            return;
          }
          replica.begin(execute.transaction());
          simulation.schedule(
              length,
              () -> {
                if (ended != replica.ended) {
                  return;
                }
                boolean givesUp = random.nextInt(GIVEN_UP) == 0;
                if (givesUp) {
                  replica.begun = 0;
                } else {
                  definitions++;
                  defined.add(execute.transaction());
                  replica.define(change);
                }
                if (then == incarnation && incarnationOfReplica == replica.incarnation) {
                  post(
                      new ClusterEvent.Executed(
                          execute.transaction(),
                          execute.statement(),
                          execute.replica(),
                          givesUp
                              ? new StatementOutcome(StatementOutcome.Kind.GAVE_UP, "70100")
                              : StatementOutcome.done("0")));
                }
              });
        };
    simulation.schedule(delay, definition);
  }

  private boolean isAnothers(SimulatedReplica replica) {
    return replica.owner != incarnation && plant != Plant.UNCHECKED_OWNER;
  }

  /** The cluster is another's; nobody may wait for the replica, as the answer says. */
  private ClusterEvent tellOfOwner(SimulatedReplica replica) {
    if (!fenced) {
      fenced = true;
      fencings++;
    }
    post(new ClusterEvent.Fenced("an intruder"));
    return new ClusterEvent.ReplicaFailed(replica.number, "it belongs to an intruder");
  }

  private void prepare(ClusterEffect.Prepare prepare) {
    positions.put(prepare.transaction(), prepare.position());
    at(
        prepare.transaction(),
        prepare.replica(),
        replica -> {
          if (isAnothers(replica)) {
            return tellOfOwner(replica);
          }
          replica.mark(prepare.transaction(), incarnation);
          return new ClusterEvent.Prepared(
              prepare.transaction(), prepare.replica(), StatementOutcome.done(""));
        });
  }

  private void append(ClusterEffect.Append append) {
    List<Change> whole = List.copyOf(changes.get(append.transaction()));
    if (random.nextInt(plant.isOfDefinitions() ? REFUSED_RECORDS / 5 : REFUSED_RECORDS) == 0) {
      refusedRecords++;
      // The log says so before it takes another.
      boolean counted = plant == Plant.COUNTED_REFUSAL;
      int then = incarnation;
      simulation.schedule(
          0,
          () -> {
            if (then == incarnation) {
              post(new ClusterEvent.LogFailed(append.transaction(), "it is too long", counted));
            }
          });
      return;
    }
    boolean forgotten = plant == Plant.NO_RECORD && random.nextInt(3) == 0;
    if (!forgotten) {
      log.append(append.transaction(), append.position(), whole);
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
            replica.commit(commit.transaction(), positions.get(commit.transaction()), incarnation);
          }
          return new ClusterEvent.Committed(commit.transaction(), commit.replica());
        });
  }

  private void answer(long transaction, ClusterEffect effect) {
    Consumer<ClusterEffect> client = clients.get(transaction);
    waiting.remove(transaction);
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

  /** All sessions read while one that is back may have more than the others. */
  private void readByAll() {
    for (int i = 0; i < 2; i++) {
      List.copyOf(sessions).forEach(this::read);
    }
  }

  /** Somebody without a session reads all there is at a replica, each of which has its turn. */
  void pass(int turn) {
    List<Integer> up = core.active().stream().filter(number -> replicas.get(number).up).toList();
    if (!up.isEmpty()) {
      SimulatedReplica replica = replicas.get(up.get(turn % up.size()));
      seen.note(replica, replica);
    }
  }

  /** The record up to which a session may have read, as a commit says it. */
  long seenBy(Session session) {
    return plant == Plant.UNORDERED_CAUSE ? 0 : session.token.decided();
  }

  /**
   * A session reads all there is at a replica that is fresh enough; says whether there is one now.
   */
  boolean read(Session session) {
    CommitProgress progress = core.progress();
    List<Integer> fresh =
        core.active().stream()
            .filter(number -> replicas.get(number).up)
            .filter(number -> plant == Plant.STALE_READ || session.token.allows(number, progress))
            .toList();
    if (fresh.isEmpty()) {
      return false;
    }
    reads++;
    sessions.add(session);
    SimulatedReplica replica = replicas.get(fresh.get(random.nextInt(fresh.size())));
    boolean fractured = plant == Plant.FRACTURED_READ;
    seen.note(replica, fractured ? replicas.get(fresh.get(random.nextInt(fresh.size()))) : replica);
    for (long position : session.seen) {
      if (!replica.applied.contains(position)) {
        staleReads.add(
            "a session read at replica %d, which lacks %d, that it had written or seen"
                .formatted(replica.number, position));
      }
    }
    session.seen.addAll(replica.applied);
    session.token = session.token.afterRead(replica.number, core.progress());
    return true;
  }

  /**
   * Does something at a replica for a transaction, after what was given before, and tells the core
   * what came of it, some time later.
   */
  private void at(long transaction, int number, Function<SimulatedReplica, ClusterEvent> work) {
    SimulatedReplica replica = replicas.get(number);
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    String queue = transaction + "@" + number;
    long longest = random.nextInt(FEW) == 0 ? 10 * STEP_NANOS : 2 * STEP_NANOS;
    long at = after(freeAtNanos.get(queue), random.nextLong(1, longest));
    freeAtNanos.put(queue, at);
    simulation.schedule(
        at - simulation.nowNanos(),
        () -> {
          boolean same = incarnationOfReplica == replica.incarnation || plant == Plant.STALE_BRANCH;
          if (then == incarnation && same && replica.up) {
            answer(queue, replica, work.apply(replica));
          }
        });
  }

  /** An answer is on its way when its replica is lost, and comes although it is. */
  private void answer(String queue, SimulatedReplica replica, ClusterEvent event) {
    int then = incarnation;
    int incarnationOfReplica = replica.incarnation;
    long delay = random.nextInt(FEW) == 0 ? random.nextLong(20 * STEP_NANOS) : 0;
    long at = after(answeredAtNanos.get(queue), delay);
    answeredAtNanos.put(queue, at);
    if (at == simulation.nowNanos()) {
      post(event);
      return;
    }
    simulation.schedule(
        at - simulation.nowNanos(),
        () -> {
          if (then == incarnation) {
            lateAnswers += incarnationOfReplica == replica.incarnation ? 0 : 1;
            post(event);
          }
        });
  }

  private long after(@Nullable Long before, long delay) {
    long now = simulation.nowNanos();
    return Math.max(now, before == null ? now : before) + delay;
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
