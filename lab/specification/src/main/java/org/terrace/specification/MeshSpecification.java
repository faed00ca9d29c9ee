package org.terrace.specification;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.search.SearchCourse;
import org.terrace.scaling.search.SearchRules;

/**
 * A mesh as it was specified: its trials and what becomes of them. Immutable.
 *
 * @param name its name, lower-case words joined by hyphens
 * @param trials all trials: configuration by configuration, each under every load, each load as
 *     often as it is repeated
 * @param attempts how often a trial is tried that fails, 1 to {@value #MOST_ATTEMPTS}
 * @param keep what stays of each trial
 * @param seed the seed of the order in which trials are run
 * @param search how trials are chosen
 */
public record MeshSpecification(
    String name,
    List<PlannedTrial> trials,
    int attempts,
    Keep keep,
    long seed,
    SearchRules search) {
  /** The kind of specification that a mesh is. */
  public static final String KIND = "Mesh";

  /** The most trials of one mesh. */
  public static final int MOST_TRIALS = 10_000;

  /** The most often that a trial is tried. */
  public static final int MOST_ATTEMPTS = 10;

  /** Copies the trials. */
  public MeshSpecification {
    trials = List.copyOf(trials);
  }

  /**
   * The trials in the order in which they are run: all first repeats in random order, then all
   * second ones and so on, so that whatever changes on the machine meanwhile meets every
   * configuration alike, and an interrupted mesh has few gaps.
   */
  public List<PlannedTrial> runOrder() {
    Random random = new Random(seed);
    List<PlannedTrial> order = new ArrayList<>();
    int repeats = trials.stream().mapToInt(PlannedTrial::repeat).max().orElse(0) + 1;
    for (int repeat = 0; repeat < repeats; repeat++) {
      int wanted = repeat;
      List<PlannedTrial> block =
          new ArrayList<>(trials.stream().filter(trial -> trial.repeat() == wanted).toList());
      Collections.shuffle(block, random);
      order.addAll(block);
    }
    return List.copyOf(order);
  }

  /** The course of the mesh: all trials in the order of {@link #runOrder}, or a search. */
  public SearchCourse course() {
    List<PlannedTrial> order = search.method() == SearchMethod.FULL ? runOrder() : trials;
    return new SearchCourse(search, order.stream().map(PlannedTrial::candidate).toList());
  }
}
