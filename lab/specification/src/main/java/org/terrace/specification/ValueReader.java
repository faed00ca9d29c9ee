package org.terrace.specification;

import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** A function from a node of a YAML tree to a value, which reports what is wrong with the node. */
@FunctionalInterface
public interface ValueReader<T> {
  /** The value; empty when it is wrong, which has then been reported. */
  Optional<T> read(Node node, String key, Problems problems);
}
