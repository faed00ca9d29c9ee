package org.terrace.specification;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.experiment.Load;
import org.terrace.scaling.search.SearchRules;
import org.terrace.specification.MeshTrials.Choice;
import org.terrace.specification.MeshTrials.Placed;
import org.terrace.specification.MeshTrials.Shared;

/**
 * The reader of a mesh: it takes the fields that are the mesh's own, and makes of all others an
 * experiment for each trial, which {@link ExperimentReader} reads. Whatever an experiment can say,
 * a mesh can say and vary. Confined to one thread.
 */
final class MeshReader {
  private static final int MOST_REPEATS = 1_000;
  private static final long LEAST_BUDGET = 1L << 20;
  private static final long MOST_BUDGET = 1L << 46;
  private static final long DEFAULT_ATTEMPTS = 2;
  private static final String TOPOLOGY = "topology";
  private static final String SEED = "seed";
  private static final String DEPLOYMENT = "deployment";

  /** Whether trials may share servers, by the word for it. */
  private static final Map<String, Boolean> DEPLOYMENTS =
      new TreeMap<>(Map.of("shared", true, "each", false));

  private static final List<String> USERS = List.of("load", "closed", "users");
  private static final Pattern PATH = Pattern.compile("[A-Za-z][A-Za-z0-9-]*(\\.[A-Za-z0-9_-]+)*");

  /** The fields that are the mesh's own, and no experiment's. */
  static final List<String> OWN =
      Stream.concat(
              Stream.of(
                  "topologies",
                  "vary",
                  "repeat",
                  "attempts",
                  "keep",
                  DEPLOYMENT,
                  "nodeTypes",
                  NodeTypes.NODES),
              SearchReader.KEYS.stream())
          .toList();

  /** The fields that have a way of their own to be varied. */
  private static final Map<String, String> NOT_VARIED =
      new TreeMap<>(
          Map.of(
              "kind",
              "it is Mesh",
              "name",
              "a mesh has one name",
              TOPOLOGY,
              "list them under 'topologies'",
              "load.closed.users",
              "list them there, as in {users: [100, 200]}",
              SEED,
              "'repeat' runs a trial again with another seed",
              "fail-if",
              "it decides nothing that is measured"));

  private final Problems problems;

  MeshReader(Problems problems) {
    this.problems = problems;
  }

  Optional<MeshSpecification> read(Node node) {
    return Fields.of(node, "the specification", problems).flatMap(fields -> read(node, fields));
  }

  private Optional<MeshSpecification> read(Node root, Fields fields) {
    fields.required("kind", Values.oneOf(Map.of(MeshSpecification.KIND, MeshSpecification.KIND)));
    Optional<String> name =
        fields.required("name", Values.text(Values.NAME, "a name of a-z, 0-9, '-' and '.'"));
    if (fields.has(TOPOLOGY)) {
      problems.add(
          fields.keyNode(TOPOLOGY),
          "a mesh has 'topologies', a list such as [\"1/{1..3}/0/1\"], and no 'topology'");
    }
    List<Placed> topologies =
        fields.required("topologies", Values.list(this::topologies)).orElse(List.of()).stream()
            .flatMap(List::stream)
            .toList();
    List<Node> users = users(fields);
    List<List<Choice>> variations = fields.optional("vary", this::variations).orElse(List.of());
    NodeTypes types = new NodeTypes(problems);
    types.read(fields);
    int repeats = fields.optional("repeat", Values.integer(1, MOST_REPEATS)).orElse(1L).intValue();
    long attempts =
        fields
            .optional("attempts", Values.integer(1, MeshSpecification.MOST_ATTEMPTS))
            .orElse(DEFAULT_ATTEMPTS);
    Keep keep = fields.optional("keep", this::keep).orElse(Keep.DEFAULT);
    boolean shared = fields.optional(DEPLOYMENT, Values.oneOf(DEPLOYMENTS)).orElse(true);
    long seed = fields.optional(SEED, Values.seed()).orElse(1L);
    SearchReader search = new SearchReader(fields, problems);
    if (!problems.isEmpty() || !fits(fields, topologies, users, variations, repeats)) {
      return Optional.empty();
    }
    List<PlannedTrial> trials =
        new MeshTrials(problems, types)
            .all(new Shared(root, topologies, users, variations, repeats, seed, shared));
    if (!problems.isEmpty()) {
      return Optional.empty();
    }
    Optional<SearchRules> rules = search.rules(trials, seed);
    return name.flatMap(word ->
        rules.map(rule -> new MeshSpecification(word, trials, (int) attempts, keep, seed, rule)));
  }

