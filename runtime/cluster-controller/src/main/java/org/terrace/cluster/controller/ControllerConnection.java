package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * An application's session at a controller. As JDBC's connections, for one thread at a time; {@code
 * abort} may be called by any.
 */
final class ControllerConnection {
  private final ControllerLink link;
  private final CommitOutcome outcome;
  private final byte[] key;
  private final boolean definitionsLast;
  private final ControllerRows.Pages pages = new LinkPages();
  private @Nullable Connection self;
  private boolean autoCommit = true;
  private int savepoints;
  private long numbers;

  private ControllerConnection(ControllerLink link) throws SQLException {
    this.link = link;
    try {
      this.key = link.welcome().getBytes();
      this.outcome = new CommitOutcome(link.place());
      outcome.toldTurn(link.welcome().getUnsigned());
      this.definitionsLast = link.welcome().getByte() != 0;
    } catch (MalformedDataException e) {
      link.close();
      throw ControllerFrame.unreadable(e);
    }
  }

  static Connection open(ControllerUrl place) throws SQLException {
    ControllerConnection connection =
        new ControllerConnection(ControllerLink.open(place, ControllerFrame.FOR_SESSION));
    Connection made = Handlers.make(Connection.class, connection::call);
    connection.self = made;
    return made;
  }

  private final class LinkPages implements ControllerRows.Pages {
    @Override
    public Decoder next(long result, boolean lasts) throws SQLException {
      return read(ControllerFrame.NEXT_PAGE, result, lasts);
    }

    @Override
    public void close(long result, boolean lasts) throws SQLException {
      if (!link.isClosed()) {
        read(ControllerFrame.CLOSE_RESULT, result, lasts);
      }
    }

    private Decoder read(int kind, long result, boolean lasts) throws SQLException {
      try {
        return link.ask(numbered(kind, result)).content();
      } catch (ControllerLink.BrokenException e) {
        if (lasts) {
          throw new LostAnswerException(
              "The statement took effect, but what it returned was lost with the connection (%s)."
                  .formatted(e.getMessage()),
              e);
        }
        throw ControllerLink.broken(e, " The transaction, if there was one, is undone.");
      }
    }
  }

  private String newName() throws SQLException {
    if (outcome.isTurnOld()) {
      try {
        outcome.toldTurn(link.call(ControllerFrame.of(ControllerFrame.TURN)).getUnsigned());
      } catch (MalformedDataException e) {
        throw ControllerFrame.unreadable(e);
      }
    }
    return outcome.newName();
  }

  private static Encoder numbered(int kind, long number) {
    Encoder request = new Encoder();
    request.putByte(kind);
    request.putUnsigned(number);
    return request;
  }

  Connection self() {
    return Objects.requireNonNull(self);
  }

  ControllerRows.Pages pages() {
    return pages;
  }

  boolean isClosed() {
    return link.isClosed();
  }

  /** The number of the next statement, by which it can be cancelled. */
  long nextNumber() {
    return ++numbers;
  }

  /** Executes a statement: in a transaction, or as one. */
  ControllerLink.Answer execute(long number, String sql, Encoder statement) throws SQLException {
    String name = autoCommit ? newName() : "";
    Encoder request = new Encoder();
    request.putByte(ControllerFrame.EXECUTE);
    request.putUnsigned(number);
    request.putString(name);
    request.putRaw(statement.array(), 0, statement.length());
    boolean mayLast = definitionsLast && DefinitionText.mayBe(sql);
    try {
      return link.ask(request);
    } catch (ControllerLink.BrokenException e) {
      if (autoCommit) {
        throw outcome.lost(name, mayLast, e);
      }
      if (mayLast) {
        throw CommitOutcome.unknown("a definition commits the transaction before it and itself", e);
      }
      throw ControllerLink.broken(e, " The transaction is undone.");
    } catch (SQLException e) {
      if (autoCommit && CommitOutcome.isUnknown(e)) {
        link.close();
        throw outcome.lost(name, mayLast, e);
      }
      throw outcome.failed(e);
    }
  }

