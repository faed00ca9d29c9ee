package org.terrace.studies.magical;

import java.time.Duration;
import java.util.List;

/**
 * The setting of a run. Immutable.
 *
 * @param applications which of the seven
 * @param middlewares {@code published}, or names of middlewares
 * @param configurations of each application, in the order of their design
 * @param calls measured in each configuration, of all clients together
 * @param warmUp calls before those, which are not measured
 * @param kills crashes of the primary of each application
 * @param killInterval the least time between two
 */
record Setting(
    List<Subject> applications,
    List<String> middlewares,
    List<MagicalConfiguration> configurations,
    int calls,
    int warmUp,
    int kills,
    Duration killInterval) {
  /** The word for the middleware of the application's team. */
  static final String PUBLISHED = "published";

  /** The time for which the client of the crashes waits after a reply. */
  static final Duration THINK_WITH_KILLS = Duration.ofMillis(20);

  Setting {
    applications = List.copyOf(applications);
    middlewares = List.copyOf(middlewares);
    configurations = List.copyOf(configurations);
  }
}
