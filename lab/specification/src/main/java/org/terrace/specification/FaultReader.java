package org.terrace.specification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.experiment.Topology;
import org.terrace.load.LoadPace;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.nodes.fault.NetworkEffect;

/**
 * Reads faults, and reports those that cannot happen: of a server that is not there, after the end
 * of the run, or of a server that another fault holds at that moment. Confined to one thread.
 */
final class FaultReader {
  /** The most times one fault may strike. */
  static final int MAXIMUM_COUNT = 10_000;

  static final Duration LONGEST = Duration.ofHours(24);
  static final Duration SHORTEST = Duration.ofMillis(1);

  static final Duration LEAST_DELAY = Duration.ofNanos(100_000);
  static final Duration MOST_DELAY = Duration.ofSeconds(10);

  /** A collector has to have some room. */
  private static final double MOST_LIVE = 0.9;

  /** Beyond this the kernel has nothing left with which a server could go on. */
  private static final double MOST_SHARE = 0.99;

  static final long LEAST_BYTES = 1L << 12;
  static final long MOST_BYTES = 1L << 32;

  /** The words that say what an entry of the list is. */
  private static final List<String> EXPECTED =
      Stream.concat(FaultKinds.ALL.stream(), Stream.of(CampaignReader.KEY)).toList();

  private final Problems problems;
  private final Topology topology;
  private final FaultKinds kinds;
  private final PlacedFaults placed;
  private final CampaignReader campaignReader;
  private final List<CampaignReader.Planned> campaigns = new ArrayList<>();

  /**
   * @param programs the names of the tiers that are programs of the user's own
   * @param seed the seed of campaigns that have none
   */
  FaultReader(Problems problems, Topology topology, Set<String> programs, Duration run, long seed) {
    this.problems = problems;
    this.topology = topology;
    this.kinds = new FaultKinds(topology, programs);
    this.placed = new PlacedFaults(problems, run);
    this.campaignReader = new CampaignReader(problems, topology, kinds, run, seed);
  }

  /** The faults that stand in the file, then those that were drawn. */
  List<Fault> faults() {
    return placed.faults();
  }

  Optional<Fault> read(Node node, String key, Problems unused) {
    Optional<Fields> fields = Fields.of(node, "a fault", problems);
    if (fields.filter(each -> each.has(CampaignReader.KEY)).isPresent()) {
      campaignReader.read(fields.get()).ifPresent(campaigns::add);
      return Optional.empty();
    }
    Optional<Fault> fault = fields.flatMap(this::read);
    fault.ifPresent(read -> placed.add(read, node));
    return fault;
  }

  private Optional<Fault> read(Fields fields) {
    if (fields.has(FaultKinds.CLOCK_STEP)) {
      problems.add(fields.keyNode(FaultKinds.CLOCK_STEP), FaultKinds.NO_CLOCK_STEP);
      return Optional.empty();
    }
    List<String> found = FaultKinds.ALL.stream().filter(fields::has).toList();
    if (found.size() != 1) {
      problems.add(
          fields.node(),
          (found.isEmpty()
                  ? "a fault does not say what it does"
                  : "a fault does two things at once")
              + ", expected exactly one of: "
              + String.join(", ", EXPECTED));
      if (found.isEmpty()) {
        reportGuesses(fields);
        return Optional.empty();
      }
    }
    String kind = found.getFirst();
    if (kind.equals(FaultKinds.BURST)) {
      return burst(fields);
    }
    Optional<String> server = fields.optional(kind, (node, key, p) -> server(node, kind));
    Optional<Schedule> schedule = schedule(fields);
    Optional<Fault> fault = fault(fields, kind, server, schedule);
    fields.finish();
    return fault;
  }

  private Optional<Fault> fault(
      Fields fields, String kind, Optional<String> server, Optional<Schedule> schedule) {
    return switch (kind) {
      case FaultKinds.KILL -> {
        Optional<Duration> restart = fields.optional("restart", Values.duration(SHORTEST, LONGEST));
        yield both(server, schedule, (name, when) -> new Fault.Kill(name, when, restart));
      }
      case FaultKinds.CHECKPOINT -> {
        long dirty = fields.optional("dirty", Values.bytes(0, MOST_BYTES)).orElse(0L);
        yield both(server, schedule, (name, when) -> new Fault.Checkpoint(name, when, dirty));
      }
      case FaultKinds.SLOW_DISK -> {
        Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
        Optional<Long> rate = fields.required("rate", Values.bytes(LEAST_BYTES, MOST_BYTES));
        yield length.flatMap(time ->
            rate.flatMap(bytes ->
                both(
                    server,
                    schedule,
                    (name, when) -> new Fault.SlowDisk(name, when, time, bytes))));
      }
      case FaultKinds.MEMORY -> memory(fields, server, schedule);
      case FaultKinds.LOSS ->
          network(
              fields,
              server,
              schedule,
              fields.required("share", Values.positive(1)).map(NetworkEffect.Loss::new));
      case FaultKinds.BANDWIDTH ->
          network(
              fields,
              server,
              schedule,
              fields
                  .required("rate", Values.bytes(LEAST_BYTES, MOST_BYTES))
                  .map(NetworkEffect.Bandwidth::new));
      case FaultKinds.DELAY -> network(fields, server, schedule, delay(fields));
      case FaultKinds.GC_PRESSURE -> {
        Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
        double live =
            fields
                .optional("live", Values.positive(MOST_LIVE))
                .orElse(Fault.GarbagePressure.USUAL_PART);
        yield length.flatMap(time ->
            both(
                server,
                schedule,
                (name, when) -> new Fault.GarbagePressure(name, when, time, live)));
      }
      default -> {
        Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
        yield length.flatMap(
            time -> both(server, schedule, (name, when) -> lasting(kinds, kind, name, when, time)));
      }
    };
  }

