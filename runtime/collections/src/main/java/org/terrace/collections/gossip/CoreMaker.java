package org.terrace.collections.gossip;

import java.util.random.RandomGenerator;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.structures.HybridClock;
import org.terrace.groups.View;

/** The making of a replica's core: the constructor of {@link AntiEntropy}, but in tests. */
public interface CoreMaker {
  /** A core of these parts, as the constructor of {@link AntiEntropy} takes them. */
  AntiEntropy make(
      View view,
      ReplicaState state,
      HybridClock clock,
      int messageBytesMax,
      RandomGenerator random);
}
