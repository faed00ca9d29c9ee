package org.terrace.invocation.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.invocation.FailOverOptions;

/**
 * The sessions of a replica's clients: what must be restored before a client that failed over can
 * be served. Thread-safe.
 *
 * <p>Without the database pool each session has a database connection of its own, opened when it is
 * restored; without trusted identities the client is looked up in the database first. With both, a
 * session is an entry in a map.
 */
final class ClientSessions implements AutoCloseable {
  /** The sessions longest unused are ended beyond this. */
  private static final int SESSIONS_MAX = 10_000;

  private static final String CREATE =
      "CREATE TABLE IF NOT EXISTS terrace_known_client (client_id BIGINT PRIMARY KEY)";
  private static final String FIND =
      "SELECT client_id FROM terrace_known_client WHERE client_id = ?";
  private static final String ADD = "INSERT INTO terrace_known_client (client_id) VALUES (?)";

  private final @Nullable DataSource database;
  private final FailOverOptions options;
  private final LongAdder restored = new LongAdder();

  @GuardedBy("this")
  private final Map<Long, ClientSession> sessions = new LinkedHashMap<>(16, 0.75F, true);

  /** The sessions over a database, if the replica has one. */
  public ClientSessions(@Nullable DataSource database, FailOverOptions options) {
    this.database = database;
    this.options = options;
  }

  /** Makes the table of clients, if clients are to be looked up; says whether they are. */
  public boolean prepare() throws SQLException {
    if (database == null || options.trustedIdentity()) {
      return false;
    }
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(CREATE);
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    }
    return true;
  }

  /** Creates or restores the session of a client. */
  public ClientSession restore(long client) throws SQLException {
    ClientSession session = session(client);
    session.use(
        database == null || options.databasePool() ? null : database,
        fresh -> {
          if (database != null && !options.trustedIdentity()) {
            validate(client, fresh);
          }
        });
    restored.increment();
    return session;
  }

  private void validate(long client, @Nullable Connection own) throws SQLException {
    if (own != null) {
      lookUp(client, own);
      return;
    }
    try (Connection borrowed = Objects.requireNonNull(database).getConnection()) {
      lookUp(client, borrowed);
    }
  }

  private static void lookUp(long client, Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setLong(1, client);
      try (ResultSet row = find.executeQuery()) {
        if (row.next()) {
          return;
        }
      }
    }
    try (PreparedStatement add = connection.prepareStatement(ADD)) {
      add.setLong(1, client);
      add.executeUpdate();
    }
  }

  /** The session of a client, restored already or not. */
  ClientSession session(long client) {
    ClientSession removed = null;
    ClientSession found;
    synchronized (this) {
      found = sessions.computeIfAbsent(client, id -> new ClientSession());
      if (sessions.size() > SESSIONS_MAX) {
        Long eldest = sessions.keySet().iterator().next();
        removed = sessions.remove(eldest);
      }
    }
    if (removed != null) {
      removed.close();
    }
    return found;
  }

  /** The number of times that a session was created or restored. */
  public long restored() {
    return restored.sum();
  }

  @Override
  public void close() {
    Map<Long, ClientSession> all;
    synchronized (this) {
      all = Map.copyOf(sessions);
      sessions.clear();
    }
    all.values().forEach(ClientSession::close);
  }
}
