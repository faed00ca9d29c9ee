package org.terrace.specification;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** A collector of all faults of one specification. Confined to one thread. */
public final class Problems {
  /** The most faults that are listed; those beyond are counted. */
  private static final int MAXIMUM_LISTED = 100;

  private final String file;
  private final List<Problem> problems = new ArrayList<>();
  private int unlisted;

  Problems(String file) {
    this.file = file;
  }

  public void add(Node node, String message) {
    add(node.getStartMark(), message);
  }

  void add(Optional<Mark> mark, String message) {
    if (problems.size() >= MAXIMUM_LISTED) {
      unlisted++;
      return;
    }
    int line = mark.map(Mark::getLine).orElse(0) + 1;
    int column = mark.map(Mark::getColumn).orElse(0) + 1;
    problems.add(new Problem(line, column, message));
  }

  /** The directory of the file, from which names of other files in it are told. */
  Path folder() {
    Path parent = Path.of(file).toAbsolutePath().normalize().getParent();
    return parent == null ? Path.of("/") : parent;
  }

  boolean isEmpty() {
    return problems.isEmpty();
  }

  void throwIfAny() {
    if (problems.isEmpty()) {
      return;
    }
    problems.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
    if (unlisted > 0) {
      Problem last = problems.getLast();
      problems.add(new Problem(last.line(), last.column(), "and " + unlisted + " more"));
    }
    throw new SpecificationException(file, problems);
  }
}
