package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.sql.BatchUpdateException;
import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * A statement of a session at a controller, prepared or not. For one thread at a time; {@code
 * cancel} may be called by any.
 */
final class ControllerStatement {
  private static final String BAD_PARAMETER = "07001";
  private static final int ROWS_MAX = 1 << 20;

  /** The generated keys that are asked for. */
  record Keys(boolean any, List<String> columns) {
    static final Keys NONE = new Keys(false, List.of());

    /** The wish that an argument of one of JDBC's methods stands for. */
    static Keys of(Object wish) throws SQLException {
      return switch (wish) {
        case Integer flag -> new Keys(flag == Statement.RETURN_GENERATED_KEYS, List.of());
        case String[] names -> new Keys(true, List.of(names));
        default ->
            throw Handlers.unsupported(
                "Asking for keys by the numbers of columns", "name the columns.");
      };
    }
  }

  private final ControllerConnection connection;
  private final @Nullable String prepared;
  private final boolean scrolls;
  private final Keys keys;
  private final ControllerParameters parameters = new ControllerParameters();
  private final List<String> texts = new ArrayList<>();
  private Encoder rows = new Encoder();
  private int rowCount;

  private int maxRows;
  private int fetchRows;
  private int timeoutSeconds;
  private boolean escapes = true;
  private boolean poolable;
  private boolean closesOnCompletion;
  private boolean closed;

  private @Nullable ResultSet current;
  private @Nullable Decoder generated;
  private long count = -1;

  /** The number of what is under way, the statement or a page of its result; 0: nothing is. */
  private volatile long running;

  ControllerStatement(
      ControllerConnection connection, @Nullable String prepared, boolean scrolls, Keys keys) {
    this.connection = connection;
    this.prepared = prepared;
    this.scrolls = scrolls;
    this.keys = keys;
  }

  @Nullable Object call(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    String name = method.getName();
    if (name.equals("close")) {
      closeCurrent();
      closed = true;
      return null;
    }
    if (name.equals("isClosed")) {
      return closed;
    }
    if (closed || connection.isClosed()) {
      throw Handlers.closed("statement");
    }
    if (prepared != null && ControllerParameters.isSetter(method, arguments)) {
      parameters.set(method, arguments);
      return null;
    }
    return name.startsWith("execute")
        ? execute(self, name, arguments)
        : other(self, method, arguments);
  }

  private @Nullable Object other(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (method.getName()) {
      case "clearParameters" -> {
        parameters.clear();
        yield null;
      }
      case "addBatch" -> {
        addBatch(arguments);
        yield null;
      }
      case "clearBatch" -> {
        clearBatch();
        yield null;
      }
      case "cancel" -> {
        connection.cancel(running);
        yield null;
      }
      case "getConnection" -> connection.self();
      case "getResultSet" -> current;
      case "getMetaData" -> {
        ResultSet open = current;
        yield open == null ? null : open.getMetaData();
      }
      case "getUpdateCount" -> Math.toIntExact(count);
      case "getLargeUpdateCount" -> count;
      case "getMoreResults" -> {
        closeCurrent();
        yield false;
      }
      case "getGeneratedKeys" -> generatedKeys((Statement) self);
      case "closeOnCompletion" -> {
        closesOnCompletion = true;
        yield null;
      }
      default -> option(method, arguments);
    };
  }

