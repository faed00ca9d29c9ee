package org.terrace.collections.spring.cache;

import java.time.Duration;
import java.util.List;
import org.terrace.collections.replication.WriteLevel;

/**
 * The settings of a {@link TerraceCache}; those of one name are the same at all servers. Immutable.
 *
 * @param timeToLive how long a value stays after it was put; zero for ever
 * @param entriesMax how many values there may be before the oldest go; zero for any number
 * @param keepsNull whether null is kept as a result like any other
 * @param admitted names of the classes that keys and values may hold beside values and collections
 *     of the JDK; {@code package.*} for those of a package, {@code package.**} for those of its
 *     sub-packages too
 * @param evictionLevel how many servers have removed what is evicted before the call returns; what
 *     is put is never waited for, as it can be computed again
 */
public record TerraceCacheOptions(
    Duration timeToLive,
    long entriesMax,
    boolean keepsNull,
    List<String> admitted,
    WriteLevel evictionLevel) {
  /** Checks the ranges. */
  public TerraceCacheOptions {
    admitted = List.copyOf(admitted);
    if (timeToLive.isNegative() || entriesMax < 0) {
      throw new IllegalArgumentException("timeToLive and entriesMax are not negative");
    }
  }

  /**
   * The default options: nothing goes by itself, null is kept, values are of the JDK alone,
   * evictions wait for all servers.
   */
  public static TerraceCacheOptions defaults() {
    return new TerraceCacheOptions(Duration.ZERO, 0, true, List.of(), WriteLevel.ALL);
  }

  /** The same with another time to live. */
  public TerraceCacheOptions withTimeToLive(Duration newTimeToLive) {
    return new TerraceCacheOptions(newTimeToLive, entriesMax, keepsNull, admitted, evictionLevel);
  }

  /** The same with another bound. */
  public TerraceCacheOptions withEntriesMax(long newEntriesMax) {
    return new TerraceCacheOptions(timeToLive, newEntriesMax, keepsNull, admitted, evictionLevel);
  }

  /** The same, keeping null or refusing it. */
  public TerraceCacheOptions withNull(boolean newKeepsNull) {
    return new TerraceCacheOptions(timeToLive, entriesMax, newKeepsNull, admitted, evictionLevel);
  }

  /** The same with other classes. */
  public TerraceCacheOptions withAdmitted(List<String> classes) {
    return new TerraceCacheOptions(timeToLive, entriesMax, keepsNull, classes, evictionLevel);
  }

  /** The same with another level of evictions. */
  public TerraceCacheOptions withEvictionLevel(WriteLevel level) {
    return new TerraceCacheOptions(timeToLive, entriesMax, keepsNull, admitted, level);
  }
}
