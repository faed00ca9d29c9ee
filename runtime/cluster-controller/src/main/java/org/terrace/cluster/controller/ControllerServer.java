package org.terrace.cluster.controller;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * A server that lends the sessions of one data source to applications: each connection is one
 * session with its transaction, which is rolled back when the connection ends. One of which nothing
 * is heard, or that takes nothing, for a time is ended. Thread-safe.
 */
public final class ControllerServer implements AutoCloseable {
  /** For so long nothing may be heard of an application, or taken by it, unless said otherwise. */
  public static final Duration SILENCE = Duration.ofSeconds(10);

  private static final Logger LOG = System.getLogger(ControllerServer.class.getName());

  /** No more sessions are served at once; whoever comes then is told so. */
  static final int SESSIONS_MAX = 1_000;

  /** No more questions for outcomes are answered at once, and no more cancellations done. */
  static final int QUESTIONS_MAX = 200;

  /** No more connections are there at once that have not shown yet that they know the secret. */
  static final int GREETING_MAX = 200;

  private static final int WAITING_MAX = 200;
  private static final int QUESTION_BYTES_MAX = 4_096;
  private static final int LOOKS_IN_SILENCE = 4;

  /** The time after which a turn of the ledger ends. */
  private static final Duration TURN = Duration.ofMinutes(1);

  /** A ledger that could not be opened is tried again after this. */
  private static final Duration BETWEEN_OPENINGS = Duration.ofSeconds(1);

  private final ServerSocket listener;
  private final DataSource source;
  private final String database;
  private final String secret;
  private final Duration silence;
  private volatile @Nullable CommitLedger ledger;
  private final Set<Socket> greeting = ConcurrentHashMap.newKeySet();
  private final Set<ServedLine> served = ConcurrentHashMap.newKeySet();
  private final Semaphore sessionPlaces = new Semaphore(SESSIONS_MAX);
  private final Semaphore questionPlaces = new Semaphore(QUESTIONS_MAX);
  private final Semaphore cancelPlaces = new Semaphore(QUESTIONS_MAX);
  private final Map<String, ControllerSession> sessions = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private String ledgerFailure = "";

  private ControllerServer(
      ServerSocket listener, DataSource source, String database, String secret, Duration silence) {
    this.listener = listener;
    this.source = source;
    this.database = database;
    this.secret = secret;
    this.silence = silence;
  }

  /**
   * Starts to listen, with the usual {@link #SILENCE}.
   *
   * @see #start(DataSource, String, String, int, String, Duration)
   */
  public static ControllerServer start(
      DataSource source, String database, String address, int port, String secret) {
    return start(source, database, address, port, secret, SILENCE);
  }

