package org.terrace.experiment.spec;

import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** Turns a node of a YAML tree into a value, or reports what is wrong with it. */
@FunctionalInterface
public interface ValueReader<T> {
  /** The value; empty when it is wrong, which has then been reported. */
  Optional<T> read(Node node, String key, Problems problems);
}
