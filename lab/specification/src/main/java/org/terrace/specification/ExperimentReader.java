package org.terrace.specification;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Experiment.Data;
import org.terrace.experiment.Experiment.Observe;
import org.terrace.experiment.Phases;
import org.terrace.experiment.Replication;
import org.terrace.experiment.SessionWatch;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.setting.TierProgram;
import org.terrace.nodes.setting.WebServer;
import org.terrace.specification.ProgramReader.Parts;

/** The reader of an experiment's fields. Confined to one thread. */
public final class ExperimentReader {
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final Duration SHORTEST_RUN = Duration.ofSeconds(1);
  static final Data DEFAULT_DATA = new Data(0.01, 1);
  static final Topology DEFAULT_TOPOLOGY = new Topology(1, 1, 0, 1);
  static final Phases DEFAULT_PHASES =
      new Phases(Duration.ofSeconds(10), Duration.ofSeconds(40), Duration.ofSeconds(3));
  private static final Observe DEFAULT_OBSERVE =
      new Observe(true, Duration.ofSeconds(1), 0, Observe.LONGEST_SNAP_LENGTH);

  private static final ValueReader<List<Threshold>> THRESHOLDS =
      Values.list(ExperimentReader::threshold);

  private final Problems problems;

  ExperimentReader(Problems problems) {
    this.problems = problems;
  }

  Optional<Experiment> read(Node node) {
    return Fields.of(node, "the specification", problems).map(this::read);
  }

  private Experiment read(Fields fields) {
    fields.required("kind", Values.oneOf(Map.of("Experiment", "Experiment")));
    String name = name(fields);
    Set<String> tiers = ProgramReader.tiers(fields);
    String database =
        fields.optional("database", Values.oneOf(databases())).orElse(Experiment.POSTGRESQL);
    boolean isNdbLike = database.equals(Experiment.NDB_LIKE);
    var topologies = new TopologyReader(problems, tiers, isNdbLike);
    Topology topology = fields.required("topology", topologies::read).orElse(DEFAULT_TOPOLOGY);
    ProgramReader programReader = new ProgramReader(problems);
    Map<String, TierProgram> programs = programReader.read(fields);
    String application = application(fields);
    Replication replication = replication(fields);
    WebServer web = fields.optional("web", Values.oneOf(webServers())).orElse(WebServer.PROXY);
    LoadReader.Loaded load =
        fields.required("load", new LoadReader(problems)::read).orElse(LoadReader.DEFAULT);
    Phases phases = fields.required("phases", this::phases).orElse(DEFAULT_PHASES);
    long seed = fields.optional("seed", Values.seed()).orElse(1L);
    FaultReader faults = new FaultReader(problems, topology, tiers, phases.run(), seed);
    fields.optional("faults", Values.list(faults::read));
    Observe observe = fields.optional("observe", this::observe).orElse(DEFAULT_OBSERVE);
    LimitReader limits = new LimitReader(problems, topology, tiers);
    limits.read(fields);
    faults.finish(limits, load.load().mayHurry());
    if (isNdbLike) {
      refuseOfNodes(fields, faults.faults());
    }
    List<Threshold> failIf = fields.optional("fail-if", THRESHOLDS).orElse(List.of());
    Data data = fields.optional("data", this::data).orElse(DEFAULT_DATA);
    String network = fields.optional("network", Values.network()).orElse(Values.LOOPBACK);
    var parts = new Parts(topology, programs, load.requests(), observe.sessions() > 0);
    programReader.check(fields, tiers, parts);
    fields.finish();
    return new Experiment(
        name,
        topology,
        application,
        programs,
        database,
        replication,
        web,
        load.load(),
        load.mix(),
        load.requests(),
        phases,
        faults.faults(),
        observe,
        limits.processors(),
        limits.memory(),
        limits.disks(),
        limits.networks(),
        limits.heaps(),
        limits.softLimits(),
        limits.collectors(),
        load.bursts(),
        failIf,
        data,
        network,
        seed);
  }

  private static String application(Fields fields) {
    return fields
        .optional("application", Values.oneOf(Map.of("board", Experiment.BOARD)))
        .orElse(Experiment.BOARD);
  }

