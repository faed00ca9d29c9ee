package org.terrace.cluster.jdbc.session;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.jdbc.statement.BoundParameter;
import org.terrace.cluster.jdbc.statement.KeysWanted;
import org.terrace.cluster.jdbc.statement.OpenResult;
import org.terrace.cluster.jdbc.statement.RunningStatements;
import org.terrace.cluster.jdbc.statement.StatementOptions;
import org.terrace.cluster.jdbc.statement.StatementRequest;
import org.terrace.cluster.sql.StatementAnalysis;
import org.terrace.cluster.sql.StatementAnalysis.Evaluation;
import org.terrace.cluster.sql.TableCounter;

/**
 * The values that one replica, or the cluster, finds for all before a statement is executed.
 * Confined to one thread.
 */
final class SessionValues {
  /** A way to ask the replica that the session reads from. */
  @FunctionalInterface
  interface Reader {
    OpenResult read(StatementRequest request, RunningStatements running) throws SQLException;
  }

  private final DatabaseCluster cluster;
  private final List<String> settings;
  private final Map<String, String> sequences = new HashMap<>();
  private long sequencesOf = -1;

  SessionValues(DatabaseCluster cluster, List<String> settings) {
    this.cluster = cluster;
    this.settings = settings;
  }

  /**
   * Puts the values in.
   *
   * @param transaction the transaction, if it has the locks of the statement; null: none
   * @param defines whether that transaction has changed tables or sequences
   */
  StatementRequest bind(
      StatementRequest request,
      StatementAnalysis analysis,
      Reader reader,
      @Nullable ClientTransaction transaction,
      boolean defines)
      throws SQLException {
    if (analysis.evaluations().isEmpty()) {
      return request;
    }
    List<List<BoundParameter>> given =
        request.rows().isEmpty() ? List.of(List.of()) : request.rows();
    List<List<BoundParameter>> rows = new ArrayList<>(given.size());
    for (List<BoundParameter> row : given) {
      List<BoundParameter> values = new ArrayList<>(row);
      for (Evaluation evaluation : analysis.evaluations()) {
        int place = evaluation.place() - 1;
        if (!evaluation.unlessGiven()) {
          values.add(place, value(evaluation, reader, transaction, defines));
        } else if (place < values.size()) {
          if (isNone(values.get(place))) {
            values.set(place, value(evaluation, reader, transaction, defines));
          } else {
            TableCounter counter = evaluation.counter().orElseThrow();
            cluster
                .numbers()
                .passes(counter, values.get(place).value(), Objects.requireNonNull(transaction));
          }
        }
      }
      rows.add(values);
    }
    return request.with(analysis.sql(), rows);
  }

  /** Whether a server would take a parameter for the wish for a number. */
  private static boolean isNone(BoundParameter parameter) {
    return switch (parameter.value()) {
      case null -> true;
      case Boolean truth -> !truth;
      case Number number -> isNone(number.toString());
      case String text -> isNone(text);
      case Object other -> false;
    };
  }

  private static boolean isNone(String text) {
    try {
      return new BigDecimal(text.strip()).toBigInteger().signum() == 0;
    } catch (NumberFormatException e) {
      return false; // The servers refuse it.
    }
  }

  private BoundParameter value(
      Evaluation evaluation,
      Reader reader,
      @Nullable ClientTransaction transaction,
      boolean defines)
      throws SQLException {
    String expression = evaluation.expression();
    return BoundParameter.of(
        expression == null
            ? number(evaluation, reader, transaction, defines)
            : text(cluster.dialect().asText(expression), reader));
  }

  private Number number(
      Evaluation evaluation,
      Reader reader,
      @Nullable ClientTransaction transaction,
      boolean defines)
      throws SQLException {
    String sequence = Objects.requireNonNull(evaluation.sequence());
    Optional<TableCounter> counter = evaluation.counter();
    BigInteger number;
    if (counter.isPresent()) {
      number = cluster.numbers().next(counter.get(), Objects.requireNonNull(transaction));
    } else if (defines && transaction != null) {
      number = cluster.numbers().nextWithin(transaction, name(sequence, reader));
    } else {
      number = cluster.numbers().next(name(sequence, reader));
    }
    return number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
  }

  /** The name that all sessions call a sequence; it is kept where no setting decides. */
  private String name(String sequence, Reader reader) throws SQLException {
    long catalogue = cluster.catalogue();
    if (catalogue != sequencesOf || !settings.isEmpty()) {
      sequences.clear();
      sequencesOf = catalogue;
    }
    String known = sequences.get(sequence);
    if (known == null) {
      known = text(cluster.dialect().sequenceName(sequence), reader);
      sequences.put(sequence, known);
    }
    return known;
  }

  private static String text(String query, Reader reader) throws SQLException {
    StatementRequest request =
        new StatementRequest(query, List.of(), false, KeysWanted.NONE, StatementOptions.USUAL);
    OpenResult result = reader.read(request, new RunningStatements());
    try (Statement statement = result.statement();
        var rows = statement.getResultSet()) {
      if (!rows.next()) {
        throw new SQLException("There is no such sequence.", SqlStates.BAD_PARAMETER);
      }
      return rows.getString(1);
    } finally {
      result.close();
    }
  }
}
