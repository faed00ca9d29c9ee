package org.terrace.specification;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.load.LoadPace;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.observation.Server;

/**
 * Reads faults, and reports those that cannot happen: of a server that is not there, after the end
 * of the run, or of a server that another fault holds at that moment. Confined to one thread.
 */
final class FaultReader {
  /** The most times one fault may strike. */
  static final int MAXIMUM_COUNT = 10_000;

  private static final Duration LONGEST = Duration.ofHours(24);
  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** A collector has to have some room. */
  private static final double MOST_LIVE = 0.9;

  private static final long LEAST_BYTES = 1L << 12;
  private static final long MOST_BYTES = 1L << 32;
  private static final List<String> KINDS =
      List.of(
          "kill",
          "pause",
          "gc-pressure",
          "cpu",
          "lock-convoy",
          "row-lock",
          "checkpoint",
          "slow-disk",
          "syn-drop",
          "cut",
          "loss",
          "bandwidth",
          "burst");

  /** The faults that an application server makes by itself when it is told to. */
  private static final List<String> ORDERED = List.of("gc-pressure", "lock-convoy");

  /** The faults that strike a database server alone. */
  private static final List<String> OF_DATABASES = List.of("row-lock", "checkpoint", "slow-disk");

  /** The faults that need no more than a process, or the network to it. */
  private static final List<String> OF_ANY_PROCESS =
      List.of("kill", "pause", "cpu", "slow-disk", "syn-drop", "cut", "loss", "bandwidth");

  /** The faults that work by the board's tables. */
  private static final List<String> NEEDING_BOARD = List.of("row-lock", "checkpoint");

  private record Placed(Fault fault, Node node) {}

  /** One strike: from when to when it holds its server, measured from the start of the run. */
  private record Strike(Placed placed, Duration from, Duration to) {}

  private final Problems problems;
  private final Topology topology;
  private final Set<String> programs;
  private final Duration run;
  private final List<Placed> placed = new ArrayList<>();

  /**
   * @param programs the names of the tiers that are programs of the user's own
   */
  FaultReader(Problems problems, Topology topology, Set<String> programs, Duration run) {
    this.problems = problems;
    this.topology = topology;
    this.programs = programs;
    this.run = run;
  }

  List<Fault> faults() {
    return placed.stream().map(Placed::fault).toList();
  }

  Optional<Fault> read(Node node, String key, Problems unused) {
    Optional<Fault> fault = Fields.of(node, "a fault", problems).flatMap(this::read);
    fault.ifPresent(read -> placed.add(new Placed(read, node)));
    return fault;
  }

  private Optional<Fault> read(Fields fields) {
    List<String> kinds = KINDS.stream().filter(fields::has).toList();
    if (kinds.size() != 1) {
      problems.add(
          fields.node(),
          (kinds.isEmpty()
                  ? "a fault does not say what it does"
                  : "a fault does two things at once")
              + ", expected exactly one of: "
              + String.join(", ", KINDS));
      if (kinds.isEmpty()) {
        reportGuesses(fields);
        return Optional.empty();
      }
    }
    String kind = kinds.getFirst();
    if (kind.equals("burst")) {
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
      case "kill" -> {
        Optional<Duration> restart = fields.optional("restart", Values.duration(SHORTEST, LONGEST));
        yield both(server, schedule, (name, when) -> new Fault.Kill(name, when, restart));
      }
      case "pause" -> {
        Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
        yield length.flatMap(
            time -> both(server, schedule, (name, when) -> new Fault.Pause(name, when, time)));
      }
      case "checkpoint" -> {
        long dirty = fields.optional("dirty", Values.bytes(0, MOST_BYTES)).orElse(0L);
        yield both(server, schedule, (name, when) -> new Fault.Checkpoint(name, when, dirty));
      }
      case "slow-disk" -> {
        Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
        Optional<Long> rate = fields.required("rate", Values.bytes(LEAST_BYTES, MOST_BYTES));
        yield length.flatMap(time ->
            rate.flatMap(bytes ->
                both(
                    server,
                    schedule,
                    (name, when) -> new Fault.SlowDisk(name, when, time, bytes))));
      }
      case "cut" -> network(fields, server, schedule, Optional.of(new NetworkEffect.Cut()));
      case "loss" ->
          network(
              fields,
              server,
              schedule,
              fields.required("share", Values.positive(1)).map(NetworkEffect.Loss::new));
      case "bandwidth" ->
          network(
              fields,
              server,
              schedule,
              fields
                  .required("rate", Values.bytes(LEAST_BYTES, MOST_BYTES))
                  .map(NetworkEffect.Bandwidth::new));
      case "gc-pressure" -> {
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
            time -> both(server, schedule, (name, when) -> ordered(kind, name, when, time)));
      }
    };
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