  private static Optional<Fault> memory(
      Fields fields, Optional<String> server, Optional<Schedule> schedule) {
    Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
    double share =
        fields
            .optional("share", Values.positive(MOST_SHARE))
            .orElse(Fault.MemoryPressure.USUAL_SHARE);
    return length.flatMap(time ->
        both(server, schedule, (name, when) -> new Fault.MemoryPressure(name, when, time, share)));
  }

  private static Optional<Fault> network(
      Fields fields,
      Optional<String> server,
      Optional<Schedule> schedule,
      Optional<? extends NetworkEffect> effect) {
    Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
    return length.flatMap(time ->
        effect.flatMap(what ->
            both(server, schedule, (name, when) -> new Fault.Network(name, when, time, what))));
  }

  private Optional<NetworkEffect> delay(Fields fields) {
    Optional<Duration> by = fields.required("by", Values.duration(LEAST_DELAY, MOST_DELAY));
    Duration jitter =
        fields.optional("jitter", Values.duration(Duration.ZERO, MOST_DELAY)).orElse(Duration.ZERO);
    if (by.isPresent() && jitter.compareTo(by.get()) > 0) {
      problems.add(
          fields.keyNode("jitter"),
          "jitter is %s, expected at most 'by', which is %s: nothing arrives before it is sent"
              .formatted(Values.print(jitter), Values.print(by.get())));
      return Optional.empty();
    }
    return by.map(time -> new NetworkEffect.Delay(time, jitter));
  }

  /** The one fault that strikes no server: users hurry. */
  private Optional<Fault> burst(Fields fields) {
    Optional<Double> factor =
        fields.optional(FaultKinds.BURST, Values.positive(LoadPace.Burst.MAXIMUM_FACTOR));
    Optional<Schedule> schedule = schedule(fields);
    Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
    fields.finish();
    return factor.flatMap(times ->
        schedule.flatMap(when -> length.map(lasting -> new Fault.Burst(when, lasting, times))));
  }

  /** A fault of which no more is said than for how long it lasts. */
  static Fault lasting(
      FaultKinds kinds, String kind, String server, Schedule when, Duration lasting) {
    return switch (kind) {
      case FaultKinds.KILL -> new Fault.Kill(server, when, Optional.of(lasting));
      case FaultKinds.PAUSE -> new Fault.Pause(server, when, lasting);
      case FaultKinds.GC_PRESSURE -> new Fault.GarbagePressure(server, when, lasting);
      case FaultKinds.CPU ->
          kinds.takesOrders(server)
              ? new Fault.ProcessorLoad(server, when, lasting)
              : new Fault.ProcessorPressure(server, when, lasting);
      case FaultKinds.MEMORY ->
          new Fault.MemoryPressure(server, when, lasting, Fault.MemoryPressure.USUAL_SHARE);
      case FaultKinds.ROW_LOCK -> new Fault.RowLock(server, when, lasting);
      case FaultKinds.SYN_DROP -> new Fault.SynDrop(server, when, lasting);
      case FaultKinds.CUT -> new Fault.Network(server, when, lasting, new NetworkEffect.Cut());
      case FaultKinds.LOCK_CONVOY -> new Fault.LockConvoy(server, when, lasting);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private void reportGuesses(Fields fields) {
    for (String key : fields.keys()) {
      Words.nearest(key, EXPECTED)
          .ifPresent(guess ->
              problems.add(fields.keyNode(key), Words.unknown("key", key, "a fault", EXPECTED)));
    }
  }

  private interface Maker {
    Fault make(String server, Schedule schedule);
  }

  private static Optional<Fault> both(
      Optional<String> server, Optional<Schedule> schedule, Maker maker) {
    return server.flatMap(name -> schedule.map(when -> maker.make(name, when)));
  }

  private Optional<Schedule> schedule(Fields fields) {
    Optional<Duration> at = fields.required("at", Values.duration(Duration.ZERO, LONGEST));
    Optional<Duration> every = fields.optional("every", Values.duration(SHORTEST, LONGEST));
    Optional<Long> count = fields.optional("count", Values.integer(1, MAXIMUM_COUNT));
    if (fields.has("every") != fields.has("count")) {
      problems.add(fields.node(), "a fault that repeats needs both 'every' and 'count'");
      return Optional.empty();
    }
    return at.map(first ->
        new Schedule(
            first, every.orElse(Duration.ZERO), every.isEmpty() ? 1 : count.orElse(1L).intValue()));
  }

  private Optional<String> server(Node node, String kind) {
    String name = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    List<String> servers = topology.serverNames();
    if (!servers.contains(name)) {
      String message =
          kind
              + " names the server "
              + Words.describe(node)
              + ", which topology "
              + topology
              + " does not have (expected one of: "
              + String.join(", ", servers)
              + ")";
      problems.add(node, message);
      return Optional.empty();
    }
    Optional<String> refusal = kinds.refusal(kind, name);
    refusal.ifPresent(reason -> problems.add(node, reason));
    return refusal.isPresent() ? Optional.empty() : Optional.of(name);
  }

  /**
   * Reports faults that cannot happen when they should, and draws those of campaigns.
   *
   * @param limited tells which servers have limits
   * @param usersThink whether the users may be in more of a hurry
   */
  void finish(CampaignReader.Limited limited, boolean usersThink) {
    placed.check(topology);
    campaigns.forEach(each -> each.draw(placed, limited));
    placed.requireMemoryLimits(limited::hasMemory);
    placed.refuseLimitedDisks(limited::hasDisk);
    placed.refuseLimitedNetworks(limited::hasNetwork);
    if (!usersThink) {
      placed.refuseBursts();
    }
  }
}
