package org.terrace.cluster.jdbc.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.jdbc.statement.StatementRequest;
import org.terrace.cluster.sql.Engine;
import org.terrace.cluster.sql.RefusedStatementException;
import org.terrace.cluster.sql.SessionSetting;

/**
 * The settings of one session, as the statements that make another connection like it. Confined to
 * one thread at a time.
 */
final class SessionSettings {
  private final Engine engine;
  private final List<String> statements = new ArrayList<>();

  /** The settings to which a rollback goes back; null: none was changed in this transaction. */
  private @Nullable List<String> before;

  SessionSettings(Engine engine) {
    this.engine = engine;
  }

  /** The statements in their order, as they are at any time. */
  List<String> statements() {
    return Collections.unmodifiableList(statements);
  }

  /** A setting with its values instead of its parameters. */
  StatementRequest inline(StatementRequest request) throws RefusedStatementException {
    List<@Nullable Object> values = new ArrayList<>();
    request.rows().stream()
        .limit(1)
        .forEach(row -> row.forEach(parameter -> values.add(parameter.value())));
    return request.with(SessionSetting.inline(request.sql(), engine, values), List.of());
  }

  /** Keeps a setting that was changed, the last one of its text last. */
  void changed(String statement, boolean inTransaction) {
    if (!inTransaction && SessionSetting.isLocal(statement, engine)) {
      return;
    }
    if (inTransaction && before == null && engine == Engine.POSTGRESQL) {
      before = List.copyOf(statements);
    }
    statements.remove(statement);
    statements.add(statement);
  }

  void committed() {
    statements.removeIf(setting -> SessionSetting.isLocal(setting, engine));
    before = null;
  }

  /** Goes back to what was set before the transaction, where the engine does. */
  void rolledBack() {
    List<String> earlier = before;
    before = null;
    if (earlier != null) {
      statements.clear();
      statements.addAll(earlier);
    }
  }
}
