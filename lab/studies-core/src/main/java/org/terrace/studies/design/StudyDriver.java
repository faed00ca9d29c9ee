package org.terrace.studies.design;

import java.nio.file.Path;
import java.util.List;
import org.terrace.analysis.study.StudyFindings;

/** The program of a study, which repeats one paper's measurements. Stateless. */
public interface StudyDriver {

  /** The claims it judges: a specification holds exactly these. */
  List<String> claims();

  /** Whether it breaks the network, and so wants one of its own where it may have it. */
  default boolean breaksNetwork() {
    return false;
  }

  /** Whether it captures packets, and so takes the right to. */
  default boolean capturesPackets() {
    return false;
  }

  /**
   * Whether a run goes on with what an earlier one left in the same directory, however that ended.
   */
  default boolean resumes() {
    return false;
  }

  /** The work to do with these parameters; asks for every key it knows. Nothing starts yet. */
  Plan plan(Parameters parameters);

  /** A study ready to run, once. */
  @FunctionalInterface
  interface Plan {
    /**
     * Runs it and judges every claim.
     *
     * @throws org.terrace.core.TerraceException if the machine lacks something, or a part fails
     */
    StudyFindings run(StudyContext context) throws InterruptedException;

    /**
     * The work that a run in a directory would have, a line a part, without doing any of it; empty
     * where only a run shows it.
     *
     * @param study the study of this plan
     * @param home the folder of the distribution
     * @param directory the result directory, which need not be there
     */
    default List<String> forecast(Study study, Path home, Path directory) {
      return List.of();
    }
  }
}
