package org.terrace.cluster.jdbc.recovery;

import java.util.List;
import org.terrace.cluster.sql.SessionSetting;

/**
 * A committed transaction with all that is needed to do it again.
 *
 * @param position its number in the cluster
 * @param settings the statements that make a session like its client's
 * @param statements what it executed, those that failed too
 */
public record TransactionRecord(
    long position, List<String> settings, List<LoggedStatement> statements) {
  /** Copies the lists. */
  public TransactionRecord {
    settings = List.copyOf(settings);
    statements = List.copyOf(statements);
  }

  /** Whether it leaves a session otherwise than it found it. */
  boolean changesSettings() {
    return !settings.isEmpty()
        || statements.stream()
            .anyMatch(statement -> SessionSetting.isSetting(statement.request().sql()));
  }
}
