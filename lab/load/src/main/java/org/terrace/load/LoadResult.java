package org.terrace.load;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.terrace.observation.Event;
import org.terrace.observation.Outcome;
import org.terrace.observation.RequestTable;

/**
 * The outcome of a run of load. Immutable.
 *
 * @param plan what was to be done
 * @param requests one row a page, from all phases: the server is {@code clients}, the class the
 *     state's name, the client {@code user-N} (the emulated user, who may have had many sessions);
 *     intended is when the user was due to ask, arrival when it began to, connecting included
 * @param phases the events {@code phase-ramp-up}, {@code phase-run} and {@code phase-ramp-down} of
 *     node {@code clients}, with their real times
 * @param validity the checks of the generator; a run that fails one is not to be trusted
 * @param generator the figures behind those checks
 * @param failures pages by how they ended, from all phases; kinds that did not occur are absent
 */
public record LoadResult(
    LoadPlan plan,
    RequestTable requests,
    List<Event> phases,
    List<LoadCheck> validity,
    GeneratorFacts generator,
    Map<Failure, Long> failures) {

  /** The file in the output directory that holds everything but the requests. */
  public static final String SUMMARY_FILE = "load.json";

  /** The file in the output directory that holds the requests. */
  public static final String REQUESTS_FILE = "load-requests.bin";

  /** The name of the check that the users' connections came about. */
  public static final String CONNECTIONS = "connections";

  /** The part of the pages whose connections may be refused or unanswered. */
  public static final double MOST_UNCONNECTED = 0.01;

  /** Copies the collections. */
  public LoadResult {
    phases = List.copyOf(phases);
    validity = List.copyOf(validity);
    EnumMap<Failure, Long> copy = new EnumMap<>(Failure.class);
    copy.putAll(failures);
    failures = Map.copyOf(copy);
  }

  /** Whether nothing was sent for the page of a row, as when its connection was refused. */
  public static boolean isUnsent(RequestTable requests, int row) {
    return requests.outcome(row) == Outcome.ABORTED && requests.bytesIn(row) == 0;
  }

  /** Whether every check passed. */
  public boolean valid() {
    return validity.stream().allMatch(LoadCheck::passed);
  }

  /**
   * Reads the result of a run from its output directory.
   *
   * @throws org.terrace.core.TerraceException if a file is missing, damaged or incomplete
   */
  public static LoadResult read(Path directory) {
    return LoadResultFiles.read(directory);
  }
}
