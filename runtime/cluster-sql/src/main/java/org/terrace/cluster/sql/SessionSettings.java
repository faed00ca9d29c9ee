package org.terrace.cluster.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one session, as the statements that make another connection like it. They follow
 * the session's transactions as its engine has it: PostgreSQL takes them back with what is undone.
 * Confined to one thread at a time.
 */
public final class SessionSettings {
  private static final Pattern ROLE = Pattern.compile("\\brole\\b", Pattern.CASE_INSENSITIVE);

  private final Engine engine;
  private final List<String> statements = new ArrayList<>();
  private final NavigableMap<Integer, List<String>> atSavepoints = new TreeMap<>();

  /** The settings to which a rollback goes back; null: none was changed in this transaction. */
  private @Nullable List<String> before;

  /** The statements as they are; null: they have changed since they were copied. */
  private @Nullable List<String> copy;

  /** No settings. */
  public SessionSettings(Engine engine) {
    this.engine = engine;
  }

  /** The statements in their order, as they are at any time. */
  public List<String> statements() {
    return Collections.unmodifiableList(statements);
  }

  /** Whether the session may act with other rights than its account's, and without those. */
  public boolean setsRole() {
    return engine == Engine.POSTGRESQL
        && statements.stream().anyMatch(setting -> ROLE.matcher(setting).find());
  }

  /** Keeps a setting that was changed, instead of those before it that it leaves nothing of. */
  public void changed(String statement, boolean inTransaction) {
    if (!inTransaction && SessionSetting.isLocal(statement, engine)) {
      return;
    }
    if (inTransaction && before == null && engine == Engine.POSTGRESQL) {
      before = copy();
    }
    statements.removeIf(earlier -> SessionSetting.isReplaced(earlier, statement, engine));
    statements.add(statement);
    copy = null;
  }

  /** Notes a savepoint, by a number that is greater than those of all before it. */
  public void savepoint(int number) {
    if (engine == Engine.POSTGRESQL) {
      atSavepoints.put(number, copy());
    }
  }

  /** Forgets a savepoint, and those after it, which end with it. */
  public void release(int savepoint) {
    atSavepoints.tailMap(savepoint, true).clear();
  }

  /** The number of savepoints that it can go back to. */
  int savepoints() {
    return atSavepoints.size();
  }

  /** A copy that savepoints share for as long as nothing changes. */
  private List<String> copy() {
    List<String> known = copy;
    if (known == null) {
      known = List.copyOf(statements);
      copy = known;
    }
    return known;
  }

  /** Goes back to what was set at a savepoint, where the engine does. */
  public void backTo(int savepoint) {
    goBack(atSavepoints.get(savepoint));
    atSavepoints.tailMap(savepoint, false).clear();
  }

  /**
   * Ends the transaction.
   *
   * @param committed whether it was committed; else what was set before it counts, where the engine
   *     goes back to that
   */
  public void end(boolean committed) {
    if (!committed) {
      goBack(before);
    }
    statements.removeIf(setting -> SessionSetting.isLocal(setting, engine));
    copy = null;
    atSavepoints.clear();
    before = null;
  }

  private void goBack(@Nullable List<String> earlier) {
    if (earlier != null) {
      statements.clear();
      statements.addAll(earlier);
      copy = earlier;
    }
  }
}
