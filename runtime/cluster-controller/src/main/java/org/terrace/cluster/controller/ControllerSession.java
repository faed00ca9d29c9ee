package org.terrace.cluster.controller;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** The session of one application's connection at a controller. Confined to one thread. */
final class ControllerSession {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int GREETING_BYTES_MAX = 4_096;
  private static final int GREETING_MILLIS_MAX = 10_000;
  private static final int PARAMETERS_MAX = 65_535;
  private static final String TOO_LARGE = "54000";

  private final Socket socket;
  private final DataSource source;
  private final String database;
  private final String secret;
  private final DataInputStream in;
  private final DataOutputStream out;

  ControllerSession(Socket socket, DataSource source, String database, String secret)
      throws IOException {
    this.socket = socket;
    this.source = source;
    this.database = database;
    this.secret = secret;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  /** Serves until the application goes. */
  void serve() throws IOException, SQLException {
    if (!greet()) {
      return;
    }
    try (Connection connection = source.getConnection()) {
      Encoder welcome = new Encoder();
      welcome.putByte(ControllerFrame.DONE);
      welcome.putString(connection.getMetaData().getDatabaseProductName());
      welcome.putString(connection.getMetaData().getDatabaseProductVersion());
      ControllerFrame.write(out, welcome);
      try {
        answerAll(connection);
      } finally {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
      }
    } catch (SQLException e) {
      ControllerFrame.write(out, failure(e));
    }
  }

  private boolean greet() throws IOException {
    socket.setSoTimeout(GREETING_MILLIS_MAX);
    byte[] challenge = ControllerSecret.challenge(RANDOM);
    Encoder greeting = new Encoder();
    greeting.putByte(ControllerFrame.VERSION);
    greeting.putBytes(challenge);
    ControllerFrame.write(out, greeting);
    Decoder answer = new Decoder(ControllerFrame.read(in, GREETING_BYTES_MAX));
    int version = answer.getByte();
    String wanted = answer.getString();
    byte[] shown = answer.getBytes();
    String problem =
        version != ControllerFrame.VERSION
            ? "This controller speaks version %d, not %d."
                .formatted(ControllerFrame.VERSION, version)
            : !ControllerSecret.isRight(secret, challenge, shown)
                ? "The secret is not this controller's."
                : !wanted.equals(database)
                    ? "There is no database '%s' here, but '%s'.".formatted(wanted, database)
                    : "";
    if (!problem.isEmpty()) {
      ControllerFrame.write(out, failure(new SQLException(problem, "08004")));
      return false;
    }
    socket.setSoTimeout(0);
    return true;
  }

  private void answerAll(Connection connection) throws IOException, SQLException {
    while (true) {
      byte[] request;
      try {
        request = ControllerFrame.read(in, ControllerFrame.BYTES_MAX);
      } catch (EOFException e) {
        return;
      }
      Encoder answer;
      try {
        answer = answer(connection, new Decoder(request));
      } catch (SQLException e) {
        answer = failure(e);
      } catch (MalformedDataException e) {
        ControllerFrame.write(out, failure(ControllerFrame.unreadable(e)));
        return;
      }
      ControllerFrame.write(out, answer);
    }
  }

  private static Encoder answer(Connection connection, Decoder request) throws SQLException {
    int kind = request.getByte();
    switch (kind) {
      case ControllerFrame.QUERY -> {
        return query(connection, request);
      }
      case ControllerFrame.UPDATE -> {
        try (PreparedStatement statement = statement(connection, request)) {
          return done(statement.executeLargeUpdate());
        }
      }
      case ControllerFrame.AUTO_COMMIT -> connection.setAutoCommit(request.getByte() != 0);
      case ControllerFrame.COMMIT -> connection.commit();
      case ControllerFrame.ROLL_BACK -> connection.rollback();
      case ControllerFrame.PING -> {}
      default -> throw new MalformedDataException("a request of the unknown kind " + kind);
    }
    return done(0);
  }

  private static PreparedStatement statement(Connection connection, Decoder request)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(request.getString());
    int count = request.getCount(PARAMETERS_MAX);
    for (int i = 1; i <= count; i++) {
      statement.setObject(i, ControllerValues.read(request));
    }
    return statement;
  }

  private static Encoder query(Connection connection, Decoder request) throws SQLException {
    try (PreparedStatement statement = statement(connection, request);
        ResultSet rows = statement.executeQuery()) {
      ResultSetMetaData shape = rows.getMetaData();
      int width = shape.getColumnCount();
      Encoder answer = new Encoder();
      answer.putByte(ControllerFrame.ROWS);
      answer.putUnsigned(width);
      for (int i = 1; i <= width; i++) {
        answer.putString(shape.getColumnLabel(i));
      }
      while (rows.next()) {
        answer.putByte(1);
        for (int i = 1; i <= width; i++) {
          ControllerValues.write(answer, value(rows, i));
        }
        if (answer.length() > ControllerFrame.BYTES_MAX - 1) {
          throw new SQLException(
              "A result of more than %d bytes is not sent: ask for fewer rows."
                  .formatted(ControllerFrame.BYTES_MAX),
              TOO_LARGE);
        }
      }
      answer.putByte(0);
      return answer;
    }
  }

  private static @Nullable Object value(ResultSet rows, int column) throws SQLException {
    Object value = rows.getObject(column);
    return ControllerValues.isWritable(value) ? value : rows.getString(column);
  }

  private static Encoder done(long count) {
    Encoder answer = new Encoder();
    answer.putByte(ControllerFrame.DONE);
    answer.putSigned(count);
    return answer;
  }

  private static Encoder failure(SQLException failure) {
    Encoder answer = new Encoder();
    answer.putByte(ControllerFrame.FAILED);
    answer.putString(String.valueOf(failure.getMessage()));
    answer.putString(String.valueOf(failure.getSQLState()));
    answer.putSigned(failure.getErrorCode());
    return answer;
  }
}
