package org.terrace.collections.structures;

import java.util.zip.CRC32C;

/**
 * Hashes that stand for dots and contents in sums and choices: equal on every replica. Stateless.
 */
public final class Fingerprints {
  private Fingerprints() {}

  /** The number that stands for that writer's update among all updates. */
  public static long of(long writer, long sequence) {
    return mix(mix(writer) + sequence);
  }

  /**
   * A digest of all that an entry is beside its dot, from its bytes as its writer made them. It
   * finds damage, not forgery. Takes tens of nanoseconds for a hundred bytes.
   */
  public static int ofContent(
      long store, byte[] key, long stamp, long expiresMillis, byte[] value) {
    CRC32C crc = new CRC32C();
    crc.update(key, 0, key.length);
    long ofKey = crc.getValue();
    crc.update(value, 0, value.length);
    long bytes = mix(ofKey << Integer.SIZE | crc.getValue()) + key.length;
    return (int) mix(mix(mix(bytes + store) + stamp) + expiresMillis);
  }

  /** The number that stands for an entry among all entries, given that of its dot. */
  public static long ofEntry(long ofDot, int contentDigest) {
    return mix(ofDot + contentDigest);
  }

  /** See {@link BitMixer}. */
  public static long mix(long value) {
    return BitMixer.mix(value);
  }
}
