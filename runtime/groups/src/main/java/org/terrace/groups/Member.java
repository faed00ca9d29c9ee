package org.terrace.groups;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * One incarnation of one process in a group: a process that restarts under the same name is a new
 * member.
 *
 * <p>The identity packs the name (a 22-bit hash) and the start of this incarnation (42 bits, in
 * units of 1/1024 second since 2020, good until 2159) into one long, so that it costs 8 bytes in
 * messages and is never used twice. Two names whose hashes collide cannot be in one group: the
 * second is refused with a message that says so. Immutable.
 *
 * @param name the name of the process, unique in its group, 1 to {@value #NAME_LENGTH_MAX}
 *     characters
 * @param id the identity of this incarnation
 * @param address where it receives
 */
public record Member(String name, long id, InetSocketAddress address) {
  /** Longest name of a member. */
  public static final int NAME_LENGTH_MAX = 100;

  private static final int INCARNATION_BITS = 42;
  private static final long INCARNATION_MASK = (1L << INCARNATION_BITS) - 1;
  private static final long ORIGIN_EPOCH_NANOS = 1_577_836_800_000_000_000L;
  private static final long UNIT_NANOS = 976_562;

  /** Checks the name and that the identity belongs to it. */
  public Member {
    if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a member's name has 1 to " + NAME_LENGTH_MAX + " characters: '" + name + "'");
    }
    if (id >>> INCARNATION_BITS != hash(name)) {
      throw new IllegalArgumentException(
          "identity " + Long.toHexString(id) + " does not belong to the name '" + name + "'");
    }
  }

  /**
   * The identity of the incarnation of the named process that starts at the given wall-clock time.
   */
  public static long idAt(String name, long epochNanos) {
    long incarnation =
        Math.clamp((epochNanos - ORIGIN_EPOCH_NANOS) / UNIT_NANOS, 1, INCARNATION_MASK);
    return hash(name) << INCARNATION_BITS | incarnation;
  }

  /**
   * The identity of an incarnation that follows all the given ones of the same process, or starts
   * at the given time if that is later: a clock that was set back cannot bring an identity back.
   */
  public static long idAfter(String name, long epochNanos, long previousId) {
    long id = idAt(name, epochNanos);
    return replicaOf(previousId) == replicaOf(id) && id <= previousId ? previousId + 1 : id;
  }

  /**
   * The number that all incarnations of one process have in common: the hash of their name, 0 to
   * 2^22 - 1.
   */
  public static long replicaOf(long id) {
    return id >>> INCARNATION_BITS;
  }

  /** The number that all incarnations of the process of that name have in common. */
  public static long replicaOf(String name) {
    return hash(name);
  }

  /** The lowest identity that an incarnation of the same process could have. */
  public static long firstIncarnationOf(long id) {
    return id & ~INCARNATION_MASK;
  }

  /** Whether this and that are incarnations of one process. */
  public boolean isSameProcessAs(Member other) {
    return replicaOf(id) == replicaOf(other.id);
  }

  @Override
  public String toString() {
    return name + "#" + Long.toHexString(id & INCARNATION_MASK);
  }

  private static long hash(String name) {
    CRC32C crc = new CRC32C();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    return crc.getValue() & ((1L << (Long.SIZE - INCARNATION_BITS)) - 1);
  }
}
