package org.terrace.cluster.controller;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.Encoder;

/** An application's session at a controller. Confined to one thread. */
final class ControllerConnection {
  private final ControllerLink link;
  private boolean autoCommit = true;

  private ControllerConnection(ControllerLink link) {
    this.link = link;
  }

  static Connection open(ControllerUrl place) throws SQLException {
    ControllerConnection connection = new ControllerConnection(ControllerLink.open(place));
    return Handlers.make(Connection.class, connection::call);
  }

  private @Nullable Object call(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (method.getName()) {
      case "prepareStatement" -> prepare((Connection) self, method, arguments);
      case "createStatement" -> statement((Connection) self, method, arguments);
      case "getAutoCommit" -> autoCommit;
      case "setAutoCommit" -> {
        setAutoCommit((Boolean) Handlers.given(arguments, 0));
        yield null;
      }
      case "commit" -> {
        link.call(ControllerFrame.COMMIT);
        yield null;
      }
      case "rollback" -> {
        if (arguments.length > 0) {
          throw Handlers.unsupported(method);
        }
        link.call(ControllerFrame.ROLL_BACK);
        yield null;
      }
      case "close", "abort" -> {
        link.close();
        yield null;
      }
      case "isClosed" -> link.isClosed();
      case "isValid" -> isValid();
      case "getMetaData" -> Handlers.make(DatabaseMetaData.class, this::metaData);
      default -> setting(method, arguments);
    };
  }

  /** Answers a method about the session's settings, each of which has one value alone. */
  private @Nullable Object setting(Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (method.getName()) {
      case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
      case "setTransactionIsolation" -> {
        if (!Handlers.given(arguments, 0).equals(Connection.TRANSACTION_READ_COMMITTED)) {
          throw Handlers.unsupported(method);
        }
        yield null;
      }
      case "setReadOnly" -> {
        if (Handlers.given(arguments, 0).equals(true)) {
          throw Handlers.unsupported(method);
        }
        yield null;
      }
      case "isReadOnly" -> false;
      case "getCatalog" -> link.place().database();
      case "getSchema", "getWarnings" -> null;
      case "clearWarnings" -> null;
      case "getHoldability" -> ResultSet.HOLD_CURSORS_OVER_COMMIT;
      case "getTypeMap" -> Map.of();
      case "getClientInfo" -> arguments.length == 0 ? new Properties() : null;
      case "getNetworkTimeout" -> link.place().answerMillis();
      case "setNetworkTimeout" -> {
        link.timeout((Integer) Handlers.given(arguments, 1));
        yield null;
      }
      case "nativeSQL" -> Handlers.given(arguments, 0);
      default -> throw Handlers.unsupported(method);
    };
  }

  private PreparedStatement prepare(Connection self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    checkShape(method, arguments, 1);
    String sql = (String) Handlers.given(arguments, 0);
    return Handlers.make(PreparedStatement.class, new ControllerStatement(link, self, sql)::call);
  }

  private Statement statement(Connection self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    checkShape(method, arguments, 0);
    return Handlers.make(Statement.class, new ControllerStatement(link, self, "")::call);
  }

  /** Rows go forward and are read alone, and keys are asked for by RETURNING. */
  private static void checkShape(Method method, @Nullable Object[] arguments, int from)
      throws SQLException {
    boolean usual = arguments.length == from;
    boolean plain =
        arguments.length == from + 2
            && Handlers.given(arguments, from).equals(ResultSet.TYPE_FORWARD_ONLY)
            && Handlers.given(arguments, from + 1).equals(ResultSet.CONCUR_READ_ONLY);
    if (!usual && !plain) {
      throw Handlers.unsupported(method);
    }
  }

  private void setAutoCommit(boolean on) throws SQLException {
    if (on != autoCommit) {
      Encoder request = new Encoder();
      request.putByte(ControllerFrame.AUTO_COMMIT);
      request.putByte(on ? 1 : 0);
      link.call(request);
      autoCommit = on;
    }
  }

  private boolean isValid() {
    try {
      link.call(ControllerFrame.PING);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private @Nullable Object metaData(Object self, Method method, @Nullable Object[] arguments)
      throws SQLException {
    return switch (method.getName()) {
      case "getDatabaseProductName" -> link.product();
      case "getDatabaseProductVersion" -> link.version();
      case "getURL" -> link.place().url();
      case "getDriverName" -> "Terrace controller";
      case "supportsTransactions" -> true;
      default -> throw Handlers.unsupported(method);
    };
  }
}
