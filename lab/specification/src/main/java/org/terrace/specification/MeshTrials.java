package org.terrace.specification;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Load;
import org.terrace.experiment.Tier;
import org.terrace.scaling.Configuration;

/**
 * The trials of a mesh, each made from the fields that the mesh shares with experiments. Confined
 * to one thread.
 */
final class MeshTrials {
  private static final List<String> USERS = List.of("load", "closed", "users");
  private static final String TOPOLOGY = "topology";
  private static final String DATABASE = "database";
  private static final String SEED = "seed";

  /** The end of the content of a trial that shares servers: others ran on them before. */
  private static final String SHARED = " on shared servers";

  private final Problems problems;
  private final NodeTypes types;

  MeshTrials(Problems problems, NodeTypes types) {
    this.problems = problems;
    this.types = types;
  }

  /** One topology and what its word says about its database. */
  record Placed(String topology, TopologyPattern pattern, Node node) {}

  /** One value of a field that is varied. */
  record Choice(String path, Node value) {}

  /**
   * The fields of which the trials of a mesh are made.
   *
   * @param root all its fields
   * @param topologies the topologies
   * @param users the numbers of users
   * @param variations the values of each field that is varied
   * @param repeats how often each trial is run
   * @param seed the seed of the first repeat; those of the others follow it
   * @param shared whether trials share servers that may
   */
  record Shared(
      Node root,
      List<Placed> topologies,
      List<Node> users,
      List<List<Choice>> variations,
      int repeats,
      long seed,
      boolean shared) {}

  /** All trials; those after the first configuration with a problem are not looked at. */
  List<PlannedTrial> all(Shared mesh) {
    List<PlannedTrial> trials = new ArrayList<>();
    for (Placed placed : mesh.topologies()) {
      for (List<Choice> choices : combinations(mesh.variations())) {
        for (Node users : mesh.users()) {
          for (int repeat = 0; repeat < mesh.repeats(); repeat++) {
            trial(mesh, placed, choices, users, repeat).ifPresent(trials::add);
            if (!problems.isEmpty()) {
              return trials;
            }
          }
        }
      }
    }
    requireDistinct(mesh, trials);
    return trials;
  }

  private void requireDistinct(Shared mesh, List<PlannedTrial> trials) {
    Set<String> seen = new LinkedHashSet<>();
    for (PlannedTrial trial : trials) {
      if (!seen.add(trial.repeat() + " " + trial.content())) {
        problems.add(mesh.root(), "the trial " + trial.label() + " is in the mesh twice");
        return;
      }
    }
  }

  private static List<List<Choice>> combinations(List<List<Choice>> variations) {
    List<List<Choice>> all = List.of(List.of());
    for (List<Choice> choices : variations) {
      List<List<Choice>> longer = new ArrayList<>();
      for (List<Choice> before : all) {
        for (Choice choice : choices) {
          List<Choice> more = new ArrayList<>(before);
          more.add(choice);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }

  private Optional<PlannedTrial> trial(
      Shared mesh, Placed placed, List<Choice> choices, Node users, int repeat) {
    Node root = NodeTrees.without(mesh.root(), MeshReader.OWN);
    Map<String, String> nodes = new TreeMap<>(types.nodes());
    Map<String, String> varied = new TreeMap<>();
    if (placed.pattern().lowCost()) {
      nodes.put(Tier.DATABASE.label(), TopologyPattern.LOW_COST);
    }
    for (Choice choice : choices) {
      List<String> path = List.of(choice.path().split("\\.", -1));
      if (path.size() == 2 && path.getFirst().equals(NodeTypes.NODES)) {
        types.typeName(choice.value()).ifPresent(name -> nodes.put(path.getLast(), name));
        continue;
      }
      root = NodeTrees.with(root, path, choice.value());
      if (!choice.path().equals(DATABASE)) {
        varied.put(choice.path(), NodeTrees.label(choice.value()));
      }
    }
    root = NodeTrees.with(root, List.of("kind"), NodeTrees.scalar("Experiment", placed.node()));
    root =
        NodeTrees.with(root, List.of(TOPOLOGY), NodeTrees.scalar(placed.topology(), placed.node()));
    if (placed.pattern().database().isPresent()) {
      String word = placed.pattern().database().get();
      root = NodeTrees.with(root, List.of(DATABASE), NodeTrees.scalar(word, placed.node()));
    }
    root = NodeTrees.with(root, USERS, users);
    String seed = Long.toString(mesh.seed() + repeat);
    root = NodeTrees.with(root, List.of(SEED), NodeTrees.scalar(seed, placed.node()));
    return types
        .apply(root, placed.topology(), placed.node(), nodes)
        .flatMap(tree -> planned(tree, nodes, varied, repeat, mesh.shared()));
  }

  private Optional<PlannedTrial> planned(
      Node tree,
      Map<String, String> nodes,
      Map<String, String> varied,
      int repeat,
      boolean shared) {
    Optional<Experiment> experiment = new ExperimentReader(problems).read(tree);
    if (experiment.isEmpty() || !(experiment.get().load() instanceof Load.Closed closed)) {
      return Optional.empty();
    }
    nodes.values().removeIf(Configuration.NORMAL::equals);
    for (Tier tier : Tier.values()) {
      if (experiment.get().topology().count(tier) == 0) {
        nodes.remove(tier.label());
      }
    }
    Configuration configuration =
        new Configuration(
            experiment.get().topology().toString(), experiment.get().database(), nodes, varied);
    boolean shares = shared && experiment.get().permitsSharedServers();
    String content = NodeTrees.canonical(NodeTrees.without(tree, List.of("name", "fail-if")));
    return Optional.of(
        new PlannedTrial(
            configuration,
            closed.users(),
            repeat,
            experiment.get(),
            NodeTrees.yaml(new ProgramReader(problems).rooted(tree)),
            shares ? content + SHARED : content,
            shares));
  }
}
