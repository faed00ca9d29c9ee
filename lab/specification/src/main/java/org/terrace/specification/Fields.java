package org.terrace.specification;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * The fields of one YAML mapping. Whoever reads asks for each key that may be there, and at the end
 * for {@link #finish}, which reports the keys nobody asked for. Confined to one thread.
 */
public final class Fields {
  private record Entry(Node key, Node value) {}

  private final Node node;
  private final String what;
  private final Problems problems;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();

  private Fields(Node node, String what, Problems problems) {
    this.node = node;
    this.what = what;
    this.problems = problems;
  }

  /** The fields of a node; empty when it is not a mapping, which is then reported. */
  public static Optional<Fields> of(Node node, String what, Problems problems) {
    if (!(node instanceof MappingNode mapping)) {
      problems.add(
          node, what + " is " + Words.describe(node) + ", expected fields such as {key: value}");
      return Optional.empty();
    }
    Fields fields = new Fields(node, what, problems);
    for (NodeTuple tuple : mapping.getValue()) {
      fields.take(tuple);
    }
    return Optional.of(fields);
  }

  private void take(NodeTuple tuple) {
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      problems.add(tuple.getKeyNode(), "a key of " + what + " is not a word");
      return;
    }
    Entry entry = new Entry(key, tuple.getValueNode());
    if (entries.putIfAbsent(key.getValue(), entry) != null) {
      problems.add(key, "the key '" + key.getValue() + "' appears twice in " + what);
    }
  }

  Node node() {
    return node;
  }

  Optional<Node> node(String key) {
    asked.add(key);
    return Optional.ofNullable(entries.get(key)).map(Entry::value);
  }

  boolean has(String key) {
    return entries.containsKey(key);
  }

  List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  /** The value of a key that must be there; empty when it is missing or wrong: reported. */
  public <T> Optional<T> required(String key, ValueReader<T> reader) {
    if (!has(key)) {
      asked.add(key);
      problems.add(node, what + " lacks '" + key + "'");
      return Optional.empty();
    }
    return optional(key, reader);
  }

  /** The value of a key that may be there; empty when it is missing, or wrong: then reported. */
  public <T> Optional<T> optional(String key, ValueReader<T> reader) {
    return node(key).flatMap(value -> reader.read(value, key, problems));
  }

  /** Reports every key that nobody asked for, with the one that was perhaps meant. */
  public void finish() {
    for (Map.Entry<String, Entry> entry : entries.entrySet()) {
      if (!asked.contains(entry.getKey())) {
        problems.add(entry.getValue().key(), Words.unknown("key", entry.getKey(), what, asked));
      }
    }
  }

  /** The values that the keys of a mapping with free keys are read as, in the order of the file. */
  public <T> Map<String, T> all(ValueReader<T> reader) {
    Map<String, T> values = new LinkedHashMap<>();
    for (String key : new ArrayList<>(entries.keySet())) {
      optional(key, reader).ifPresent(value -> values.put(key, value));
    }
    return values;
  }

  /** The place of a key, for problems that only show once several fields are known. */
  public Node keyNode(String key) {
    Entry entry = entries.get(key);
    return entry == null ? node : entry.key();
  }
}