  private boolean fits(
      Fields fields,
      List<Placed> topologies,
      List<Node> users,
      List<List<Choice>> variations,
      int repeats) {
    double count = (double) topologies.size() * users.size() * repeats;
    for (List<Choice> choices : variations) {
      count *= choices.size();
    }
    if (count > MeshSpecification.MOST_TRIALS || count < 1) {
      problems.add(
          fields.node(),
          String.format(
              "the mesh has %.0f trials, expected 1 to %d", count, MeshSpecification.MOST_TRIALS));
      return false;
    }
    return true;
  }

  private Optional<List<Placed>> topologies(Node node, String key, Problems unused) {
    Optional<TopologyPattern> pattern =
        node instanceof ScalarNode scalar
            ? TopologyPattern.parse(scalar.getValue())
            : Optional.empty();
    if (pattern.isEmpty()) {
      problems.add(
          node, key + " has " + Words.describe(node) + ", expected " + TopologyPattern.FORM);
    }
    return pattern.map(
        found -> found.topologies().stream().map(word -> new Placed(word, found, node)).toList());
  }

  /** The users of each load: one number, a list of them, or a range. */
  private List<Node> users(Fields fields) {
    Optional<Node> load = fields.node("load");
    if (load.isEmpty()) {
      problems.add(fields.node(), "the specification lacks 'load'");
      return List.of();
    }
    Optional<Node> users = NodeTrees.at(load.get(), USERS.subList(1, USERS.size()));
    if (users.isEmpty()) {
      problems.add(
          load.get(),
          "a mesh counts users: load has to be {closed: {users, think}}, with one number of users,"
              + " a list [100, 200] or a range {from: 100, to: 500, step: 100}");
      return List.of();
    }
    if (users.get() instanceof MappingNode) {
      return range(users.get());
    }
    return NodeTrees.elements(users.get());
  }

  private List<Node> range(Node node) {
    Optional<Fields> found = Fields.of(node, "users", problems);
    if (found.isEmpty()) {
      return List.of();
    }
    ValueReader<Long> count = Values.integer(1, Load.MAXIMUM_USERS);
    Optional<Long> from = found.get().required("from", count);
    Optional<Long> to = found.get().required("to", count);
    Optional<Long> step = found.get().required("step", count);
    found.get().finish();
    if (from.isEmpty() || to.isEmpty() || step.isEmpty()) {
      return List.of();
    }
    if (from.get() > to.get()) {
      problems.add(node, "users go from " + from.get() + " to " + to.get() + ", which is less");
    }
    List<Node> users = new ArrayList<>();
    for (long each = from.get();
        each <= to.get() && users.size() <= MeshSpecification.MOST_TRIALS;
        each += step.get()) {
      users.add(NodeTrees.scalar(Long.toString(each), node));
    }
    return users;
  }

  private Optional<List<List<Choice>>> variations(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          List<List<Choice>> all = new ArrayList<>();
          for (String path : fields.keys()) {
            String instead = NOT_VARIED.get(path);
            if (instead != null) {
              problems.add(fields.keyNode(path), "'" + path + "' cannot be varied: " + instead);
            } else if (!PATH.matcher(path).matches() || OWN.contains(path)) {
              problems.add(
                  fields.keyNode(path),
                  "'"
                      + path
                      + "' is no field of an experiment, expected a path such as data.scale");
            }
            fields
                .optional(path, Values.list((value, _, _) -> Optional.of(value)))
                .ifPresent(
                    values -> all.add(values.stream().map(v -> new Choice(path, v)).toList()));
          }
          return all;
        });
  }

  private Optional<Keep> keep(Node node, String key, Problems unused) {
    return Fields.of(node, key, problems)
        .map(fields -> {
          Map<String, Keep.Packets> words = new TreeMap<>();
          words.put("all", Keep.Packets.ALL);
          words.put("failed", Keep.Packets.FAILED);
          words.put("none", Keep.Packets.NONE);
          Keep.Packets packets =
              fields.optional("packets", Values.oneOf(words)).orElse(Keep.DEFAULT.packets());
          boolean tables = fields.optional("tables", Values.flag()).orElse(Keep.DEFAULT.tables());
          long budget =
              fields
                  .optional("budget", Values.bytes(LEAST_BUDGET, MOST_BUDGET))
                  .orElse(Keep.DEFAULT.budgetBytes());
          fields.finish();
          return new Keep(packets, tables, budget);
        });
  }
}
