package org.terrace.collections.structures;

/** A hash of numbers, equal on every replica. Stateless. */
public final class BitMixer {
  private BitMixer() {}

  /**
   * A number whose bits depend on all bits of the given one: the finalizer of Steele, Lea and
   * Flood, "Fast Splittable Pseudorandom Number Generators".
   */
  public static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
