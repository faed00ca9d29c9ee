package org.terrace.collections;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.terrace.collections.gossip.GossipBudget;
import org.terrace.collections.structures.SequenceSet;
import org.terrace.collections.structures.causality.Dot;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.testing.Seeds;

/**
 * Histories on three real processes: rounds of load with one fault in the middle of each, and after
 * each the same oracles as in the simulator.
 *
 * <p>The seed decides faults and calls; what happens between the processes is the machine's doing,
 * so a seed replays the plan and not the very interleaving.
 */
public final class RealHistory implements AutoCloseable {
  /** A fault that strikes in a round. */
  public enum Fault {
    /** One replica is killed at once, and started anew. */
    KILL,
    /** One replica stands still for a while. */
    STOP,
    /** One replica is cut off from the others for a while. */
    PARTITION,
    /** A quarter of all packets is lost. */
    LOSS,
    /** One replica's wall clock steps, forwards and backwards. */
    CLOCK,
    /** One replica is killed soon after each start, again and again. */
    CRASH_LOOP
  }

  /** The tally of what has been done and found so far. */
  public static final class Tally {
    public long calls;
    public long acknowledged;
    public long unsure;
    public long kills;
    public long convergenceMillisMax;
    public final Map<Fault, Integer> faults = new TreeMap<>();
    public final List<String> violations = new ArrayList<>();
  }

  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<String> LEVELS = List.of("LOCAL", "two", "ALL", "allOf(2)");
  private static final long MILLI = 1_000_000;
  private static final long WAIT_NANOS = 30_000 * MILLI;
  private static final int LOSS_PERCENT = 25;
  private static final int BURST = 100;
  private static final int CLOCK_STEPS = 5;
  private static final long CLOCK_STEP_MAX_MILLIS = 3_600_000;

  /** Kills of one round of {@link Fault#CRASH_LOOP}. */
  static final int CRASHES = 3;

  /** Levels that a replica that sees itself alone does not reach. */
  private static final List<String> LEVELS_OF_TWO = List.of("two", "allOf(2)");

  private static final int KEYS = 200;

  private static final class RealCall {
    final String key;
    final String value;
    final String level;
    volatile Call made;
    volatile boolean nothing;
    volatile boolean acknowledged;

    RealCall(String key, String value, String level) {
      this.key = key;
      this.value = value;
      this.level = level;
    }
  }

  public final Tally tally = new Tally();
  final PrivateNetwork network = new PrivateNetwork();
  private final RandomGenerator random;
  private final Path folder;
  private final String soundness;
  private final TimeSource time = TimeSource.system();
  private final Map<String, InetSocketAddress> addresses = new TreeMap<>();
  private final Map<String, Long> clockOffsets = new HashMap<>();
  private final Map<String, RealProcess.Build> builds = new TreeMap<>();
  private final Map<String, RealProcess> processes = new TreeMap<>();
  private final Map<Long, RealCall> calls = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, SequenceSet> everApplied = new HashMap<>();
  private final Set<Long> deadWriters = new HashSet<>();
  private final Map<String, Long> writers = new HashMap<>();

  public RealHistory(long seed, Path folder) {
    this(seed, folder, "sound");
  }

  public RealHistory(long seed, Path folder, String soundness) {
    this(seed, folder, soundness, RealProcess.Build.ofHere());
  }

  /** With processes that all run that build. */
  RealHistory(long seed, Path folder, String soundness, RealProcess.Build build) {
    this.soundness = soundness;
    this.random = Seeds.generator(seed);
    this.folder = folder;
    for (int i = 0; i < NAMES.size(); i++) {
      addresses.put(NAMES.get(i), freeAddress("127.28.3." + (i + 1)));
      builds.put(NAMES.get(i), build);
      clockOffsets.put(NAMES.get(i), random.nextLong(-3_600_000, 3_600_000));
    }
    NAMES.forEach(this::start);
    awaitAllMeet();
  }