  private @Nullable Object option(Method method, @Nullable Object[] arguments) throws SQLException {
    String name = method.getName();
    return switch (name) {
      case "getMaxRows" -> maxRows;
      case "getLargeMaxRows" -> (long) maxRows;
      case "getFetchSize" -> fetchRows;
      case "getQueryTimeout" -> timeoutSeconds;
      case "setMaxRows", "setFetchSize", "setQueryTimeout" -> {
        set(name, ControllerParameters.atLeastZero(arguments));
        yield null;
      }
      case "setEscapeProcessing" -> {
        escapes = (Boolean) Handlers.given(arguments, 0);
        yield null;
      }
      case "setPoolable" -> {
        poolable = (Boolean) Handlers.given(arguments, 0);
        yield null;
      }
      case "isPoolable" -> poolable;
      case "isCloseOnCompletion" -> closesOnCompletion;
      case "getMaxFieldSize" -> 0;
      case "setMaxFieldSize" -> only(method, arguments, 0);
      case "setFetchDirection" -> only(method, arguments, ResultSet.FETCH_FORWARD);
      case "getFetchDirection" -> ResultSet.FETCH_FORWARD;
      case "getResultSetConcurrency" -> ResultSet.CONCUR_READ_ONLY;
      case "getResultSetHoldability" -> ResultSet.CLOSE_CURSORS_AT_COMMIT;
      case "getResultSetType" ->
          scrolls ? ResultSet.TYPE_SCROLL_INSENSITIVE : ResultSet.TYPE_FORWARD_ONLY;
      case "getWarnings", "clearWarnings" -> null;
      case "getParameterMetaData" ->
          throw Handlers.unsupported(
              ParameterMetaData.class.getSimpleName(), "the types are known when it is executed.");
      default -> throw Handlers.unsupported(method);
    };
  }

  private void set(String name, int value) {
    switch (name) {
      case "setMaxRows" -> maxRows = value;
      case "setFetchSize" -> fetchRows = value;
      default -> timeoutSeconds = value;
    }
  }

  private static @Nullable Object only(Method method, @Nullable Object[] arguments, int value)
      throws SQLException {
    if (!Handlers.given(arguments, 0).equals(value)) {
      throw Handlers.unsupported(method);
    }
    return null;
  }

  private Object execute(Object self, String name, @Nullable Object[] arguments)
      throws SQLException {
    if (name.endsWith("Batch")) {
      long[] counts = batch((Statement) self);
      return name.equals("executeBatch")
          ? Arrays.stream(counts).mapToInt(Math::toIntExact).toArray()
          : counts;
    }
    if (prepared != null && arguments.length > 0) {
      throw new SQLException("A prepared statement has its text.", BAD_PARAMETER);
    }
    String sql = prepared != null ? prepared : (String) Handlers.given(arguments, 0);
    Keys wanted = arguments.length > 1 ? Keys.of(Handlers.given(arguments, 1)) : keys;
    run((Statement) self, sql, wanted);
    ResultSet read = current;
    return switch (name) {
      case "execute" -> read != null;
      case "executeQuery" -> {
        if (read == null) {
          throw new SQLException("The statement returned no rows.", "02000");
        }
        yield read;
      }
      default -> {
        if (read != null) {
          closeCurrent();
          throw new SQLException("The statement returned rows: call executeQuery.", "0100E");
        }
        long changed = Math.max(0, count);
        yield name.equals("executeUpdate") ? (Object) Math.toIntExact(changed) : (Object) changed;
      }
    };
  }

  private void run(Statement self, String sql, Keys wanted) throws SQLException {
    Encoder row = new Encoder();
    if (prepared != null) {
      parameters.write(row);
    }
    send(self, sql, wanted, false, row, prepared == null ? 0 : 1);
  }

  private void addBatch(@Nullable Object[] arguments) throws SQLException {
    if (prepared == null) {
      texts.add((String) Handlers.given(arguments, 0));
    } else if (arguments.length > 0) {
      throw new SQLException("A prepared statement has its text.", BAD_PARAMETER);
    } else if (rowCount == ROWS_MAX) {
      throw ControllerParameters.tooLong();
    } else {
      parameters.write(rows);
      rowCount++;
    }
  }

  private void clearBatch() {
    texts.clear();
    rows = new Encoder();
    rowCount = 0;
  }

  private long[] batch(Statement self) throws SQLException {
    List<String> statements = List.copyOf(texts);
    Encoder values = rows;
    int many = rowCount;
    clearBatch();
    closeBefore();
    return prepared != null ? rows(self, prepared, values, many) : texts(self, statements);
  }

