package org.terrace.cluster.controller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The statements of a session at a controller, and the results that have not been read to their
 * end. Confined to one thread, but for {@link #cancel}.
 */
final class ServedStatements implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ServedStatements.class.getName());
  private static final int PARAMETERS_MAX = 65_535;
  private static final int BATCH_MAX = 1 << 20;
  private static final int COLUMNS_MAX = 1_000;
  private static final int OPEN_MAX = 1_000;
  private static final String TOO_LARGE = "54000";

  /**
   * A result that is sent page by page.
   *
   * @param number the number of its statement, by which its pages can be cancelled, too; 0: none
   * @param lasts whether its statement has taken effect, whatever becomes of its rows
   */
  private record Open(
      ResultSet rows, @Nullable Statement statement, long number, int pageRows, boolean lasts) {
    /** A result that is sent whole, and belongs to no statement of the application. */
    static Open whole(ResultSet rows) {
      return new Open(rows, null, 0, 0, false);
    }

    void close() {
      try {
        rows.close();
        if (statement != null) {
          statement.close();
        }
      } catch (SQLException e) {
        // Its connection is gone; whoever uses that next learns it.
      }
    }
  }

  private final Connection connection;
  private final boolean mariaDb;
  private final Map<Long, Open> open = new HashMap<>();
  private long results;

  private final Object runningLock = new Object();
  private @Nullable Statement running;
  private long runningNumber;
  private boolean givenUp;

  /** The statements of a connection. */
  ServedStatements(Connection connection, boolean mariaDb) {
    this.connection = connection;
    this.mariaDb = mariaDb;
  }

  /** Asks for the end of a statement, if it, or a page of its result, is what is under way now. */
  void cancel(long number) throws SQLException {
    synchronized (runningLock) {
      if (running != null && runningNumber == number) {
        running.cancel();
      }
    }
  }

  /** Asks for the end of the statement that is executed now, and lets none be executed later. */
  void giveUp() {
    synchronized (runningLock) {
      givenUp = true;
      if (running != null) {
        try {
          running.cancel();
        } catch (SQLException e) {
          LOG.log(Level.DEBUG, "A statement that nobody waits for goes on: {0}", e.getMessage());
        }
      }
    }
  }

  private void running(@Nullable Statement statement, long number) throws SQLException {
    synchronized (runningLock) {
      if (givenUp && statement != null) {
        throw new SQLException("The application is gone.", "57014");
      }
      running = statement;
      runningNumber = number;
    }
  }

  /**
   * Executes a statement and gives the answer, with all of its result or the first page.
   *
   * @param named whether the ledger gets its name, if it is a transaction that commits
   */
  Encoder execute(long number, boolean named, Decoder request) throws SQLException {
    String sql = request.getString();
    CommitLedger.checkNotNamed(sql);
    checkOpen();
    boolean prepared = request.getByte() != 0;
    boolean batch = request.getByte() != 0;
    boolean keys = request.getByte() != 0;
    String[] columns = new String[request.getCount(COLUMNS_MAX)];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = request.getString();
    }
    int maxRows = request.getCount(Integer.MAX_VALUE);
    int fetchRows = request.getCount(Integer.MAX_VALUE);
    int timeoutSeconds = request.getCount(Integer.MAX_VALUE);
    int type =
        request.getByte() == 0 ? ResultSet.TYPE_FORWARD_ONLY : ResultSet.TYPE_SCROLL_INSENSITIVE;
    boolean escapes = request.getByte() != 0;
    int many = request.getCount(BATCH_MAX);
    Statement statement = make(sql, prepared, keys, columns, type);
    boolean kept = false;
    try {
      statement.setMaxRows(maxRows);
      statement.setFetchSize(fetchRows);
      statement.setQueryTimeout(timeoutSeconds);
      statement.setEscapeProcessing(escapes);
      bind(statement, request, batch, many);
      running(statement, number);
      long[] counts = run(statement, sql, batch, keys, columns);
      Encoder answer = new Encoder();
      boolean lasts = lasts(sql, named);
      try {
        if (counts == null) {
          kept =
              begin(
                  answer, new Open(statement.getResultSet(), statement, number, fetchRows, lasts));
        } else {
          counts(answer, counts, keys ? statement.getGeneratedKeys() : null);
        }
      } catch (SQLException e) {
        throw lasts ? lost(e) : e;
      }
      return answer;
    } finally {
      running(null, 0);
      if (!kept) {
        statement.close();
      }
    }
  }

  private Statement make(String sql, boolean prepared, boolean keys, String[] columns, int type)
      throws SQLException {
    if (!prepared) {
      return connection.createStatement(type, ResultSet.CONCUR_READ_ONLY);
    }
    if (!keys) {
      return connection.prepareStatement(sql, type, ResultSet.CONCUR_READ_ONLY);
    }
    return columns.length == 0
        ? connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)
        : connection.prepareStatement(sql, columns);
  }

  private void bind(Statement statement, Decoder request, boolean batch, int many)
      throws SQLException {
    for (int row = 0; row < many && statement instanceof PreparedStatement one; row++) {
      int count = request.getCount(PARAMETERS_MAX);
      one.clearParameters();
      for (int i = 1; i <= count; i++) {
        boolean typed = request.getByte() != 0;
        int type = (int) request.getSigned();
        Object value = ControllerValues.read(request);
        switch (value) {
          case null -> one.setNull(i, type);
          case ControllerValues.Elements array ->
              one.setArray(i, connection.createArrayOf(array.type(), array.elements()));
          case ControllerValues.Shown shown -> one.setObject(i, shown.value());
          default -> {
            if (typed) {
              one.setObject(i, value, type);
            } else {
              one.setObject(i, value);
            }
          }
        }
      }
      if (batch) {
        one.addBatch();
      }
    }
  }

  /** Executes it; null: it has rows. */
  private static long @Nullable [] run(
      Statement statement, String sql, boolean batch, boolean keys, String[] columns)
      throws SQLException {
    if (batch) {
      return statement.executeLargeBatch();
    }
    boolean hasRows =
        statement instanceof PreparedStatement one
            ? one.execute()
            : !keys
                ? statement.execute(sql)
                : columns.length == 0
                    ? statement.execute(sql, Statement.RETURN_GENERATED_KEYS)
                    : statement.execute(sql, columns);
    return hasRows ? null : new long[] {statement.getLargeUpdateCount()};
  }

  /** Whether a statement that has come to its end lasts: it was a transaction that committed. */
  private boolean lasts(String sql, boolean named) throws SQLException {
    return connection.getAutoCommit()
        && (named ? CommitLedger.hasCommitted(connection) : !DefinitionText.isQuery(sql));
  }

  private static LostAnswerException lost(SQLException cause) {
    return new LostAnswerException(
        "The statement took effect, but what it returned cannot be told (%s)."
            .formatted(cause.getMessage()),
        cause);
  }

  private void counts(Encoder answer, long[] counts, @Nullable ResultSet keys) throws SQLException {
    answer.putByte(ControllerFrame.DONE);
    answer.putUnsigned(counts.length);
    for (long count : counts) {
      answer.putSigned(count);
    }
    answer.putByte(keys == null ? 0 : 1);
    if (keys != null) {
      page(answer, 0, Open.whole(keys), true, true);
    }
  }

  private void checkOpen() throws SQLException {
    if (open.size() >= OPEN_MAX) {
      throw new SQLException(
          "More than %d results of a session are open: close them.".formatted(OPEN_MAX), TOO_LARGE);
    }
  }

  /** Answers with the rows of a result that belongs to no statement of the application. */
  void rows(Encoder answer, ResultSet rows) throws SQLException {
    Open one = Open.whole(rows);
    try {
      page(answer, 0, one, true, true);
    } finally {
      one.close();
    }
  }

  /** Writes the first page of a result; says whether there are more. */
  private boolean begin(Encoder answer, Open result) throws SQLException {
    long number = ++results;
    answer.putByte(ControllerFrame.ROWS);
    if (!page(answer, number, result, true, false)) {
      return false;
    }
    open.put(number, result);
    return true;
  }

  /** The next page of a result. */
  Encoder next(long number) throws SQLException {
    Open result = open.get(number);
    if (result == null) {
      throw new SQLException("The result is closed.", "24000");
    }
    Encoder answer = new Encoder();
    answer.putByte(ControllerFrame.ROWS);
    boolean more = false;
    try {
      running(result.statement, result.number);
      more = page(answer, number, result, false, false);
    } catch (SQLException e) {
      throw result.lasts ? lost(e) : e;
    } finally {
      running(null, 0);
      if (!more) {
        close(number);
      }
    }
    return answer;
  }

  void close(long number) {
    Open result = open.remove(number);
    if (result != null) {
      result.close();
    }
  }

  /**
   * Writes a page: the number under which more is asked for; in the first whether its statement
   * lasts, and the columns; rows.
   *
   * @param whole whether all rows are to be in it
   * @return whether there are more
   */
  private boolean page(Encoder answer, long number, Open result, boolean first, boolean whole)
      throws SQLException {
    ResultSet rows = result.rows;
    int width = rows.getMetaData().getColumnCount();
    Encoder page = new Encoder();
    boolean more = true;
    int count = 0;
    while (more
        && (whole
            || (page.length() < ControllerFrame.PAGE_BYTES
                && (result.pageRows == 0 || count < result.pageRows)))) {
      more = rows.next();
      if (more) {
        count++;
        page.putByte(1);
        for (int i = 1; i <= width; i++) {
          ControllerValues.write(page, value(rows, i));
        }
        if (page.length() > ControllerFrame.BYTES_MAX - ControllerFrame.PAGE_BYTES) {
          throw new SQLException(
              "Rows of more than %d MiB are not sent: ask for less."
                  .formatted(ControllerFrame.BYTES_MAX >> 20),
              TOO_LARGE);
        }
      }
    }
    page.putByte(0);
    answer.putUnsigned(more ? number : 0);
    if (first) {
      answer.putByte(result.lasts ? 1 : 0);
      ControllerColumns.write(answer, rows.getMetaData(), mariaDb);
    }
    answer.putRaw(page.array(), 0, page.length());
    return more;
  }

  /** The value, with the driver's own text where that is not the value's. */
  private static @Nullable Object value(ResultSet rows, int column) throws SQLException {
    Object value = rows.getObject(column);
    return switch (value) {
      case null -> null;
      case String _, Integer _, Long _, Short _, byte[] _ -> value;
      case Array array -> shown(elements(rows, column, array), rows.getString(column));
      case java.sql.Blob _ -> rows.getBytes(column);
      default ->
          ControllerValues.isWritable(value)
              ? shown(value, rows.getString(column))
              : rows.getString(column);
    };
  }

  private static Object elements(ResultSet rows, int column, Array array) throws SQLException {
    return array.getArray() instanceof Object[] elements && ControllerValues.isWritable(elements)
        ? new ControllerValues.Elements(array.getBaseTypeName(), elements)
        : rows.getString(column);
  }

  private static Object shown(Object value, @Nullable String text) {
    return text == null || value.toString().equals(text)
        ? value
        : new ControllerValues.Shown(value, text);
  }

  /** Closes what is open. */
  @Override
  public void close() {
    List<Open> left = new ArrayList<>(open.values());
    open.clear();
    left.forEach(Open::close);
  }
}
