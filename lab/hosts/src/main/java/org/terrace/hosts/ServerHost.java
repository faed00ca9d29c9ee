package org.terrace.hosts;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.terrace.evidence.MonotonicClock;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Host;
import org.terrace.nodes.fault.Hold;

/**
 * A host on which servers of a trial run, with all that is done to them there: limits, watch,
 * faults, capture, files. Times are by the host's clock unless it is said otherwise. Failures are
 * {@link org.terrace.core.TerraceException}s that name the host. Thread-safe.
 */
public interface ServerHost extends Host, AutoCloseable {
  /** The host as it describes itself. */
  HostFacts facts();

  /**
   * The multiple of the reference machine's time that a core of the host takes, by which limits are
   * calibrated; measured each time, which takes half a second of processor time there.
   */
  double slowdown();

  /**
   * Checks that nobody listens at some endpoints of this host, and claims their addresses for this
   * trial: another one there would see its packets.
   *
   * @throws org.terrace.core.TerraceException if somebody does, with a line for each, or another
   *     trial has an address
   */
  void requireFree(List<Endpoint> endpoints);

  /**
   * The command that starts a server within its limit of processor time, which is not in force
   * before {@link ServerWatch#enforceLimits}. A server keeps its limit when it is started again.
   *
   * @param cores the processor time it gets
   * @return the same command where limits are not permitted
   */
  List<String> limited(String server, double cores, List<String> command);

  /**
   * The command that starts a server within its limit of memory, in force at once; asked for after
   * {@link #limited}. A server keeps its limit when it is started again.
   *
   * @throws org.terrace.core.TerraceException if the host does not permit it, with the reason
   */
  List<String> memoryLimited(String server, long bytes, List<String> command);

  /**
   * The command that starts a server whose storage is limited, in force and proved from {@link
   * #watch} on. A server keeps its limit when it is started again.
   *
   * @param bytesPerSecond the most that is read, and the most that is written
   * @throws org.terrace.core.TerraceException if the host does not permit it, with the reason
   */
  List<String> diskLimited(String server, long bytesPerSecond, List<String> command);

  /**
   * Lifts the limits of processor time of all servers until {@link ServerWatch#enforceLimits}, and
   * those of storage until the next watch.
   */
  void liftLimits();

  /** A database server, of which nothing is prepared. */
  DatabaseServer database(DatabasePlan plan);

  /**
   * Checks that the host permits a fault from outside.
   *
   * @throws org.terrace.core.TerraceException if it does not, with the reason
   */
  void requirePermitted(HoldPlan plan);

  /** The means of a fault from outside, which has not begun. */
  Hold hold(HoldPlan plan);

  /** Starts to watch what servers use. */
  ServerWatch watch(WatchPlan plan);

  /** Starts to capture. */
  HostCapture capture(CapturePlan plan);

  /** Writes a file on the host, whole or not at all. */
  void put(Path file, String content);

  /** Copies a file of the host into one of this machine, whole or not at all. */
  default void fetch(Path there, Path here) {
    fetch(there, here, _ -> {});
  }

  /**
   * Copies a file as {@link #fetch(Path, Path)} does, and tells of the progress.
   *
   * @param progress told how much of a large file has come, in lines
   */
  void fetch(Path there, Path here, Consumer<String> progress);

  /** The distance between the host's two clocks. */
  MonotonicClock monotonicClock();

  /** The distance between the host's clock and this machine's, in one figure for all times. */
  ClockOffset clockOffset();

  /** The host's clock, whose times it puts on this machine's as the distance was at each. */
  HostClock clock();

  /** Ends all that was started on the host, heals what was broken, and deletes its folder. */
  @Override
  void close();
}