  /** Asks the controller, by a connection beside this one, to give a statement up. */
  void cancel(long number) throws SQLException {
    if (number == 0 || link.isClosed()) {
      return;
    }
    ControllerLink other = ControllerLink.open(link.place(), ControllerFrame.FOR_CANCEL);
    try {
      Encoder request = new Encoder();
      request.putBytes(key);
      request.putUnsigned(number);
      other.call(request);
    } finally {
      other.close();
    }
  }

  private @Nullable Object call(Object itself, Method method, @Nullable Object[] arguments)
      throws SQLException {
    String name = method.getName();
    if (name.equals("close") || name.equals("abort")) {
      link.close();
      return null;
    }
    if (name.equals("isClosed")) {
      return link.isClosed();
    }
    if (name.equals("isValid")) {
      return isValid(ControllerParameters.atLeastZero(arguments));
    }
    if (link.isClosed()) {
      throw Handlers.closed("connection");
    }
    return switch (name) {
      case "prepareStatement" -> prepare(arguments);
      case "createStatement" -> statement(arguments);
      case "getAutoCommit" -> autoCommit;
      case "setAutoCommit" -> setAutoCommit((Boolean) Handlers.given(arguments, 0));
      case "commit" -> commit(numbered(ControllerFrame.COMMIT, 0));
      case "rollback" ->
          arguments.length > 0
              ? savepoint(ControllerSavepoint.BACK, ControllerSavepoint.own(arguments))
              : send(numbered(ControllerFrame.ROLL_BACK, 0));
      case "setSavepoint" -> setSavepoint(arguments);
      case "releaseSavepoint" ->
          savepoint(ControllerSavepoint.RELEASE, ControllerSavepoint.own(arguments));
      case "getMetaData" -> Handlers.make(DatabaseMetaData.class, this::metaData);
      case "createArrayOf" ->
          ControllerLobs.array(
              new ControllerValues.Elements(
                  (String) Handlers.given(arguments, 0),
                  ((Object[]) Handlers.given(arguments, 1)).clone()),
              "array");
      default -> setting(method, arguments);
    };
  }

  /** Sends a request whose answer says nothing more. */
  private @Nullable Object send(Encoder request) throws SQLException {
    link.call(request);
    return null;
  }

  /** Answers a method about the session's settings. */
  private @Nullable Object setting(Method method, @Nullable Object[] arguments)
      throws SQLException {
    String name = method.getName();
    return switch (name) {
      case "setReadOnly",
          "isReadOnly",
          "setTransactionIsolation",
          "getTransactionIsolation",
          "setSchema",
          "getSchema",
          "getCatalog",
          "setCatalog" ->
          told(ControllerFrame.SETTING, name, arguments);
      case "setClientInfo" ->
          arguments.length == 2 ? told(ControllerFrame.SETTING, name, arguments) : null;
      case "getClientInfo" ->
          arguments.length == 0 ? new Properties() : told(ControllerFrame.SETTING, name, arguments);
      case "getWarnings", "clearWarnings" -> null;
      case "getHoldability" -> ResultSet.CLOSE_CURSORS_AT_COMMIT;
      case "setHoldability" -> {
        if (!Handlers.given(arguments, 0).equals(ResultSet.CLOSE_CURSORS_AT_COMMIT)) {
          throw Handlers.unsupported(
              "HOLD_CURSORS_OVER_COMMIT", "read the rows before the commit.");
        }
        yield null;
      }
      case "getTypeMap" -> Map.of();
      case "getNetworkTimeout" -> link.place().answerMillis();
      case "setNetworkTimeout" -> {
        link.timeout((Integer) Handlers.given(arguments, 1));
        yield null;
      }
      case "nativeSQL" -> Handlers.given(arguments, 0);
      default -> throw Handlers.unsupported(method);
    };
  }

  private @Nullable Object told(int kind, String name, @Nullable Object[] arguments)
      throws SQLException {
    Encoder request = new Encoder();
    request.putByte(kind);
    request.putString(name);
    request.putUnsigned(arguments.length);
    for (Object argument : arguments) {
      Object sent = argument instanceof int[] numbers ? boxed(numbers) : argument;
      if (!ControllerValues.isWritable(sent)) {
        throw Handlers.unsupported(name, "an argument cannot be sent.");
      }
      ControllerValues.write(request, sent);
    }
    return read(link.call(request));
  }