  /** The one fault that strikes no server: users hurry. */
  private Optional<Fault> burst(Fields fields) {
    Optional<Double> factor =
        fields.optional("burst", Values.positive(LoadPace.Burst.MAXIMUM_FACTOR));
    Optional<Schedule> schedule = schedule(fields);
    Optional<Duration> length = fields.required("for", Values.duration(SHORTEST, LONGEST));
    fields.finish();
    return factor.flatMap(times ->
        schedule.flatMap(when -> length.map(lasting -> new Fault.Burst(when, lasting, times))));
  }

  private Fault ordered(String kind, String server, Schedule when, Duration lasting) {
    return switch (kind) {
      case "cpu" ->
          server.startsWith(Tier.APP.label()) && !programs.contains(Tier.APP.label())
              ? new Fault.ProcessorLoad(server, when, lasting)
              : new Fault.ProcessorPressure(server, when, lasting);
      case "row-lock" -> new Fault.RowLock(server, when, lasting);
      case "syn-drop" -> new Fault.SynDrop(server, when, lasting);
      case "lock-convoy" -> new Fault.LockConvoy(server, when, lasting);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private void reportGuesses(Fields fields) {
    for (String key : fields.keys()) {
      Words.nearest(key, KINDS)
          .ifPresent(guess ->
              problems.add(fields.keyNode(key), Words.unknown("key", key, "a fault", KINDS)));
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
    if (ORDERED.contains(kind) && !name.startsWith(Tier.APP.label())) {
      problems.add(
          node, kind + " names the server '" + name + "', but only application servers take it");
      return Optional.empty();
    }
    if (OF_DATABASES.contains(kind) && !name.startsWith(Tier.DATABASE.label())) {
      problems.add(
          node, kind + " names the server '" + name + "', but only database servers take it");
      return Optional.empty();
    }
    String tier = name.replaceAll("\\d+$", "");
    boolean own =
        programs.contains(tier)
            || (NEEDING_BOARD.contains(kind) && programs.contains(Tier.APP.label()));
    if (own && !OF_ANY_PROCESS.contains(kind)) {
      problems.add(
          node,
          "%s of '%s' needs the board's own servers, which a program in tiers stands in for (faults of any program: %s)"
              .formatted(kind, name, String.join(", ", OF_ANY_PROCESS)));
      return Optional.empty();
    }
    return Optional.of(name);
  }

  /** Reports faults that cannot happen when they should. */
  void finish() {
    List<String> struck = new ArrayList<>(topology.serverNames());
    struck.add(Server.CLIENTS);
    for (String server : struck) {
      List<Strike> strikes = new ArrayList<>();
      for (Placed one : placed) {
        if (one.fault().server().equals(server)) {
          strikes.addAll(strikes(one));
        }
      }
      strikes.sort(Comparator.comparing(Strike::from));
      reportCollisions(server, strikes);
    }
  }

  private List<Strike> strikes(Placed one) {
    List<Strike> strikes = new ArrayList<>();
    for (Duration at : one.fault().schedule().moments()) {
      boolean holds = one.fault().length().isPresent();
      Duration to = at.plus(one.fault().length().orElse(LONGEST));
      if (at.compareTo(run) >= 0 || (holds && to.compareTo(run) > 0)) {
        problems.add(
            one.node(),
            one.fault().word()
                + " of "
                + one.fault().server()
                + " at "
                + Values.print(at)
                + (holds ? " until " + Values.print(to) : "")
                + " is after the end of the run, which lasts "
                + Values.print(run)
                + " (times count from the start of the run)");
        return List.of();
      }
      strikes.add(new Strike(one, at, to));
    }
    return strikes;
  }

  private void reportCollisions(String server, List<Strike> strikes) {
    for (int index = 1; index < strikes.size(); index++) {
      Strike before = strikes.get(index - 1);
      Strike next = strikes.get(index);
      if (next.from().compareTo(before.to()) < 0) {
        boolean dead = before.placed().fault().length().isEmpty();
        problems.add(
            next.placed().node(),
            next.placed().fault().word()
                + " of "
                + server
                + " at "
                + Values.print(next.from())
                + " cannot happen: the "
                + before.placed().fault().word()
                + " at "
                + Values.print(before.from())
                + (dead ? " leaves it dead (add 'restart: 2s' to it)" : " still holds it"));
        return;
      }
    }
  }
}
