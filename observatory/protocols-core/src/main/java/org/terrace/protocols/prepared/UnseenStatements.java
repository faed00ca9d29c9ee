package org.terrace.protocols.prepared;

import java.util.ArrayList;
import java.util.List;
import org.terrace.protocols.text.MemoryBudget;

/**
 * The statements of one connection that were prepared before the capture began, at most {@value
 * #STATEMENTS_MAX}, each by a number that no class has. Confined to one thread.
 */
public final class UnseenStatements {
  static final int STATEMENTS_MAX = 256;
  private static final int BYTES_EACH = 640;

  private final MemoryBudget memory;
  private final List<UnseenStatement> statements = new ArrayList<>();

  /** A collection without any statement yet. */
  public UnseenStatements(MemoryBudget memory) {
    this.memory = memory;
  }

  /** Whether a number of {@link StatementNames} is that of such a statement. */
  public static boolean isUnseen(int number) {
    return number < StatementNames.UNKNOWN;
  }

  /** The number of one more, or {@link StatementNames#UNKNOWN} when there is no room for it. */
  public int add() {
    if (statements.size() >= STATEMENTS_MAX || !memory.take(BYTES_EACH)) {
      return StatementNames.UNKNOWN;
    }
    statements.add(new UnseenStatement());
    return StatementNames.UNKNOWN - statements.size();
  }

  /** The statement of a number. */
  public UnseenStatement of(int number) {
    return statements.get(StatementNames.UNKNOWN - number - 1);
  }

  /** Says that what answers told of them so far holds whatever comes later. */
  public void holdSoFar() {
    statements.forEach(UnseenStatement::holdSoFar);
  }

  /** Takes back what answers told of any of them since {@link #holdSoFar}. */
  public void takeBack() {
    statements.forEach(UnseenStatement::takeBack);
  }

  /** Forgets all and gives back their memory; the last call. */
  public void release() {
    memory.giveBack(statements.size() * BYTES_EACH);
    statements.clear();
  }
}
