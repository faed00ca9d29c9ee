package org.terrace.studies;

import java.util.Map;
import org.terrace.specification.SpecificationReader;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyDriver;
import org.terrace.studies.failover.FailOverStudy;
import org.terrace.studies.magical.MagicalStudy;
import org.terrace.studies.scaleout.ScaleOutStudy;
import org.terrace.studies.softstate.SoftStateStudy;
import org.terrace.studies.transients.TransientStudy;

/** The studies there are, by the name in a specification. */
public final class Studies {
  private static final Map<String, StudyDriver> ALL =
      Map.of(
          "fail-over",
          new FailOverStudy(),
          "magical-one-percent",
          new MagicalStudy(),
          "scale-out",
          new ScaleOutStudy(),
          "soft-state",
          new SoftStateStudy(),
          "transient-bottlenecks",
          new TransientStudy());

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

  /** Whether the study of that name captures packets. */
  public static boolean capturesPackets(String name) {
    StudyDriver driver = ALL.get(name);
    return driver != null && driver.capturesPackets();
  }

  /** Whether the study of that name goes on in the directory of an interrupted run of it. */
  public static boolean resumes(String name) {
    StudyDriver driver = ALL.get(name);
    return driver != null && driver.resumes();
  }

  /** The kind of specification that a study is. */
  public static final String KIND = "Study";

  /**
   * The study in a text.
   *
   * @param name how messages call the text, usually its file
   * @throws org.terrace.specification.SpecificationException if it is wrong, with all that is wrong
   */
  public static Study read(String name, String text) {
    return read(name, text, ALL);
  }

  static Study read(String name, String text, Map<String, StudyDriver> drivers) {
    return SpecificationReader.read(
        name, text, (node, problems) -> new StudyReader(problems, drivers).read(node));
  }
}
