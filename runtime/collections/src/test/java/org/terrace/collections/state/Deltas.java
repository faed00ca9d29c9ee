package org.terrace.collections.state;

import org.terrace.collections.replication.ChangeCause;
import org.terrace.collections.structures.messages.Delta;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/** Updates as they travel, read and changed by faults on purpose. */
public final class Deltas {
  private Deltas() {}

  /** The update of these bytes. */
  public static Delta decode(byte[] bytes) {
    return Delta.decode(new Decoder(bytes));
  }

  /** Whether it puts something into the collection of that name. */
  public static boolean isPutInto(Delta delta, String collection) {
    return delta.value() != null && delta.store() == Store.numberOf(collection);
  }

  /** The same put at another key. */
  public static byte[] withKey(Delta delta, byte[] key) {
    return new Delta(
            delta.store(),
            key,
            delta.superseded(),
            delta.stamp(),
            delta.expiresMillis(),
            delta.value(),
            delta.order())
        .encode(new Encoder());
  }

  /** Whether an update removes what there is too much of, or what is over. */
  public static boolean isHousekeeping(ChangeCause cause) {
    return cause == ChangeCause.EVICTED || cause == ChangeCause.EXPIRED;
  }
}
