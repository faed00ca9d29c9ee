package org.terrace.benchmarks.collections;

/** The guarantee that a put has achieved when it returns. Only equal levels are compared. */
enum Level {
  /** The caller's server has the value. */
  LOCAL,
  /** One server that owns the key has it, and the others will get it. */
  OWNER,
  /** Two of three servers have it. */
  TWO,
  /** All three servers have it. */
  ALL,
  /** One database has it, in memory alone. */
  ONE_COPY,
  /** One database has it on its disk. */
  DISK;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
