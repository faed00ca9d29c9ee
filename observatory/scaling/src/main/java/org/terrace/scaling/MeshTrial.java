package org.terrace.scaling;

import java.util.List;

/**
 * One trial of a mesh: a configuration under a load, measured once. Immutable.
 *
 * @param key the digest of what decides the trial, unique in its mesh
 * @param status whether it was done
 * @param configuration the servers and settings
 * @param users the emulated users
 * @param repeat the number of the repeat, from 0
 * @param seconds the length of the run phase, above 0 if the trial was done
 * @param classes the outcome of each class of requests in the run phase; empty unless done
 * @param throughputPerSecond requests that were answered without an error, per second of the run
 *     phase
 * @param utilisation the samples of each node's resources in the run phase
 * @param folder the trial's folder, relative to the mesh's
 * @param earlier why each attempt at the trial before the last one did not count, in their order;
 *     empty if there was none
 * @param failure why the last attempt does not count; empty where it is not told or the trial did
 *     not fail
 */
public record MeshTrial(
    String key,
    Status status,
    Configuration configuration,
    int users,
    int repeat,
    double seconds,
    List<ClassOutcome> classes,
    double throughputPerSecond,
    List<Utilisation> utilisation,
    String folder,
    List<String> earlier,
    String failure) {

  /** Whether a trial was done. */
  public enum Status {
    /** Measured, and valid. */
    DONE,
    /** Tried, and failed or not valid; its folder has the logs. */
    FAILED,
    /** Left out, for example because a search had no need of it. */
    SKIPPED
  }

  /** Copies the lists and checks the figures. */
  public MeshTrial {
    classes = List.copyOf(classes);
    utilisation = List.copyOf(utilisation);
    earlier = List.copyOf(earlier);
    if (users < 1 || repeat < 0) {
      throw new IllegalArgumentException(
          "trial "
              + key
              + " has "
              + users
              + " users, repeat "
              + repeat
              + "; expected 1, 0 or more");
    }
    if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)
        || !(throughputPerSecond >= 0 && throughputPerSecond < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "trial " + key + ": seconds and throughput are finite and not negative");
    }
    if (status == Status.DONE && seconds == 0) {
      throw new IllegalArgumentException("trial " + key + " was done in no time");
    }
  }

  /** A trial of which the first attempt is the last, or that was not tried. */
  public MeshTrial(
      String key,
      Status status,
      Configuration configuration,
      int users,
      int repeat,
      double seconds,
      List<ClassOutcome> classes,
      double throughputPerSecond,
      List<Utilisation> utilisation,
      String folder) {
    this(
        key,
        status,
        configuration,
        users,
        repeat,
        seconds,
        classes,
        throughputPerSecond,
        utilisation,
        folder,
        List.of(),
        "");
  }

  /** The same measurement as that of another place in a mesh. */
  public MeshTrial at(Configuration place, int usersThere, int repeatThere) {
    return new MeshTrial(
        key,
        status,
        place,
        usersThere,
        repeatThere,
        seconds,
        classes,
        throughputPerSecond,
        utilisation,
        folder,
        earlier,
        failure);
  }

  /** The same trial with other readings of its resources. */
  public MeshTrial withUtilisation(List<Utilisation> readings) {
    return with(readings, folder, earlier, failure);
  }

  /** The same trial where its folder lies elsewhere from the place that it is seen from. */
  public MeshTrial withFolder(String elsewhere) {
    return with(utilisation, elsewhere, earlier, failure);
  }

  /**
   * The same trial after other attempts at it.
   *
   * @param reasons why each of them did not count
   */
  public MeshTrial withEarlier(List<String> reasons) {
    return with(utilisation, folder, reasons, failure);
  }

  /** The same trial with the reason for which its last attempt does not count. */
  public MeshTrial withFailure(String reason) {
    return with(utilisation, folder, earlier, reason);
  }

  /** The attempts at the trial, that of its figures included. */
  public int attempts() {
    return earlier.size() + 1;
  }

  private MeshTrial with(
      List<Utilisation> readings, String place, List<String> before, String reason) {
    return new MeshTrial(
        key,
        status,
        configuration,
        users,
        repeat,
        seconds,
        classes,
        throughputPerSecond,
        readings,
        place,
        before,
        reason);
  }

  /** Whether the trial was done. */
  public boolean isDone() {
    return status == Status.DONE;
  }
}