  /**
   * Starts to listen.
   *
   * @param database the name by which applications ask for the database
   * @param secret what applications have to know; empty: nothing, on loopback alone
   * @param silence for how long nothing may be heard of an application, or taken by it, before its
   *     session is ended; at least a millisecond
   */
  public static ControllerServer start(
      DataSource source,
      String database,
      String address,
      int port,
      String secret,
      Duration silence) {
    try {
      InetAddress host = InetAddress.getByName(address);
      if (secret.isEmpty() && !host.isLoopbackAddress()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "A controller at %s needs a secret, as others than this machine's programs reach it: give one, or listen on loopback."
                .formatted(address));
      }
      return start(
          new ServerSocket(), new InetSocketAddress(host, port), source, database, secret, silence);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "The controller cannot listen at %s port %d (%s): choose another address or port."
              .formatted(address, port, e.getMessage()),
          e);
    }
  }

  /** Starts to listen at a place with a socket that is not bound yet. */
  static ControllerServer start(
      ServerSocket listener,
      InetSocketAddress place,
      DataSource source,
      String database,
      String secret,
      Duration silence)
      throws IOException {
    listener.setReuseAddress(true);
    listener.bind(place, WAITING_MAX);
    ControllerServer server = new ControllerServer(listener, source, database, secret, silence);
    server.openLedger();
    Thread.ofVirtual().name("terrace-controller-ledger").start(server::keep);
    Thread.ofVirtual().name("terrace-controller-watch").start(server::watch);
    Thread.ofPlatform().name("terrace-controller").daemon().start(server::accept);
    return server;
  }

  /** Opens the ledger, without which the outcome of a commit whose answer is lost stays unknown. */
  private void openLedger() {
    try {
      ledger = CommitLedger.open(source);
    } catch (SQLException e) {
      String failure = String.valueOf(e.getMessage());
      if (!failure.equals(ledgerFailure)) {
        ledgerFailure = failure;
        LOG.log(
            Level.WARNING,
            "No ledger of commits can be kept yet, so that the outcome of one whose answer is lost stays unknown: {0}",
            failure);
      }
    }
  }

  /** The port at which it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  private void keep() {
    try {
      while (ledger == null && !isClosedAfter(BETWEEN_OPENINGS)) {
        openLedger();
      }
      while (!isClosedAfter(TURN)) {
        ledger().ifPresent(CommitLedger::turn);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosedAfter(Duration pause) throws InterruptedException {
    return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private Optional<CommitLedger> ledger() {
    return Optional.ofNullable(ledger);
  }

  /** Ends the connections of those who take nothing: their threads wait for that themselves. */
  private void watch() {
    try {
      while (!isClosedAfter(silence.dividedBy(LOOKS_IN_SILENCE))) {
        served.forEach(ServedLine::endIfStuck);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        if (greeting.size() >= GREETING_MAX) {
          LOG.log(
              Level.WARNING, "{0} connections show no secret; one more is refused.", GREETING_MAX);
          socket.close();
          continue;
        }
        greeting.add(socket);
        if (closed.getCount() == 0) {
          socket.close(); // it may have come too late to be closed with the others
        }
        Thread.ofVirtual().name("terrace-controller-session").start(() -> serve(socket));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          LOG.log(Level.WARNING, "A connection could not be accepted: {0}", e.getMessage());
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      LivingSocket.prepare(socket);
      ServedLine line = new ServedLine(socket, silence);
      int purpose = ControllerSecret.greet(socket, line.in(), line.out(), secret, database);
      served.add(line);
      greeting.remove(socket);
      try {
        serve(line, purpose);
        line.sayFarewell();
      } catch (SQLException e) {
        if (line.reason().isEmpty()) {
          line.write(Failures.answer(e));
        }
        line.sayFarewell();
      } finally {
        served.remove(line);
      }
    } catch (IOException | MalformedDataException e) {
      LOG.log(Level.DEBUG, "A connection ended: {0}", e.getMessage());
    } finally {
      greeting.remove(socket);
    }
  }

  private void serve(ServedLine line, int purpose) throws IOException, SQLException {
    Semaphore places =
        switch (purpose) {
          case ControllerFrame.FOR_SESSION -> sessionPlaces;
          case ControllerFrame.FOR_CANCEL -> cancelPlaces;
          default -> questionPlaces;
        };
    if (!places.tryAcquire()) {
      throw new SQLException(
          "The controller serves as many %s as it can already."
              .formatted(purpose == ControllerFrame.FOR_SESSION ? "sessions" : "questions"),
          "53300");
    }
    try {
      switch (purpose) {
        case ControllerFrame.FOR_SESSION -> session(line);
        case ControllerFrame.FOR_CANCEL -> answer(line, (request, _) -> cancel(request));
        case ControllerFrame.FOR_OUTCOME -> answer(line, this::outcome);
        default -> throw new SQLException("A connection is not for " + purpose + ".", "08004");
      }
    } finally {
      places.release();
    }
  }

  private void session(ServedLine line) throws IOException, SQLException {
    byte[] key = ControllerSecret.challenge();
    String name = HexFormat.of().formatHex(key);
    try (Connection connection = source.getConnection()) {
      ControllerSession session = new ControllerSession(connection, this::ledger);
      sessions.put(name, session);
      Encoder welcome = line.welcome();
      welcome.putBytes(key);
      welcome.putUnsigned(ControllerSession.turn(ledger()));
      welcome.putByte(CommitLedger.isMariaDb(connection) ? 1 : 0);
      line.write(welcome);
      session.serve(line);
    } finally {
      sessions.remove(name);
      if (!line.reason().isEmpty()) {
        LOG.log(
            Level.WARNING,
            "The session of {0} is ended, and what it has not committed is undone: {1}.",
            line.socket().getRemoteSocketAddress(),
            line.reason());
      }
    }
  }

  /** The answer to the one request of a connection that is for it. */
  private interface Question {
    int answer(Decoder request, AskedLedger asked) throws SQLException;
  }

  private static void answer(ServedLine line, Question question) throws IOException {
    line.write(line.welcome());
    AskedLedger asked = new AskedLedger();
    line.serve(
        new ServedLine.Service() {
          @Override
          public Encoder answer(Decoder request) throws SQLException {
            Encoder answer = ControllerFrame.of(ControllerFrame.DONE);
            answer.putByte(question.answer(request, asked));
            return answer;
          }

          @Override
          public void giveUp() {
            // Whoever asks again is told.
            asked.giveUp();
          }
        },
        QUESTION_BYTES_MAX);
  }

  private int cancel(Decoder request) throws SQLException {
    ControllerSession session = sessions.get(HexFormat.of().formatHex(request.getBytes()));
    if (session == null) {
      return 0;
    }
    session.cancel(request.getUnsigned());
    return 1;
  }

  private int outcome(Decoder request, AskedLedger asked) throws SQLException {
    // Whoever has a name has it of a ledger that is there, and will be here.
    CommitLedger kept =
        ledger()
            .orElseThrow(() -> new SQLException("The ledger of commits is not open yet.", "08007"));
    return kept.outcome(request.getString(), asked);
  }

  /** Ends all connections; the data source stays open. */
  @Override
  public void close() {
    closed.countDown();
    try {
      listener.close();
      for (Socket socket : greeting) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "While closing: {0}", e.getMessage());
    }
    served.forEach(ServedLine::close);
  }
}
