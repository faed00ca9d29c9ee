package org.terrace.specification;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.Distribution;
import org.terrace.experiment.Load;
import org.terrace.load.Bursts;
import org.terrace.load.LoadPace;
import org.terrace.load.mix.WeightedRequest;

/** Reads who asks, how often, and in how much of a hurry. Confined to one thread. */
final class LoadReader {
  private static final Duration LONGEST_THINK = Duration.ofHours(1);
  private static final Duration SHORTEST_BURST = Duration.ofMillis(1);
  private static final Duration LONGEST_BURST = Duration.ofHours(1);
  private static final double LARGEST_INDEX = 1e6;
  private static final List<String> MIXES = List.of("read-write", "browse-only");

  /** The load of a specification that has none that can be read. */
  static final Loaded DEFAULT =
      new Loaded(
          new Load.Closed(1, new Distribution.Exponential(Duration.ofSeconds(7))),
          MIXES.getFirst(),
          List.of(),
          Optional.empty());

  private final Problems problems;

  LoadReader(Problems problems) {
    this.problems = problems;
  }

  /** Load, mix by name or by requests, and burstiness. */
  record Loaded(Load load, String mix, List<WeightedRequest> requests, Optional<Bursts> bursts) {}

  Optional<Loaded> read(Node node, String key, Problems unused) {
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
    List<WeightedRequest> requests = List.of();
    String mix = MIXES.getFirst();
    if (fields.node("mix").filter(SequenceNode.class::isInstance).isPresent()) {
      requests = fields.optional("mix", new RequestReader(problems)::read).orElse(List.of());
    } else {
      Map<String, String> mixes = new TreeMap<>();
      MIXES.forEach(name -> mixes.put(name, name));
      mix = fields.optional("mix", Values.oneOf(mixes)).orElse(mix);
    }
    Optional<Load> load = closed.or(() -> open);
    Optional<Bursts> bursts =
        fields.optional("bursts", (at, name, p) -> bursts(at, name, load.orElse(DEFAULT.load())));
    fields.finish();
    if (load.isEmpty()) {
      return Optional.empty();
    }
    if (bursts.isPresent() && !load.get().mayHurry()) {
      problems.add(
          fields.keyNode("bursts"),
          "bursts would do nothing: the users do not think, and so cannot think faster; give them a think time above 0");
    }
    return Optional.of(new Loaded(load.get(), mix, requests, bursts));
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

  private Optional<Bursts> bursts(Node node, String key, Load load) {
    Optional<Fields> found = Fields.of(node, key, problems);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = found.get();
    ValueReader<Duration> length = Values.duration(SHORTEST_BURST, LONGEST_BURST);
    Optional<Duration> every = fields.required("every", length);
    Optional<Duration> lasting = fields.required("for", length);
    Optional<Double> factor =
        fields.optional("factor", Values.positive(LoadPace.Burst.MAXIMUM_FACTOR));
    Optional<Double> index = fields.optional("index", Values.positive(LARGEST_INDEX));
    if (fields.has("factor") == fields.has("index")) {
      problems.add(node, "bursts need either a 'factor' or an 'index' of dispersion, exactly one");
    }
    fields.finish();
    if (every.isEmpty() || lasting.isEmpty() || (factor.isEmpty() && index.isEmpty())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          factor.isPresent()
              ? new Bursts(every.get(), lasting.get(), factor.get())
              : Bursts.ofIndex(every.get(), lasting.get(), index.orElseThrow(), rate(load)));
    } catch (TerraceException e) {
      problems.add(node, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /** The rate at which requests come while answers take no time. */
  private static double rate(Load load) {
    return switch (load) {
      case Load.Closed closed ->
          closed.users() / Math.max(1e-3, closed.think().mean().toNanos() / 1e9);
      case Load.Open open -> open.requestsPerSecond();
    };
  }
}
