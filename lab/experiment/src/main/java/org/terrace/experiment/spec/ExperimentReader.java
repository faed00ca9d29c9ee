package org.terrace.experiment.spec;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.analysis.threshold.Threshold;
import org.terrace.experiment.Distribution;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Experiment.Data;
import org.terrace.experiment.Experiment.Observe;
import org.terrace.experiment.Load;
import org.terrace.experiment.Phases;
import org.terrace.experiment.ProcessorLimit;
import org.terrace.experiment.SessionWatch;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.experiment.WebServer;

/** The reader of an experiment's fields. Confined to one thread. */
public final class ExperimentReader {
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final Duration SHORTEST_RUN = Duration.ofSeconds(1);
  private static final Duration LONGEST_THINK = Duration.ofHours(1);
  private static final long LEAST_HEAP = 8L << 20;
  private static final long MOST_HEAP = 1L << 40;
  private static final double MOST_CORES = 1024;
  private static final Pattern TOPOLOGY =
      Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,2})/(\\d{1,2})");
  static final Data DEFAULT_DATA = new Data(0.01, 1);
  static final Topology DEFAULT_TOPOLOGY = new Topology(1, 1, 0, 1);
  static final Phases DEFAULT_PHASES =
      new Phases(Duration.ofSeconds(10), Duration.ofSeconds(40), Duration.ofSeconds(3));
  private static final Observe DEFAULT_OBSERVE = new Observe(true, Duration.ofSeconds(1), 0);
  static final Load DEFAULT_LOAD =
      new Load.Closed(1, new Distribution.Exponential(Duration.ofSeconds(7)));

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
    String name =
        fields
            .required(
                "name",
                Values.text(Values.NAME, "a name of a-z, 0-9, '-' and '.', such as my-trial"))
            .orElse("unnamed");
    Topology topology = fields.required("topology", this::topology).orElse(DEFAULT_TOPOLOGY);
    String application =
        fields
            .optional("application", Values.oneOf(Map.of("board", Experiment.BOARD)))
            .orElse(Experiment.BOARD);
    String database =
        fields
            .optional("database", Values.oneOf(Map.of("postgresql", Experiment.POSTGRESQL)))
            .orElse(Experiment.POSTGRESQL);
    WebServer web = fields.optional("web", Values.oneOf(webServers())).orElse(WebServer.PROXY);
    LoadAndMix load =
        fields.required("load", this::load).orElse(new LoadAndMix(DEFAULT_LOAD, MIXES.getFirst()));
    Phases phases = fields.required("phases", this::phases).orElse(DEFAULT_PHASES);
    FaultReader faults = new FaultReader(problems, topology, phases.run());
    fields.optional("faults", Values.list(faults::read));
    faults.finish();
    Observe observe = fields.optional("observe", this::observe).orElse(DEFAULT_OBSERVE);
    Map<String, ProcessorLimit> limits =
        fields
            .optional("limits", (n, key, p) -> perServer(n, key, topology, this::cpu))
            .orElse(Map.of());
    Map<String, Long> heaps =
        fields
            .optional(
                "heap",
                (n, key, p) -> perServer(n, key, topology, Values.bytes(LEAST_HEAP, MOST_HEAP)))
            .orElse(Map.of());
    List<Threshold> failIf = fields.optional("fail-if", THRESHOLDS).orElse(List.of());
    Data data = fields.optional("data", this::data).orElse(DEFAULT_DATA);
    String network = fields.optional("network", Values.network()).orElse(Values.LOOPBACK);
    long seed = fields.optional("seed", Values.seed()).orElse(1L);
    fields.finish();
    return new Experiment(
        name,
        topology,
        application,
        database,
        web,
        load.load,
        load.mix,
        phases,
        faults.faults(),
        observe,
        limits,
        heaps,
        failIf,
        data,
        network,
        seed);
  }

  private static final List<String> MIXES = List.of("read-write", "browse-only");

  private record LoadAndMix(Load load, String mix) {}

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

  private Optional<Topology> topology(Node node, String key, Problems unused) {
    String expected =
        "web/app/middleware/database, such as 1/2/0/1, with 1 to 99 application servers";
    Optional<String> text = Values.text(TOPOLOGY, expected).read(node, key, problems);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = TOPOLOGY.matcher(text.get());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int[] counts = new int[Tier.values().length];
    for (int index = 0; index < counts.length; index++) {
      counts[index] = Integer.parseInt(matcher.group(index + 1));
    }
    if (counts[1] < 1 || counts[3] < 1) {
      problems.add(
          node, key + " is " + Words.describe(node) + ", expected " + expected + " and 1 database");
      return Optional.empty();
    }
    if (counts[2] > 0) {
      problems.add(
          node,
          "topology is '"
              + text.get()
              + "', but clustering middleware is not available yet: the third number has to be 0");
    } else if (counts[3] > 1) {
      problems.add(
          node,
          "topology is '"
              + text.get()
              + "', but several databases need clustering middleware, which is not available yet:"
              + " the fourth number has to be 1");
    }
    return Optional.of(new Topology(counts[0], counts[1], counts[2], counts[3]));
  }

  private Optional<LoadAndMix> load(Node node, String key, Problems unused) {
    Optional<Fields> found = Fields.of(node, key, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    Optional<Load> closed = fields.optional("closed", this::closed);
    Optional<Load> open = fields.optional("open", this::open);
    if (fields.has("closed") == fields.has("open")) {
      problems.add(
          node, "load has to be either {closed: {users, think}} or {open: {rate}}, exactly one");
    }
    Map<String, String> mixes = new TreeMap<>();
    MIXES.forEach(mix -> mixes.put(mix, mix));
    String mix = fields.optional("mix", Values.oneOf(mixes)).orElse(MIXES.getFirst());
    fields.finish();
    return closed.or(() -> open).map(load -> new LoadAndMix(load, mix));
  }

  private Optional<Load> closed(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .flatMap(fields -> {
          Optional<Long> users = fields.required("users", Values.integer(1, Load.MAXIMUM_USERS));
          Optional<Distribution> think =
              fields.required("think", Values.distribution(LONGEST_THINK));
          fields.finish();
          return users.flatMap(
              count -> think.map(time -> (Load) new Load.Closed(count.intValue(), time)));
        });
  }

  private Optional<Load> open(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .flatMap(fields -> {
          Optional<Double> rate = fields.required("rate", Values.positive(Load.MAXIMUM_RATE));
          fields.finish();
          return rate.map(Load.Open::new);
        });
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
          fields.finish();
          return new Observe(packets, sample, sessions);
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

  private Optional<ProcessorLimit> cpu(Node node, String key, Problems unused) {
    return Fields.of(node, "the limit of " + key, problems)
        .flatMap(fields -> {
          Optional<Double> cores = fields.required("cpu", Values.positive(MOST_CORES));
          boolean calibrated = fields.optional("calibrated", Values.flag()).orElse(false);
          fields.finish();
          return cores.map(value -> new ProcessorLimit(value, calibrated));
        });
  }

  /** A value for each tier or server that is named. */
  private <T> Optional<Map<String, T>> perServer(
      Node node, String key, Topology topology, ValueReader<T> reader) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          Set<String> known = new LinkedHashSet<>();
          for (Tier tier : Tier.values()) {
            if (topology.count(tier) > 0) {
              known.add(tier.label());
            }
          }
          known.addAll(topology.serverNames());
          for (String name : fields.keys()) {
            if (!known.contains(name)) {
              problems.add(fields.keyNode(name), Words.unknown("server or tier", name, key, known));
            }
          }
          return new HashMap<>(fields.all(reader));
        });
  }
}
