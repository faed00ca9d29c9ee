package org.terrace.cluster.controller;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The session of one application's connection at a controller. Confined to one thread, but for
 * {@link #cancel} and {@link #giveUp}.
 */
final class ControllerSession implements ServedLine.Service {
  private static final int SAVEPOINTS_MAX = 10_000;

  private final Connection connection;
  private final Supplier<Optional<CommitLedger>> ledger;
  private final ServedStatements statements;
  private final Map<Long, Savepoint> savepoints = new HashMap<>();

  /**
   * A session over a connection of the cluster.
   *
   * @param ledger the ledger of commits, as soon as there is one
   */
  ControllerSession(Connection connection, Supplier<Optional<CommitLedger>> ledger)
      throws SQLException {
    this.connection = connection;
    this.ledger = ledger;
    this.statements = new ServedStatements(connection, CommitLedger.isMariaDb(connection));
  }

  /** The turn of the ledger in which names are made now; 0: there is no ledger yet. */
  static long turn(Optional<CommitLedger> ledger) {
    return ledger.map(CommitLedger::present).orElse(0L);
  }

  /** Asks for the end of a statement, if it is the one that is executed now. */
  void cancel(long number) throws SQLException {
    statements.cancel(number);
  }

  @Override
  public void giveUp() {
    statements.giveUp();
  }

  /** Serves until the application goes, or is given up; then what is open is undone. */
  void serve(ServedLine line) throws IOException, SQLException {
    try (statements) {
      line.serve(this, ControllerFrame.BYTES_MAX);
    } finally {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    }
  }

  @Override
  public Encoder answer(Decoder request) throws SQLException {
    int kind = request.getByte();
    return switch (kind) {
      case ControllerFrame.EXECUTE -> {
        long number = request.getUnsigned();
        String name = request.getString();
        yield named(name, kept -> statements.execute(number, kept && !name.isEmpty(), request));
      }
      case ControllerFrame.NEXT_PAGE -> statements.next(request.getUnsigned());
      case ControllerFrame.CLOSE_RESULT -> {
        statements.close(request.getUnsigned());
        yield done();
      }
      case ControllerFrame.AUTO_COMMIT -> {
        boolean on = request.getUnsigned() != 0;
        yield named(request.getString(), _ -> ended(() -> connection.setAutoCommit(on)));
      }
      case ControllerFrame.COMMIT -> {
        request.getUnsigned();
        yield named(request.getString(), _ -> ended(connection::commit));
      }
      case ControllerFrame.ROLL_BACK -> ended(connection::rollback);
      case ControllerFrame.SAVEPOINT -> savepoint(request);
      case ControllerFrame.SETTING -> setting(request);
      case ControllerFrame.META_DATA -> metaData(request);
      case ControllerFrame.PING -> {
        Encoder answer = done();
        answer.putByte(connection.isValid(1) ? 1 : 0);
        answer.putUnsigned(turn(ledger.get()));
        yield answer;
      }
      case ControllerFrame.TURN -> {
        Encoder answer = done();
        answer.putUnsigned(turn(ledger.get()));
        yield answer;
      }
      default -> throw new MalformedDataException("a request of the unknown kind " + kind);
    };
  }

  /** Does what may commit the transaction of a name. */
  private Encoder named(String name, Deed deed) throws SQLException {
    CommitLedger kept = ledger.get().orElse(null);
    if (kept == null) {
      return deed.answer(false);
    }
    try {
      kept.name(connection, name);
    } catch (SQLException e) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      throw e;
    }
    try {
      return deed.answer(true);
    } finally {
      kept.leave(name);
    }
  }

  /** A request's doing, with its answer. */
  private interface Deed {
    /**
     * Does it.
     *
     * @param kept whether there is a ledger that has the names of commits
     */
    Encoder answer(boolean kept) throws SQLException;
  }

  /** The end of a transaction. */
  private interface End {
    void come() throws SQLException;
  }

  private Encoder ended(End end) throws SQLException {
    end.come();
    savepoints.clear();
    return done();
  }

  private static Encoder done() {
    return ControllerFrame.of(ControllerFrame.DONE);
  }

  private Encoder savepoint(Decoder request) throws SQLException {
    long step = request.getUnsigned();
    long number = request.getUnsigned();
    if (step == ControllerSavepoint.SET) {
      if (savepoints.size() >= SAVEPOINTS_MAX) {
        throw new SQLException("A transaction has too many savepoints.", "54000");
      }
      savepoints.put(number, connection.setSavepoint());
      return done();
    }
    Savepoint savepoint = savepoints.get(number);
    if (savepoint == null) {
      throw new SQLException("The savepoint is not of this transaction.", "3B001");
    }
    if (step == ControllerSavepoint.BACK) {
      connection.rollback(savepoint);
    } else {
      connection.releaseSavepoint(savepoint);
      savepoints.remove(number);
    }
    return done();
  }

  private Encoder setting(Decoder request) throws SQLException {
    String name = request.getString();
    @Nullable Object[] given = ServedMetaData.arguments(request);
    Object value = null;
    switch (name) {
      case "setReadOnly" -> connection.setReadOnly((Boolean) of(given, 0, Boolean.class));
      case "isReadOnly" -> value = connection.isReadOnly();
      case "setTransactionIsolation" ->
          connection.setTransactionIsolation((Integer) of(given, 0, Integer.class));
      case "getTransactionIsolation" -> value = connection.getTransactionIsolation();
      case "setSchema" -> {
        String schema = (String) of(given, 0, String.class);
        CommitLedger.checkNotNamed(schema);
        connection.setSchema(schema);
      }
      case "getSchema" -> value = connection.getSchema();
      case "setCatalog" -> connection.setCatalog((String) of(given, 0, String.class));
      case "getCatalog" -> value = connection.getCatalog();
      case "setClientInfo" -> setInfo(given);
      case "getClientInfo" -> value = connection.getClientInfo((String) of(given, 0, String.class));
      default -> throw new MalformedDataException("the unknown setting " + name);
    }
    return valued(value);
  }

  private void setInfo(@Nullable Object[] given) throws SQLException {
    String name = (String) of(given, 0, String.class);
    if (!name.equals("terrace.ledger")) {
      connection.setClientInfo(name, given.length > 1 ? (String) given[1] : null);
    }
  }

  private static Object of(@Nullable Object[] given, int index, Class<?> type) {
    Object value = index < given.length ? given[index] : null;
    if (!type.isInstance(value)) {
      throw new MalformedDataException("a setting whose value is no " + type.getSimpleName());
    }
    return type.cast(value);
  }

  private static Encoder valued(@Nullable Object value) {
    Encoder answer = done();
    answer.putByte(0);
    ControllerValues.write(answer, ControllerValues.isWritable(value) ? value : "" + value);
    return answer;
  }

  private Encoder metaData(Decoder request) throws SQLException {
    Object answer = ServedMetaData.ask(connection.getMetaData(), request);
    if (answer instanceof ResultSet rows) {
      Encoder encoded = done();
      encoded.putByte(1);
      statements.rows(encoded, rows);
      return encoded;
    }
    return valued(answer);
  }
}