  private static Object[] boxed(int[] numbers) {
    Object[] boxed = new Object[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      boxed[i] = numbers[i];
    }
    return boxed;
  }

  private @Nullable Object read(Decoder answer) throws SQLException {
    try {
      return answer.getByte() == 0
          ? ControllerValues.read(answer)
          : ControllerRows.of(answer, pages, null, false, () -> {});
    } catch (MalformedDataException e) {
      throw ControllerFrame.unreadable(e);
    }
  }

  private PreparedStatement prepare(@Nullable Object[] arguments) throws SQLException {
    String sql = (String) Handlers.given(arguments, 0);
    ControllerStatement.Keys keys =
        arguments.length == 2
            ? ControllerStatement.Keys.of(Handlers.given(arguments, 1))
            : ControllerStatement.Keys.NONE;
    boolean scrolls = arguments.length > 2 && scrolls(arguments, 1);
    return Handlers.make(
        PreparedStatement.class, new ControllerStatement(this, sql, scrolls, keys)::call);
  }

  private Statement statement(@Nullable Object[] arguments) throws SQLException {
    boolean scrolls = arguments.length > 1 && scrolls(arguments, 0);
    return Handlers.make(
        Statement.class,
        new ControllerStatement(this, null, scrolls, ControllerStatement.Keys.NONE)::call);
  }

  private static boolean scrolls(@Nullable Object[] arguments, int from) throws SQLException {
    if (!Handlers.given(arguments, from + 1).equals(ResultSet.CONCUR_READ_ONLY)) {
      throw Handlers.unsupported(
          "CONCUR_UPDATABLE", "a row would be changed at one replica only. Use UPDATE.");
    }
    return !Handlers.given(arguments, from).equals(ResultSet.TYPE_FORWARD_ONLY);
  }

  private @Nullable Object setAutoCommit(boolean on) throws SQLException {
    if (on != autoCommit) {
      if (on) {
        commit(numbered(ControllerFrame.AUTO_COMMIT, 1));
      } else {
        Encoder request = numbered(ControllerFrame.AUTO_COMMIT, 0);
        request.putString("");
        link.call(request);
      }
      autoCommit = on;
    }
    return null;
  }

  /** Commits; when the answer is lost, what came of it is asked for. */
  private @Nullable Object commit(Encoder request) throws SQLException {
    String name = newName();
    request.putString(name);
    try {
      link.ask(request);
    } catch (ControllerLink.BrokenException e) {
      outcome.check(name, e);
    } catch (SQLException e) {
      if (!CommitOutcome.isUnknown(e)) {
        throw outcome.failed(e);
      }
      link.close();
      outcome.check(name, e);
    }
    return null;
  }

  private Savepoint setSavepoint(@Nullable Object[] arguments) throws SQLException {
    ControllerSavepoint made =
        new ControllerSavepoint(
            ++savepoints, arguments.length == 0 ? null : (String) Handlers.given(arguments, 0));
    savepoint(ControllerSavepoint.SET, made);
    return made;
  }

  private @Nullable Object savepoint(int step, ControllerSavepoint savepoint) throws SQLException {
    Encoder request = numbered(ControllerFrame.SAVEPOINT, step);
    request.putUnsigned(savepoint.number());
    return send(request);
  }

  private boolean isValid(int seconds) {
    long millis = TimeUnit.SECONDS.toMillis(seconds);
    Deadline deadline = Deadline.orNever(seconds == 0 ? link.place().answerMillis() : millis);
    try {
      if (link.isClosed()) {
        return false;
      }
      Decoder answer = link.call(ControllerFrame.of(ControllerFrame.PING), deadline);
      boolean valid = answer.getByte() != 0;
      outcome.toldTurn(answer.getUnsigned());
      return valid;
    } catch (SQLException | MalformedDataException e) {
      return false;
    }
  }

  private @Nullable Object metaData(Object itself, Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (method.getName()) {
      case "getConnection" -> self();
      case "getURL" -> link.place().url();
      case "getDriverName" -> "Terrace controller";
      case "getRowIdLifetime" -> java.sql.RowIdLifetime.ROWID_UNSUPPORTED;
      default -> told(ControllerFrame.META_DATA, method.getName(), arguments);
    };
  }
}
