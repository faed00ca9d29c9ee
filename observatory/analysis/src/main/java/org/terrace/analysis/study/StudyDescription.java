package org.terrace.analysis.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description of a study and of its run: the part of its findings that is neither claim, table
 * nor figure. Immutable.
 *
 * @param name its name, for example {@code fail-over}
 * @param paper the paper it repeats
 * @param title its title
 * @param summary what was found, in a few sentences; the first is the headline
 * @param parameters the settings of this run beside those of the paper
 * @param machine facts of the machine and the programs
 * @param deviations how the set-up deviates from the published one, a plain sentence each
 */
public record StudyDescription(
    String name,
    String paper,
    String title,
    String summary,
    List<Parameter> parameters,
    List<Fact> machine,
    List<String> deviations) {

  /** Copies the lists. */
  public StudyDescription {
    parameters = Defaults.list(parameters);
    machine = Defaults.list(machine);
    deviations = Defaults.list(deviations);
  }

  /**
   * A setting.
   *
   * @param name its name
   * @param value its value here, with its unit
   * @param published its value in the paper; null where the paper does not document it
   */
  public record Parameter(String name, String value, @Nullable String published) {}

  /** A name and its value, both plain text. */
  public record Fact(String name, String value) {}
}
