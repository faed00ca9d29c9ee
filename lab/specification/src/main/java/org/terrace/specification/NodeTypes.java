package org.terrace.specification;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.terrace.experiment.Tier;
import org.terrace.experiment.Topology;
import org.terrace.scaling.Configuration;

/**
 * The types of nodes of a mesh: how far each holds its servers back, and which tier's nodes are of
 * which type. What cannot be held back is refused. Confined to one thread.
 */
final class NodeTypes {
  /** The field that says which tier's nodes are of which type. */
  static final String NODES = "nodes";

  private static final String LIMITS = "limits";
  private static final String HEAP = "heap";

  private final Problems problems;
  private Map<String, NodeType> types = Map.of();
  private Map<String, String> nodes = Map.of();

  NodeTypes(Problems problems) {
    this.problems = problems;
  }

  /**
   * The limits of a type of node.
   *
   * @param limit as it stands under {@code limits} in an experiment; empty without a limit
   * @param heap the largest heap of a Java server; empty for the tier's own
   */
  private record NodeType(Optional<Node> limit, Optional<Node> heap) {}

  /** Reads the types, and which tier's nodes are of which. */
  void read(Fields mesh) {
    types =
        mesh.optional(
                "nodeTypes",
                (node, key, _) ->
                    Fields.of(node, key, problems)
                        .map(fields ->
                            fields.all((value, name, _) ->
                                Fields.of(value, "the node type " + name, problems)
                                    .map(type -> type(value, name, type)))))
            .orElse(Map.of());
    nodes = mesh.optional(NODES, (node, key, _) -> nodes(node)).orElse(Map.of());
  }

  /** The types of the tiers' nodes where no trial says otherwise, by the tier's name. */
  Map<String, String> nodes() {
    return nodes;
  }

  private NodeType type(Node node, String name, Fields fields) {
    Map<String, Node> given = new LinkedHashMap<>();
    for (String key : List.of("cpu", "calibrated", "memory", "disk", "network")) {
      fields.node(key).ifPresent(value -> given.put(key, value));
    }
    Optional<Node> heap = fields.node(HEAP);
    fields.finish();
    if (given.containsKey("calibrated") && !given.containsKey("cpu")) {
      problems.add(node, "the node type " + name + " is calibrated and has no 'cpu'");
      return new NodeType(Optional.empty(), heap);
    }
    Optional<Node> limit = Optional.empty();
    for (Map.Entry<String, Node> field : given.entrySet()) {
      Node before = limit.orElseGet(() -> NodeTrees.mapping(field.getValue(), List.of()));
      limit = Optional.of(NodeTrees.with(before, List.of(field.getKey()), field.getValue()));
    }
    return new NodeType(limit, heap);
  }

  private Optional<Map<String, String>> nodes(Node node) {
    return Fields.of(node, NODES, problems)
        .map(fields -> {
          Map<String, String> named = new LinkedHashMap<>();
          for (Tier tier : Tier.values()) {
            fields
                .node(tier.label())
                .flatMap(this::typeName)
                .ifPresent(name -> named.put(tier.label(), name));
          }
          fields.finish();
          return named;
        });
  }

  /** The name of a type that there is; empty, and reported, if there is none of that name. */
  Optional<String> typeName(Node node) {
    Set<String> known = new LinkedHashSet<>(types.keySet());
    known.add(Configuration.NORMAL);
    String name = node instanceof ScalarNode scalar ? scalar.getValue() : "";
    if (!known.contains(name)) {
      problems.add(node, Words.unknown("node type", name, NODES, known));
      return Optional.empty();
    }
    return Optional.of(name);
  }

  /**
   * An experiment with the limits of its tiers' nodes.
   *
   * @param root its fields
   * @param topology its topology, as it is written
   * @param place where the trial's topology stands
   * @param chosen the types of the tiers' nodes
   * @return empty, and reported, if a type is not there or a limit is given twice
   */
  Optional<Node> apply(Node root, String topology, Node place, Map<String, String> chosen) {
    Node limited = root;
    for (Tier tier : Tier.values()) {
      String name = chosen.getOrDefault(tier.label(), Configuration.NORMAL);
      NodeType type = types.get(name);
      if (type == null && !name.equals(Configuration.NORMAL)) {
        problems.add(
            place,
            "the nodes of "
                + tier.label()
                + " are of the type "
                + name
                + ", which nodeTypes lacks");
        return Optional.empty();
      }
      if (type == null || topology(topology).count(tier) == 0) {
        continue;
      }
      Map<String, Node> fields = new LinkedHashMap<>();
      type.limit().ifPresent(limit -> fields.put(LIMITS, limit));
      if (tier != Tier.DATABASE) {
        type.heap().ifPresent(heap -> fields.put(HEAP, heap));
      }
      for (Map.Entry<String, Node> field : fields.entrySet()) {
        List<String> path = List.of(field.getKey(), tier.label());
        Optional<Node> already = NodeTrees.at(root, path);
        if (already.isPresent()) {
          problems.add(
              already.get(),
              field.getKey() + " has '" + tier.label() + "', and so has its node type " + name);
          return Optional.empty();
        }
        limited = NodeTrees.with(limited, path, field.getValue());
      }
    }
    return Optional.of(limited);
  }

  /** The numbers of a topology, of which some may be out of their range, which is then reported. */
  private static Topology topology(String word) {
    String[] counts = word.split("/", -1);
    return new Topology(
        Integer.parseInt(counts[0]),
        Math.max(1, Integer.parseInt(counts[1])),
        Integer.parseInt(counts[2]),
        Math.max(1, Integer.parseInt(counts[3])));
  }
}
