package org.terrace.experiment.study;

import java.util.Map;
import org.terrace.experiment.study.failover.FailOverStudy;

/** The studies there are, by the name in a specification. */
public final class Studies {
  private static final Map<String, StudyDriver> ALL = Map.of("fail-over", new FailOverStudy());

  private Studies() {}

  /** All of them. */
  public static Map<String, StudyDriver> all() {
    return ALL;
  }
}
