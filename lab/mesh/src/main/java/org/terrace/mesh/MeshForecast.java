package org.terrace.mesh;

import java.util.List;
import org.terrace.experiment.Load;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.specification.Keep;
import org.terrace.specification.MeshSpecification;
import org.terrace.specification.PlannedTrial;

/**
 * The work that a mesh still has, and what it will take. Immutable.
 *
 * @param name the mesh's name
 * @param configurations its configurations
 * @param loads the loads of a configuration, at most
 * @param repeats the repeats of each load
 * @param trials all trials
 * @param done those that are done already and count
 * @param method how trials are chosen
 * @param most the most of the others that will be run: all of them unless there is a search
 * @param seconds the time that so many will take, about
 * @param bytes the disk that they will take, about, with the budget of {@link Keep}
 * @param order the trials that are not done, in the order in which they are run; of a search those
 *     that it may choose, in the order of the specification
 */
public record MeshForecast(
    String name,
    int configurations,
    int loads,
    int repeats,
    int trials,
    int done,
    SearchMethod method,
    int most,
    double seconds,
    long bytes,
    List<PlannedTrial> order) {
  /** The time to deploy and to analyse a trial, where none is done yet. */
  static final double USUAL_OVERHEAD_SECONDS = 12;

  /** The disk of a trial's report, logs and tables, where none is done yet. */
  static final long USUAL_BYTES = 2L << 20;

  /** The packets of a page that a user gets: its own, and those behind it. */
  static final long USUAL_PACKET_BYTES_A_PAGE = 30_000;

  /** Copies the order. */
  public MeshForecast {
    order = List.copyOf(order);
  }

  /**
   * The forecast of a mesh some of whose trials are done. A search is taken to choose trials that
   * are as long and as large as the others, in the mean.
   */
  static MeshForecast of(
      MeshSpecification mesh,
      List<PlannedTrial> order,
      int most,
      List<Spent> spent,
      long presentBytes) {
    double overhead =
        spent.stream().mapToDouble(Spent::overheadSeconds).average().orElse(USUAL_OVERHEAD_SECONDS);
    double seconds = 0;
    long bytes = 0;
    for (PlannedTrial trial : order) {
      seconds += Spent.phaseSeconds(trial) + Math.max(0, overhead);
      bytes += bytes(trial, mesh.keep(), spent);
    }
    double part = order.isEmpty() ? 0 : (double) most / order.size();
    seconds *= part;
    bytes = Math.round(bytes * part);
    if (mesh.keep().budgetBytes() < Long.MAX_VALUE) {
      bytes = Math.clamp(mesh.keep().budgetBytes() - presentBytes, 0, bytes);
    }
    return new MeshForecast(
        mesh.name(),
        (int) mesh.trials().stream().map(PlannedTrial::configuration).distinct().count(),
        (int) mesh.trials().stream().mapToInt(PlannedTrial::users).distinct().count(),
        mesh.trials().stream().mapToInt(PlannedTrial::repeat).max().orElse(-1) + 1,
        mesh.trials().size(),
        mesh.trials().size() - order.size(),
        mesh.search().method(),
        most,
        seconds,
        bytes,
        order);
  }

  private static long bytes(PlannedTrial trial, Keep keep, List<Spent> spent) {
    if (!spent.isEmpty()) {
      return Math.round(spent.stream().mapToLong(Spent::bytes).average().orElse(0));
    }
    boolean packets = trial.experiment().observe().packets() && keep.packets() == Keep.Packets.ALL;
    return USUAL_BYTES + (packets ? Math.round(Spent.pages(trial) * USUAL_PACKET_BYTES_A_PAGE) : 0);
  }

  /**
   * The time and disk that a trial took. Immutable.
   *
   * @param overheadSeconds its time beyond the phases of its load
   * @param bytes its folder
   */
  record Spent(double overheadSeconds, long bytes) {
    static double phaseSeconds(PlannedTrial trial) {
      return trial.experiment().phases().total().toNanos() / 1e9;
    }

    /** The pages that the users of a trial ask for when none of them has to wait. */
    static double pages(PlannedTrial trial) {
      return switch (trial.experiment().load()) {
        case Load.Closed(int users, var think) ->
            users * phaseSeconds(trial) / Math.max(0.1, think.mean().toNanos() / 1e9);
        case Load.Open(double rate) -> rate * phaseSeconds(trial);
      };
    }
  }
}
