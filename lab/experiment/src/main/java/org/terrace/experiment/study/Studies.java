package org.terrace.experiment.study;

import java.util.Map;
import org.terrace.experiment.study.failover.FailOverStudy;
import org.terrace.experiment.study.magical.MagicalStudy;
import org.terrace.experiment.study.softstate.SoftStateStudy;

/** The studies there are, by the name in a specification. */
public final class Studies {
  private static final Map<String, StudyDriver> ALL =
      Map.of(
          "fail-over",
          new FailOverStudy(),
          "magical-one-percent",
          new MagicalStudy(),
          "soft-state",
          new SoftStateStudy());

  private Studies() {}

  /** All of them. */
  public static Map<String, StudyDriver> all() {
    return ALL;
  }

  /** Whether the study of that name breaks the network it runs in. */
  public static boolean breaksNetwork(String name) {
    StudyDriver driver = ALL.get(name);
    return driver != null && driver.breaksNetwork();
  }
}