  /** Executes the rows of a prepared statement, which are done or undone together. */
  private long[] rows(Statement self, String sql, Encoder values, int many) throws SQLException {
    try {
      return many == 0 ? new long[0] : send(self, sql, keys, true, values, many);
    } catch (LostAnswerException e) {
      long[] counts = new long[many];
      Arrays.fill(counts, Statement.SUCCESS_NO_INFO);
      throw failed(counts, e);
    }
  }

  /** Executes one text after the other: of a failure it tells all those that are done. */
  private long[] texts(Statement self, List<String> statements) throws SQLException {
    long[] counts = new long[statements.size()];
    for (int i = 0; i < counts.length; i++) {
      int done = i;
      try {
        run(self, statements.get(i), Keys.NONE);
        counts[i] = current == null ? Math.max(0, count) : Statement.SUCCESS_NO_INFO;
        done = i + 1;
        if (current != null) {
          closeCurrent();
          throw new SQLException("A statement of a batch returned rows.", "0100E");
        }
      } catch (LostAnswerException e) {
        counts[i] = Statement.SUCCESS_NO_INFO;
        throw failed(Arrays.copyOf(counts, i + 1), e);
      } catch (SQLException e) {
        throw failed(Arrays.copyOf(counts, done), e);
      }
    }
    return counts;
  }

  /**
   * Closes the result of what was executed before; what becomes of that is not said of the next.
   */
  private void closeBefore() throws SQLException {
    try {
      closeCurrent();
    } catch (LostAnswerException e) {
      throw ControllerLink.broken(e, " The statement was not sent.");
    }
  }

  private static BatchUpdateException failed(long[] counts, SQLException cause) {
    return new BatchUpdateException(
        cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), counts, cause);
  }

  /** Sends it, and keeps what it leaves; gives the counts of a statement without rows. */
  private long[] send(
      Statement self, String sql, Keys wanted, boolean batch, Encoder values, int many)
      throws SQLException {
    closeBefore();
    Encoder request = new Encoder();
    request.putString(sql);
    request.putByte(prepared == null ? 0 : 1);
    request.putByte(batch ? 1 : 0);
    request.putByte(wanted.any ? 1 : 0);
    request.putUnsigned(wanted.columns.size());
    wanted.columns.forEach(request::putString);
    request.putUnsigned(maxRows);
    request.putUnsigned(fetchRows);
    request.putUnsigned(timeoutSeconds);
    request.putByte(scrolls ? 1 : 0);
    request.putByte(escapes ? 1 : 0);
    request.putUnsigned(many);
    request.putRaw(values.array(), 0, values.length());
    if (request.length() > ControllerFrame.BYTES_MAX) {
      throw ControllerParameters.tooLong();
    }
    long number = connection.nextNumber();
    running = number;
    try {
      return keep(self, number, connection.execute(number, sql, request));
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    } finally {
      running = 0;
    }
  }

  private long[] keep(Statement self, long number, ControllerLink.Answer answer)
      throws SQLException {
    Decoder said = answer.content();
    if (answer.kind() == ControllerFrame.ROWS) {
      StatementPages pages =
          new StatementPages(connection.pages(), number, underWay -> running = underWay);
      current = ControllerRows.of(said, pages, self, scrolls, this::rowsClosed);
      return new long[0];
    }
    long[] counts = new long[said.getCount(said.remaining())];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = said.getSigned();
    }
    count = counts.length == 1 ? counts[0] : -1;
    generated = said.getByte() == 0 ? null : said;
    return counts;
  }

  private ResultSet generatedKeys(Statement self) throws SQLException {
    Decoder said = generated;
    if (said == null) {
      throw new SQLException(
          "No generated keys were asked for: pass RETURN_GENERATED_KEYS.", "2F000");
    }
    generated = null;
    return ControllerRows.of(said, connection.pages(), self, false, () -> {});
  }

  private void rowsClosed() {
    current = null;
    closed |= closesOnCompletion;
  }

  private void closeCurrent() throws SQLException {
    ResultSet open = current;
    current = null;
    generated = null;
    count = -1;
    if (open != null) {
      boolean before = closed;
      open.close();
      closed = before;
    }
  }
}
