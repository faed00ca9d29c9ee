package org.terrace.collections.causality;

/** Hashes that stand for dots in sums and choices: equal on every replica. Stateless. */
public final class Fingerprints {
  private Fingerprints() {}

  /** The number that stands for that writer's update among all updates. */
  public static long of(long writer, long sequence) {
    return mix(mix(writer) + sequence);
  }

  /** The finalizer of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators". */
  public static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
