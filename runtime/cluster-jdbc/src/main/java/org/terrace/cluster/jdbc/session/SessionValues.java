package org.terrace.cluster.jdbc.session;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.cluster.core.SqlStates;
import org.terrace.cluster.server.dialect.BoundParameter;
import org.terrace.cluster.server.dialect.OpenResult;
import org.terrace.cluster.server.dialect.RunningStatements;
import org.terrace.cluster.server.dialect.StatementRequest;
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

  /** The most values that one query finds: PostgreSQL takes no more than 1,664. */
  private static final int EXPRESSIONS_MAX = 1_000;

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
    checkTexts(request, analysis);
    if (analysis.evaluations().isEmpty()) {
      return request;
    }
    List<List<BoundParameter>> given =
        request.rows().isEmpty() ? List.of(List.of()) : request.rows();
    List<List<BoundParameter>> rows = new ArrayList<>(given.size());
    Expressions found = find(analysis.evaluations(), given.size(), reader);
    for (List<BoundParameter> row : given) {
      List<BoundParameter> values = new ArrayList<>(row);
      for (Evaluation evaluation : analysis.evaluations()) {
        int place = evaluation.place() - 1;
        if (!evaluation.unlessGiven()) {
          values.add(place, value(evaluation, found, reader, transaction, defines));
        } else if (place < values.size()) {
          if (isNone(values.get(place))) {
            values.set(place, value(evaluation, found, reader, transaction, defines));
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
  private static boolean isNone(BoundParameter parameter) throws SQLException {
    return switch (parameter.value()) {
      case null -> true;
      case Boolean truth -> !truth;
      case Number number -> isNone(number.toString());
      case byte[] bytes -> isNone(new String(bytes, StandardCharsets.UTF_8));
      case Object other -> isNone(other.toString());
    };
  }

  private static boolean isNone(String text) throws SQLException {
    try {
      return new BigDecimal(text.strip()).toBigInteger().signum() == 0;
    } catch (NumberFormatException e) {
      // A server that is not strict takes it for 0, and numbers the row by itself.
      throw new SQLException(
          "'%s' is no number for a column that numbers its rows: give a number.".formatted(text),
          SqlStates.BAD_PARAMETER,
          e);
    }
  }

  /** The values of the expressions of one statement. */
  private record Expressions(
      Map<String, @Nullable String> shared, Iterator<@Nullable String> others) {
    /** The value for the next place. */
    BoundParameter next(Evaluation evaluation, String expression) {
      String text = evaluation.anew() ? others.next() : shared.get(expression);
      return text == null ? BoundParameter.typed(null, Types.VARCHAR) : BoundParameter.of(text);
    }
  }

  /**
   * Finds what is the same in all places of a statement once, and the rest for each place: with one
   * query, by which all moments are that of one statement, unless it is of very many values.
   */
  private Expressions find(List<Evaluation> evaluations, int rows, Reader reader)
      throws SQLException {
    Set<String> shared = new LinkedHashSet<>();
    List<String> anew = new ArrayList<>();
    for (Evaluation evaluation : evaluations) {
      String expression = evaluation.expression();
      if (expression != null) {
        boolean _ = evaluation.anew() ? anew.add(expression) : shared.add(expression);
      }
    }
    List<String> all = new ArrayList<>(shared);
    Collections.nCopies(rows, anew).forEach(all::addAll);
    List<@Nullable String> texts = new ArrayList<>(all.size());
    for (int from = 0; from < all.size(); from += EXPRESSIONS_MAX) {
      List<String> some = all.subList(from, Math.min(all.size(), from + EXPRESSIONS_MAX));
      texts.addAll(texts(cluster.dialect().asText(some), reader));
    }
    Iterator<@Nullable String> next = texts.iterator();
    Map<String, @Nullable String> values = new HashMap<>();
    shared.forEach(expression -> values.put(expression, next.next()));
    return new Expressions(values, next);
  }

  /** Refuses texts that PostgreSQL would read as a moment at each server. */
  private void checkTexts(StatementRequest request, StatementAnalysis analysis)
      throws SQLException {
    if (analysis.moments() != StatementAnalysis.MomentPlaces.NONE) {
      boolean untyped =
          "unspecified".equals(cluster.configuration().driverProperties().get("stringtype"));
      for (List<BoundParameter> row : request.rows()) {
        for (BoundParameter parameter : row) {
          for (String text : parameter.texts()) {
            analysis.checkText(text, untyped || !parameter.isText());
          }
        }
      }
    }
  }

  private BoundParameter value(
      Evaluation evaluation,
      Expressions found,
      Reader reader,
      @Nullable ClientTransaction transaction,
      boolean defines)
      throws SQLException {
    String expression = evaluation.expression();
    return expression == null
        ? BoundParameter.of(number(evaluation, reader, transaction, defines))
        : found.next(evaluation, expression);
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
      known =
          Objects.requireNonNull(
              texts(cluster.dialect().sequenceName(sequence), reader).getFirst());
      sequences.put(sequence, known);
    }
    return known;
  }

  private static List<@Nullable String> texts(String query, Reader reader) throws SQLException {
    OpenResult result = reader.read(StatementRequest.own(query), new RunningStatements());
    try (Statement statement = result.statement();
        var rows = statement.getResultSet()) {
      if (!rows.next()) {
        throw new SQLException("There is no such sequence.", SqlStates.BAD_PARAMETER);
      }
      int width = rows.getMetaData().getColumnCount();
      List<@Nullable String> texts = new ArrayList<>(width);
      for (int i = 1; i <= width; i++) {
        texts.add(rows.getString(i));
      }
      return texts;
    } finally {
      result.close();
    }
  }
}
