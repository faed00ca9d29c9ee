package org.terrace.invocation.retention.oracle;

import java.util.Map;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.terrace.invocation.retention.RetainedExecution;

/**
 * A mistake in the retention of replies that the oracle must find: a negative control. Those in SQL
 * are made in the statements on their way to the database, so that everything else is the real
 * thing.
 */
enum Planted {
  /** None. */
  NOTHING("nothing", ""),

  /** A primary that was replaced goes on committing. */
  NO_EPOCH_CHECK("no check of the epoch", OracleVerdict.EPOCH_OVER),

  /** Two copies of a request do not meet. */
  NO_KEY("no key of the request", OracleVerdict.TWICE),

  /** A copy that comes after its reply was deleted looks new. */
  NO_WATERMARK("no watermark", OracleVerdict.TWICE);

  private static final Map<String, String> WITHOUT_KEY =
      Map.of(
          "PRIMARY KEY (client, sequence)) WITH",
          "CHECK (true)) WITH",
          "PRIMARY KEY (client, sequence)) ENGINE",
          "KEY (client, sequence)) ENGINE",
          "ROW_COUNT() <> 1",
          "ROW_COUNT() < 1");
  private static final Map<String, String> WITHOUT_WATERMARK =
      Map.of(
          "SELECT watermark FROM terrace_client WHERE client = ?",
          "SELECT 1 FROM terrace_client WHERE client = ?",
          "SELECT c.watermark FROM terrace_client c WHERE c.client = of_client)",
          "SELECT 1 FROM terrace_client c WHERE c.client = of_client)",
          "found_watermark > of_sequence",
          "found_watermark > 9223372036854775807");

  private final String words;
  private final String finding;

  Planted(String words, String finding) {
    this.words = words;
    this.finding = finding;
  }

  private Map<String, String> replacements() {
    return switch (this) {
      case NOTHING, NO_EPOCH_CHECK -> Map.of();
      case NO_KEY -> WITHOUT_KEY;
      case NO_WATERMARK -> WITHOUT_WATERMARK;
    };
  }

  /** The first words of the oracle when it has found this. */
  String finding() {
    return finding;
  }

  /** The epoch that calls are fenced by. */
  LongSupplier epoch(LongSupplier real) {
    return this == NO_EPOCH_CHECK
        ? () -> Math.min(RetainedExecution.UNFENCED, real.getAsLong())
        : real;
  }

  /** The same pool, with the mistake in every statement that it concerns. */
  DataSource in(DataSource pool) {
    return RewrittenSql.in(pool, replacements());
  }

  @Override
  public String toString() {
    return words;
  }
}
