package org.terrace.collections.gossip;

import org.terrace.core.codec.Decoder;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/** An event that anti-entropy takes ({@link AntiEntropy#step}). */
public sealed interface GossipEvent {
  /** The period of gossip has passed. */
  record Round() implements GossipEvent {}

  /** The replica is to compare itself with another one before the round is due. */
  record Compare() implements GossipEvent {}

  /** The group looks otherwise. */
  record ViewChanged(View view) implements GossipEvent {}

  /**
   * A message of gossip or of state transfer has come.
   *
   * @param kind its first byte, see {@link Message}
   * @param message what follows
   */
  record Received(Member from, int kind, Decoder message) implements GossipEvent {}

  /** The replica of that name is to be forgotten. */
  record Forget(String name) implements GossipEvent {}

  /**
   * The replica is to leave the group for good.
   *
   * @param hasCheckpoint whether a checkpoint of it is left, of which {@link CheckpointDiscarded}
   *     says that it is gone
   */
  record Leave(boolean hasCheckpoint) implements GossipEvent {}

  /** No checkpoint of the replica that is leaving is left on any disk. */
  record CheckpointDiscarded() implements GossipEvent {}
}