  private static InetSocketAddress freeAddress(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(address))) {
      return new InetSocketAddress(InetAddress.ofLiteral(address), socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(String name) {
    RealProcess process =
        new RealProcess(
            network.prefix(),
            builds.get(name),
            name,
            addresses.get(name),
            List.copyOf(addresses.values()),
            folder,
            clockOffsets.get(name),
            soundness,
            this::hear);
    processes.put(name, process);
    writers.put(name, Long.parseLong(process.answer()));
  }

  private void hear(String line) {
    String[] words = line.split(" ", -1);
    RealCall call = calls.get(Long.parseLong(words[1]));
    if (call == null) {
      // A late acknowledgement of a call on a key that was begun anew since: it is not judged.
      return;
    }
    switch (words[0]) {
      case "made" -> {
        Set<String> seen = new TreeSet<>(Arrays.asList(words[4].split(",", -1)));
        seen.remove("");
        Dot dot = new Dot(Long.parseLong(words[2]), Long.parseLong(words[3]));
        String value = call.value.equals("-") ? null : call.value;
        call.made = new Call(call.key, seen, value, dot, null, 0, 0);
      }
      case "acknowledged" -> call.acknowledged = true;
      default -> call.nothing = true;
    }
  }

  private void await(String what, BooleanSupplier condition) {
    if (!becomesTrue(condition)) {
      throw new IllegalStateException("waited in vain for: " + what + "; logs in " + folder);
    }
  }

  private boolean becomesTrue(BooleanSupplier condition) {
    long startNanos = time.elapsedNanos();
    while (!condition.getAsBoolean()) {
      if (time.elapsedNanos() - startNanos > WAIT_NANOS) {
        return false;
      }
      LockSupport.parkNanos(MILLI);
    }
    return true;
  }

  private void awaitAllMeet() {
    await(
        "the replicas meet",
        () -> processes.values().stream().allMatch(one -> one.ask("view").equals("3")));
  }

  /** The faults that this machine permits. */
  public List<Fault> possibleFaults() {
    List<Fault> possible =
        new ArrayList<>(List.of(Fault.KILL, Fault.STOP, Fault.CLOCK, Fault.CRASH_LOOP));
    if (network.canCut()) {
      possible.add(Fault.PARTITION);
    }
    if (network.canLose()) {
      possible.add(Fault.LOSS);
    }
    return possible;
  }

  /** Load with the fault in its middle, then peace until all agree, then the oracles. */
  public void round(Fault fault) {
    String victim = NAMES.get(random.nextInt(NAMES.size()));
    load(200, "");
    switch (fault) {
      case KILL -> {
        burst(victim, LEVELS);
        kill(victim);
        load(200, victim);
        start(victim);
      }
      case STOP -> {
        processes.get(victim).signal("STOP");
        load(200 + random.nextInt(600), victim);
        processes.get(victim).signal("CONT");
      }
      case PARTITION -> {
        List<String> others =
            NAMES.stream()
                .filter(name -> !name.equals(victim))
                .map(name -> addresses.get(name).getHostString())
                .toList();
        network.cut(addresses.get(victim).getHostString(), others);
        load(300 + random.nextInt(900), "");
        network.heal();
      }
      case LOSS -> {
        network.lose(LOSS_PERCENT);
        load(600, "");
        network.heal();
      }
      case CLOCK -> {
        for (int i = 0; i < CLOCK_STEPS; i++) {
          stepClock(victim);
          load(150, "");
        }
      }
      case CRASH_LOOP -> {
        for (int i = 0; i < CRASHES; i++) {
          burst(victim, LEVELS_OF_TWO);
          load(random.nextInt(100), victim);
          kill(victim);
          start(victim);
        }
      }
    }
    tally.faults.merge(fault, 1, Integer::sum);
    load(100, "");
    judge("after " + fault + " of " + victim);
  }

  /** Load while one replica is killed and replaced by one of that build, then the oracles. */
  void replace(String victim, RealProcess.Build by) {
    load(200, "");
    burst(victim, LEVELS);
    kill(victim);
    builds.put(victim, by);
    load(200, victim);
    start(victim);
    load(200, "");
    judge("after a new build of " + victim);
  }

  /** Waits until each of those replicas gives that answer. */
  void awaitAnswer(List<String> names, String question, Predicate<String> answer) {
    await(
        "the answer to " + question,
        () -> names.stream().allMatch(name -> answer.test(processes.get(name).ask(question))));
  }

  private void kill(String victim) {
    processes.get(victim).kill();
    deadWriters.add(writers.get(victim));
    tally.kills++;
  }

  /**
   * Sets the process's wall clock. One that starts later under the name has the latest clock of
   * all: with an earlier one the others would refuse it, and tell it so.
   */
  private void stepClock(String victim) {
    long offset = random.nextLong(-CLOCK_STEP_MAX_MILLIS, CLOCK_STEP_MAX_MILLIS);
    processes.get(victim).tell("clock " + offset);
    clockOffsets.merge(victim, offset, Math::max);
  }

  private void load(int millis, String spared) {
    long endNanos = time.elapsedNanos() + millis * MILLI;
    while (time.elapsedNanos() < endNanos) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      if (!name.equals(spared)) {
        call(name, LEVELS);
      }
      LockSupport.parkNanos(random.nextLong(MILLI, 4 * MILLI));
    }
  }

  /** Calls without a pause, so that a kill right after it finds some of them under way. */
  private void burst(String name, List<String> levels) {
    for (int i = 0; i < BURST; i++) {
      call(name, levels);
    }
  }

  private void call(String name, List<String> levels) {
    long number = numbers.incrementAndGet();
    String value = random.nextInt(4) == 0 ? "-" : "v" + number;
    String level = levels.get(random.nextInt(levels.size()));
    RealCall call = new RealCall("k" + random.nextInt(KEYS), value, level);
    calls.put(number, call);
    processes.get(name).tell("put " + number + " " + call.key + " " + value + " " + level);
  }

  private void judge(String when) {
    awaitAllMeet();
    long startNanos = time.elapsedNanos();
    if (!becomesTrue(this::hasConverged)) {
      tally.violations.add(when + ": the replicas did not converge; logs in " + folder);
      return;
    }
    long millis = (time.elapsedNanos() - startNanos) / MILLI;
    tally.convergenceMillisMax = Math.max(tally.convergenceMillisMax, millis);
    String[] state = processes.get("a").ask("state").split(" ", -1);
    VersionVector applied = VersionVector.decode(new Decoder(Base64.getDecoder().decode(state[0])));
    applied.writers().forEach(writer -> everApplied.put(writer, applied.known(writer)));
    List<Call> made = new ArrayList<>();
    Set<String> unsureKeys = new TreeSet<>();
    tally.acknowledged = 0;
    for (RealCall call : calls.values()) {
      Call known = call.made;
      if (known != null) {
        made.add(known);
        checkAcknowledged(call, known, when);
      } else if (!call.nothing) {
        unsureKeys.add(call.key);
      }
      tally.acknowledged += call.acknowledged ? 1 : 0;
    }
    tally.calls = calls.size();
    tally.unsure += unsureKeys.size();
    Map<String, Map<String, Set<String>>> contents = new TreeMap<>();
    processes.forEach((name, process) -> contents.put(name, parse(process.ask("contents"))));
    Call.contentViolations(made, this::isApplied, contents, unsureKeys)
        .forEach(violation -> tally.violations.add(when + ": " + violation));
    checkMetadata(when);
    beginAnew(unsureKeys);
  }

  private void checkAcknowledged(RealCall call, Call known, String when) {
    boolean mayBeLost = call.level.equals("LOCAL") && deadWriters.contains(known.dot.writer());
    if (call.acknowledged && !mayBeLost && !isApplied(known.dot)) {
      tally.violations.add(
          "%s: lost at %s: %s=%s %s".formatted(when, call.level, call.key, call.value, known.dot));
    }
  }

  /** Whether all had applied the update when last they agreed and its writer was not retired. */
  private boolean isApplied(Dot dot) {
    SequenceSet known = everApplied.get(dot.writer());
    return known != null && known.contains(dot.sequence());
  }

  private void checkMetadata(String when) {
    processes.forEach((name, process) -> {
      String[] state = process.ask("state").split(" ", -1);
      long writersKnown = Long.parseLong(state[3]);
      if (writersKnown > NAMES.size() + tally.kills
          || !state[4].equals("0")
          || !state[5].equals("0")
          || !state[6].equals("0")
          || Long.parseLong(state[7]) > GossipBudget.MESSAGES_A_ROUND_MAX) {
        tally.violations.add(
            "%s: %s has %s writers, %s superseded ahead, %s silent divergences, %s malformed, %s messages of gossip in one round"
                .formatted(when, name, state[3], state[4], state[5], state[6], state[7]));
      }
    });
  }

  /**
   * Waits until all incarnations that are over have given up their places; says how many writers
   * are left.
   */
  public long awaitRetired() {
    await(
        "places of incarnations that are over",
        () -> processes.values().stream().allMatch(one -> writersOf(one) <= NAMES.size()));
    return processes.values().stream().mapToLong(RealHistory::writersOf).max().orElseThrow();
  }

  private static long writersOf(RealProcess process) {
    return Long.parseLong(process.ask("state").split(" ", -1)[3]);
  }

  /** Clears keys of which nobody knows who saw what, so that the oracle is exact again. */
  private void beginAnew(Set<String> unsureKeys) {
    calls.values().removeIf(call -> call.made == null && call.nothing);
    calls.values().removeIf(call -> unsureKeys.contains(call.key));
    for (String key : unsureKeys) {
      long number = numbers.incrementAndGet();
      RealCall call = new RealCall(key, "fresh" + number, "ALL");
      calls.put(number, call);
      processes.get("a").tell("put " + number + " " + key + " " + call.value + " ALL");
      await("a fresh value", () -> call.made != null && call.acknowledged);
    }
  }

  private static Map<String, Set<String>> parse(String contents) {
    Map<String, Set<String>> all = new TreeMap<>();
    for (String entry : contents.split(";", -1)) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        all.put(
            entry.substring(0, equals),
            new TreeSet<>(Arrays.asList(entry.substring(equals + 1).split(",", -1))));
      }
    }
    return all;
  }

  private boolean hasConverged() {
    Set<String> states = new HashSet<>();
    for (RealProcess process : processes.values()) {
      String[] state = process.ask("state").split(" ", -1);
      states.add(state[0] + " " + state[1]);
    }
    return states.size() == 1;
  }

  /** Asks one replica something. */
  public String ask(String name, String question) {
    return processes.get(name).ask(question);
  }

  @Override
  public void close() {
    processes.values().forEach(RealProcess::close);
    network.close();
  }
}