  /** Reports faults that the nodes of an NDB-like database cannot take, or not come back from. */
  private void refuseOfNodes(Fields fields, List<Fault> faults) {
    for (Fault fault : faults) {
      boolean returns = fault instanceof Fault.Kill kill && kill.restart().isPresent();
      Optional<String> reason =
          switch (fault) {
            case Fault.RowLock _, Fault.Checkpoint _ ->
                Optional.of("it works in one server's tables, and a data node has a part of them");
            default ->
                returns && fault.server().startsWith(Tier.DATABASE.label())
                    ? Optional.of(
                        "a data node that was lost stays away, as nothing fills it again: leave out"
                            + " restart")
                    : Optional.empty();
          };
      reason.ifPresent(why ->
          problems.add(
              fields.keyNode("faults"),
              "a fault of '%s' cannot be with database: ndb-like: %s"
                  .formatted(fault.server(), why)));
    }
  }

  private static String name(Fields fields) {
    return fields
        .required(
            "name", Values.text(Values.NAME, "a name of a-z, 0-9, '-' and '.', such as my-trial"))
        .orElse("unnamed");
  }

  private Replication replication(Fields fields) {
    String strategy =
        way(fields, "replication", Replication.STRATEGIES, _ -> true)
            .orElse(Replication.USUAL.strategy());
    String scheduler =
        way(fields, "scheduler", Replication.SCHEDULERS, Replication::hasScheduler)
            .orElse(Replication.USUAL.scheduler());
    return new Replication(strategy, scheduler);
  }

  /** A way among several, of which the runtime may lack some. */
  private Optional<String> way(
      Fields fields, String key, List<String> ways, Predicate<String> available) {
    Map<String, String> known = new TreeMap<>();
    ways.forEach(way -> known.put(way, way));
    Optional<String> chosen = fields.optional(key, Values.oneOf(known));
    if (chosen.isPresent() && !available.test(chosen.get())) {
      fields
          .node(key)
          .ifPresent(node ->
              problems.add(
                  node,
                  "%s is '%s', which the clustered database does not have yet (expected one of: %s)"
                      .formatted(
                          key,
                          chosen.get(),
                          String.join(", ", ways.stream().filter(available).toList()))));
    }
    return chosen;
  }

  private static Map<String, String> databases() {
    return new TreeMap<>(
        Map.of(
            "postgresql",
            Experiment.POSTGRESQL,
            "mariadb",
            Experiment.MARIADB,
            "ndb-like",
            Experiment.NDB_LIKE));
  }

  private static Map<String, WebServer> webServers() {
    return new TreeMap<>(Map.of("proxy", WebServer.PROXY, "apache", WebServer.APACHE));
  }

  private static Optional<Threshold> threshold(Node node, String key, Problems problems) {
    if (!(node instanceof ScalarNode scalar)) {
      problems.add(node, key + " is " + Words.describe(node) + ", expected " + Threshold.FORM);
      return Optional.empty();
    }
    try {
      return Optional.of(Threshold.parse(scalar.getValue()));
    } catch (IllegalArgumentException e) {
      problems.add(node, key + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Phases> phases(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .flatMap(fields -> {
          ValueReader<Duration> ramp = Values.duration(Duration.ZERO, LONGEST);
          Optional<Duration> up = fields.optional("rampUp", ramp);
          Optional<Duration> run = fields.required("run", Values.duration(SHORTEST_RUN, LONGEST));
          Optional<Duration> down = fields.optional("rampDown", ramp);
          fields.finish();
          return run.map(
              length -> new Phases(up.orElse(Duration.ZERO), length, down.orElse(Duration.ZERO)));
        });
  }

  private Optional<Observe> observe(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          boolean packets = fields.optional("packets", Values.flag()).orElse(true);
          Duration sample =
              fields
                  .optional(
                      "sample", Values.duration(Observe.SHORTEST_SAMPLE, Duration.ofMinutes(10)))
                  .orElse(Duration.ofSeconds(1));
          int sessions =
              fields
                  .optional("sessions", Values.integer(0, SessionWatch.VISITORS_MAX))
                  .map(Math::toIntExact)
                  .orElse(0);
          int snapLength =
              fields
                  .optional(
                      "snapLength",
                      Values.integer(Observe.SHORTEST_SNAP_LENGTH, Observe.LONGEST_SNAP_LENGTH))
                  .map(Math::toIntExact)
                  .orElse(Observe.LONGEST_SNAP_LENGTH);
          fields.finish();
          return new Observe(packets, sample, sessions, snapLength);
        });
  }

  private Optional<Data> data(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          double scale =
              fields
                  .optional("scale", Values.positive(Data.MAXIMUM_SCALE))
                  .orElse(DEFAULT_DATA.scale());
          long seed = fields.optional("seed", Values.seed()).orElse(DEFAULT_DATA.seed());
          fields.finish();
          return new Data(scale, seed);
        });
  }
}
