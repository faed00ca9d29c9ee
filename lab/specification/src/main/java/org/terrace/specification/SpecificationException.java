package org.terrace.specification;

import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A specification that cannot be run: carries everything that is wrong with it, by line. */
public final class SpecificationException extends TerraceException {
  private final transient List<Problem> problems;

  SpecificationException(String file, List<Problem> problems) {
    super(ErrorCode.BAD_INPUT, describe(file, problems));
    this.problems = List.copyOf(problems);
  }

  /** All faults, in the order of the file; at least one. */
  public List<Problem> problems() {
    return problems;
  }

  private static String describe(String file, List<Problem> problems) {
    StringBuilder text = new StringBuilder();
    for (Problem problem : problems) {
      if (!text.isEmpty()) {
        text.append('\n');
      }
      text.append(file).append(':').append(problem.line()).append(':').append(problem.column());
      text.append(": ").append(problem.message());
    }
    return text.toString();
  }
}
