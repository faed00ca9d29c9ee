package org.terrace.protocols.text;

/**
 * The memory that the decoders of all connections may take together for partial messages, pipelined
 * requests and names of statements. Confined to one thread.
 */
public final class MemoryBudget {
  private static final int BYTES_MAX = 32 << 20;

  private int taken;

  /** Takes memory; false, and nothing taken, when there is not so much. */
  public boolean take(int bytes) {
    if (bytes > BYTES_MAX - taken) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /** Gives back memory that was taken. */
  public void giveBack(int bytes) {
    taken -= bytes;
  }

  /** The bytes that are taken now. */
  public int taken() {
    return taken;
  }
}
