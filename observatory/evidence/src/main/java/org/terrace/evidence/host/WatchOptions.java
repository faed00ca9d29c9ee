package org.terrace.evidence.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way a host is watched. Immutable.
 *
 * @param node the name of the host
 * @param every the time between two readings, {@link #SHORTEST} to {@link #LONGEST}
 * @param length how long it is watched; null until it is stopped
 * @param groups folders of control groups by the name of the server in each; those that have a
 *     quota are found besides, and are the host's
 */
public record WatchOptions(
    String node, Duration every, @Nullable Duration length, Map<String, Path> groups) {
  /** The shortest time between two readings. */
  public static final Duration SHORTEST = Duration.ofMillis(10);

  /** The longest: a second, beyond which a transient bottleneck is gone before it is seen. */
  public static final Duration LONGEST = Duration.ofSeconds(1);

  /** The name of a host that was given none. */
  public static final String HOST = "machine";

  /** Checks the range and copies the groups. */
  public WatchOptions {
    groups = Map.copyOf(groups);
    if (every.compareTo(SHORTEST) < 0 || every.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          every.toMillis()
              + " ms is out of range; expected "
              + SHORTEST.toMillis()
              + " ms to "
              + LONGEST.toMillis()
              + " ms");
    }
    if (length != null && length.compareTo(every) < 0) {
      throw new IllegalArgumentException("the time to watch is shorter than one reading");
    }
  }
}
