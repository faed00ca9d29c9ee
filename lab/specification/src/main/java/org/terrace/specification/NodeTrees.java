package org.terrace.specification;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Changes of YAML trees that leave the trees themselves as they are, and keep the places of what
 * stays, so that messages about a changed tree point into the file. Stateless.
 */
final class NodeTrees {
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private NodeTrees() {}

  /** A word or a number, at the place of another node. */
  static ScalarNode scalar(String text, Node place) {
    Tag tag = NUMBER.matcher(text).matches() ? Tag.INT : Tag.STR;
    return new ScalarNode(
        tag, true, text, ScalarStyle.PLAIN, place.getStartMark(), place.getEndMark());
  }

  /** The same fields with a path such as {@code load.closed.users} set to a value. */
  static Node with(Node node, List<String> path, Node value) {
    if (path.isEmpty()) {
      return value;
    }
    List<NodeTuple> tuples = new ArrayList<>();
    boolean found = false;
    for (NodeTuple tuple : tuples(node)) {
      if (key(tuple).equals(path.getFirst())) {
        found = true;
        Node changed = with(tuple.getValueNode(), path.subList(1, path.size()), value);
        tuples.add(new NodeTuple(tuple.getKeyNode(), changed));
      } else {
        tuples.add(tuple);
      }
    }
    if (!found) {
      Node inner = with(mapping(value, List.of()), path.subList(1, path.size()), value);
      tuples.add(new NodeTuple(scalar(path.getFirst(), value), inner));
    }
    return mapping(node, tuples);
  }

  /** The same fields without some. */
  static Node without(Node node, List<String> keys) {
    return mapping(
        node, tuples(node).stream().filter(tuple -> !keys.contains(key(tuple))).toList());
  }

  /** The value at a path; empty where there is none. */
  static Optional<Node> at(Node node, List<String> path) {
    Optional<Node> found = Optional.of(node);
    for (String word : path) {
      found =
          found.flatMap(inside ->
              tuples(inside).stream()
                  .filter(tuple -> key(tuple).equals(word))
                  .map(NodeTuple::getValueNode)
                  .findFirst());
    }
    return found;
  }

  /** Fields, at the place of another node. */
  static MappingNode mapping(Node place, List<NodeTuple> tuples) {
    FlowStyle style = place instanceof MappingNode same ? same.getFlowStyle() : FlowStyle.FLOW;
    return new MappingNode(
        Tag.MAP, true, new ArrayList<>(tuples), style, place.getStartMark(), place.getEndMark());
  }

  private static List<NodeTuple> tuples(Node node) {
    return node instanceof MappingNode mapping ? mapping.getValue() : List.of();
  }

  private static String key(NodeTuple tuple) {
    return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
  }

  /** The tree as a YAML document. */
  static String yaml(Node node) {
    StringBuilder text = new StringBuilder();
    StreamDataWriter writer =
        new StreamDataWriter() {
          @Override
          public void write(String part) {
            text.append(part);
          }

          @Override
          public void write(String part, int offset, int length) {
            text.append(part, offset, offset + length);
          }
        };
    new Dump(DumpSettings.builder().build()).dumpNode(node, writer);
    return text.toString();
  }

  /**
   * The tree as a text that two trees share if and only if they say the same: fields in the order
   * of their names, no comments, and words and numbers told from quoted texts.
   */
  static String canonical(Node node) {
    return switch (node) {
      case MappingNode mapping -> {
        List<NodeTuple> sorted = new ArrayList<>(mapping.getValue());
        sorted.sort(Comparator.comparing(NodeTrees::key));
        List<String> fields = new ArrayList<>();
        for (NodeTuple tuple : sorted) {
          fields.add(quoted(key(tuple)) + ":" + canonical(tuple.getValueNode()));
        }
        yield "{" + String.join(",", fields) + "}";
      }
      case SequenceNode sequence ->
          "["
              + String.join(",", sequence.getValue().stream().map(NodeTrees::canonical).toList())
              + "]";
      case ScalarNode scalar ->
          (scalar.getScalarStyle() == ScalarStyle.PLAIN ? "" : "'") + quoted(scalar.getValue());
      default -> throw new IllegalArgumentException("a node of type " + node.getNodeType());
    };
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** The words of a value in a table: a word as it is, anything else as its canonical text. */
  static String label(Node node) {
    return node instanceof ScalarNode scalar ? scalar.getValue() : canonical(node);
  }

  /** A list's elements, or the single value that stands in its place. */
  static List<Node> elements(Node node) {
    return node instanceof SequenceNode sequence
        ? Collections.unmodifiableList(sequence.getValue())
        : List.of(node);
  }
}
