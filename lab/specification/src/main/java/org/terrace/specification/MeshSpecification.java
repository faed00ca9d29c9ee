package org.terrace.specification;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
   * The mesh of all trials of some meshes, which are searched for nothing and take turns.
   *
   * @param parts the meshes, at least one, of which no two have a trial in common; the first says
   *     how often a trial is tried, what stays of it, and the seed
   */
  public static MeshSpecification joined(String name, List<MeshSpecification> parts) {
    MeshSpecification first = parts.getFirst();
    return new MeshSpecification(
        name,
        parts.stream().flatMap(part -> part.trials().stream()).toList(),
        first.attempts(),
        first.keep(),
        first.seed(),
        SearchRules.ALL);
  }

  /**
   * The trials in the order in which they are run: all first repeats in random order, then all
   * second ones and so on, so that whatever changes on the machine meanwhile meets every
   * configuration alike, and an interrupted mesh has few gaps. Trials of a repeat that share
   * servers follow one another, in random order too, so that data that grow meet every load alike.
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
      order.addAll(sharersTogether(block));
    }
    return List.copyOf(order);
  }

  /** The same trials with those behind one another that share servers, where the first one was. */
  private static List<PlannedTrial> sharersTogether(List<PlannedTrial> trials) {
    Map<Object, List<PlannedTrial>> groups = new LinkedHashMap<>();
    for (PlannedTrial trial : trials) {
      Object servers = trial.sharesServers() ? trial.experiment().asDeployed() : new Object();
      groups.computeIfAbsent(servers, _ -> new ArrayList<>()).add(trial);
    }
    return groups.values().stream().flatMap(List::stream).toList();
  }

  /** The course of the mesh: all trials in the order of {@link #runOrder}, or a search. */
  public SearchCourse course() {
    List<PlannedTrial> order = search.method() == SearchMethod.FULL ? runOrder() : trials;
    return new SearchCourse(search, order.stream().map(PlannedTrial::candidate).toList());
  }
}
