package org.terrace.collections.gossip;

import org.terrace.collections.replication.ChangeCause;
import org.terrace.groups.VersionedKind;

/**
 * The kinds of messages between replicas: the first byte of each, with the version of the protocol
 * in its upper half ({@link VersionedKind}). A message of a version that is not understood is
 * refused and counted. Versions 3 and 4 do not differ in what follows; earlier builds of both pass
 * over the course of the agreed time at the end of a digest.
 */
public final class Message {
  /** Updates: some of one or more writers. */
  public static final int DELTAS = 1;

  /** The message that tells how far the sender has applied the receiver's updates. */
  public static final int ACK = 2;

  /** Ranges of updates that the sender wants again. */
  public static final int REQUEST = 3;

  /** The message of all that the sender has applied, and a fingerprint of its entries. */
  static final int DIGEST = 4;

  /** Asks for coded symbols of the receiver's entries. */
  static final int SKETCH_REQUEST = 5;

  /** Coded symbols of the sender's entries. */
  static final int SKETCH = 6;

  /** Asks for the entries of some fingerprints. */
  static final int FETCH = 7;

  /** Some entries. */
  static final int ENTRIES = 8;

  /** Asks for the next part of all entries. */
  static final int BULK_REQUEST = 9;

  /** A part of all entries. */
  static final int BULK = 10;

  /** The receiver of a digest is to answer what it lacks. */
  static final int FLAG_ANSWER = 1;

  /** The receiver of updates is to acknowledge them. */
  public static final int FLAG_ACKNOWLEDGE = 1;

  /** The sender of a digest can no longer send again some update that the receiver lacks. */
  static final int FLAG_LOG_CUT = 2;

  /** The receiver of a digest is to answer with its own, whatever either lacks. */
  static final int FLAG_TELL = 4;

  /**
   * Whether a message is one of gossip. Updates, their acknowledgements and the resending of what
   * was not acknowledged are not; nor is the transfer of all entries, which has its own pace.
   */
  public static boolean isGossip(byte[] message) {
    return switch (VersionedKind.kindOf(message[0])) {
      case DIGEST, SKETCH_REQUEST, SKETCH, FETCH, ENTRIES -> true;
      case DELTAS -> (message[1] & FLAG_ACKNOWLEDGE) == 0;
      default -> false;
    };
  }

  /** Whether messages of that kind bring what the receiver may lack. */
  public static boolean bringsState(int kind) {
    return switch (kind) {
      case DELTAS, SKETCH, ENTRIES, BULK -> true;
      default -> false;
    };
  }

  private Message() {}

  /** The cause of the changes by updates that came with these flags. */
  public static ChangeCause causeOf(int flags) {
    return (flags & FLAG_ACKNOWLEDGE) != 0 ? ChangeCause.REMOTE : ChangeCause.REPAIR;
  }
}
