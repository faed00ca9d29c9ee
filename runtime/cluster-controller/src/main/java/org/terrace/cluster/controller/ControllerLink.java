package org.terrace.cluster.controller;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * An application's connection to a controller. One caller at a time; others wait. It sends signs of
 * life as long as it is open, and ends when none come while an answer is waited for.
 */
final class ControllerLink {
  /** The failure of a connection whose answer, if there was one, did not arrive. */
  static final class BrokenException extends Exception {
    private static final long serialVersionUID = 1;

    BrokenException(Throwable cause) {
      super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }
  }

  /** The reason for which a controller ended a connection, as it told it. */
  private static final class EndedException extends IOException {
    private static final long serialVersionUID = 1;

    EndedException(String reason) {
      super("the controller ended the connection: " + reason);
    }
  }

  /** An answer that is no failure. */
  record Answer(int kind, Decoder content) {}

  private static final long BETWEEN_ROUNDS_MILLIS = 20;

  /** The signs of life that are sent in the time after which a silence ends a connection. */
  private static final int BEATS_IN_SILENCE = 4;

  /** A request of more bytes may fill what lies between the two ends. */
  private static final int SHORT_BYTES = 8 << 10;

  private static final int FAREWELL_MILLIS = 100;

  /** The controller of each URL that was reached last, which is asked first. */
  private static final Map<String, Integer> REACHED = new ConcurrentHashMap<>();

  private final ControllerUrl place;
  private final int number;
  private final Socket socket = new Socket();
  private final ReentrantLock turn = new ReentrantLock();
  private final ReentrantLock writing = new ReentrantLock();
  private final TimedInput timed;
  private final DataInputStream in;
  private final WatchedOutput watched;
  private final DataOutputStream out;

  /** The words with which the controller took the connection. */
  private final Decoder welcome;

  /**
   * The time for which a controller may be silent that is at work on a request, or hears nothing.
   */
  private final int silenceMillis;

  private volatile int answerMillis;
  private volatile int underWayBytes;
  private volatile @Nullable Future<?> beats;

  private ControllerLink(ControllerUrl place, int number, int purpose, Deadline deadline)
      throws IOException, SQLException {
    this.place = place;
    this.number = number;
    this.answerMillis = place.answerMillis();
    ControllerUrl.Address address = place.addresses().get(number);
    boolean whole = false;
    try {
      if (!place.localAddress().isEmpty()) {
        socket.bind(new InetSocketAddress(place.localAddress(), 0));
      }
      socket.connect(new InetSocketAddress(address.host(), address.port()), deadline.leftMillis());
      LivingSocket.prepare(socket);
      this.timed = new TimedInput(socket, deadline);
      this.in = new DataInputStream(new BufferedInputStream(timed));
      this.watched = new WatchedOutput(socket.getOutputStream(), TimeSource.system());
      this.out = new DataOutputStream(new BufferedOutputStream(watched));
      Decoder greeting = new Decoder(ControllerFrame.read(in, ControllerFrame.BYTES_MAX));
      greeting.getByte();
      Encoder answer = new Encoder();
      answer.putByte(ControllerFrame.VERSION);
      answer.putString(place.database());
      answer.putBytes(ControllerSecret.answer(place.secret(), greeting.getBytes()));
      answer.putByte(purpose);
      ControllerFrame.write(out, answer);
      this.welcome = read().content();
      this.silenceMillis = welcome.getCount(Integer.MAX_VALUE);
      timed.silence(silenceMillis);
      whole = true;
    } finally {
      if (!whole) {
        close();
      }
    }
  }

  /**
   * Connects to the first of the controllers that takes connections. Of several, one may be about
   * to take over: they are asked until {@code connectMillis} are over.
   */
  static ControllerLink open(ControllerUrl place, int purpose) throws SQLException {
    return open(place, purpose, Deadline.orNever(place.connectMillis()));
  }

  /**
   * Connects as {@link #open(ControllerUrl, int)} does, within a time of its own. One that takes
   * connections and says nothing uses up no more than its share of that.
   */
  static ControllerLink open(ControllerUrl place, int purpose, Deadline deadline)
      throws SQLException {
    int many = place.addresses().size();
    while (true) {
      SQLException failure = null;
      int first = REACHED.getOrDefault(place.url(), 0);
      for (int i = 0; i < many; i++) {
        int number = (first + i) % many;
        try {
          Deadline share = deadline.share(many - i).within(place.connectMillis());
          ControllerLink link = new ControllerLink(place, number, purpose, share);
          REACHED.put(place.url(), number);
          link.begin();
          return link;
        } catch (IOException | MalformedDataException e) {
          ControllerUrl.Address address = place.addresses().get(number);
          failure =
              new SQLException(
                  "The controller at %s port %d cannot be reached (%s)."
                      .formatted(address.host(), address.port(), e.getMessage()),
                  "08001",
                  e);
        }
      }
      if (failure != null && (many == 1 || deadline.isOver())) {
        throw failure;
      }
      if (!pause()) {
        throw new SQLException("Interrupted while a controller was looked for.", "08001", failure);
      }
    }
  }

  private void begin() {
    beats = Heartbeats.begin(this, socket, Math.max(1, silenceMillis / BEATS_IN_SILENCE));
    if (socket.isClosed()) {
      close();
    }
  }

  /** Sends a sign of life, and gives the connection up if the other end takes nothing. */
  void beat() {
    if (watched.isStuck(TimeUnit.MILLISECONDS.toNanos(silenceMillis))) {
      close();
    } else if (underWayBytes > SHORT_BYTES) {
      // What is under way may be in the way, which others' signs of life must not wait for.
      Thread.ofVirtual().name("terrace-controller-beat").start(this::write);
    } else {
      write();
    }
  }

  private void write() {
    if (writing.tryLock()) {
      try {
        ControllerFrame.write(out, ControllerFrame.of(ControllerFrame.BEAT));
      } catch (IOException e) {
        // Whoever uses the connection next is told.
      } finally {
        writing.unlock();
      }
    }
  }

  /** Waits for a moment; false: the thread was interrupted, and still is. */
  static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_ROUNDS_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  ControllerUrl place() {
    return place;
  }

  Decoder welcome() {
    return welcome;
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  void close() {
    Future<?> beating = beats;
    if (beating != null) {
      beating.cancel(false);
    }
    try {
      socket.close();
    } catch (IOException e) {
      // What cannot be closed is gone already.
    }
  }

  /** Waits so long for each answer from now on; 0: without end. */
  void timeout(int millis) {
    answerMillis = millis;
  }

  /** Sends a request and waits for its answer; a connection that breaks is told of as such. */
  Answer ask(Encoder request) throws SQLException, BrokenException {
    return ask(request, Deadline.orNever(answerMillis));
  }

  /** Sends a request and waits for its answer until a moment. */
  Answer ask(Encoder request, Deadline deadline) throws SQLException, BrokenException {
    turn.lock();
    try {
      if (socket.isClosed()) {
        throw Handlers.closed("connection");
      }
      timed.until(deadline);
      send(request);
      return read();
    } catch (IOException | MalformedDataException e) {
      close();
      if (e instanceof SocketTimeoutException) {
        // The next is asked first: this one may take connections all the same.
        REACHED.put(place.url(), (number + 1) % place.addresses().size());
      }
      throw new BrokenException(e);
    } finally {
      underWayBytes = 0;
      turn.unlock();
    }
  }

  private void send(Encoder request) throws IOException {
    underWayBytes = request.length();
    writing.lock();
    try {
      ControllerFrame.write(out, request);
    } catch (IOException e) {
      // It may have said why it ended the connection.
      timed.until(Deadline.orNever(FAREWELL_MILLIS));
      try {
        read();
      } catch (EndedException told) {
        throw told;
      } catch (IOException | SQLException | MalformedDataException nothing) {
        e.addSuppressed(nothing);
      }
      throw e;
    } finally {
      writing.unlock();
    }
  }

  /** The next answer, past signs of life. */
  private Answer read() throws IOException, SQLException {
    byte[] frame;
    do {
      frame = ControllerFrame.read(in, ControllerFrame.BYTES_MAX);
    } while (ControllerFrame.isBeat(frame));
    return checked(frame);
  }

  /** Sends a request that commits nothing, and gives its answer. */
  Decoder call(Encoder request) throws SQLException {
    try {
      return ask(request).content();
    } catch (BrokenException e) {
      throw broken(e, " The transaction, if there was one, is undone.");
    }
  }

  /**
   * Sends a request that commits nothing, and ends the connection unless it is answered in time.
   */
  Decoder call(Encoder request, Deadline deadline) throws SQLException {
    try {
      if (!turn.tryLock(deadline.leftMillis(), TimeUnit.MILLISECONDS)) {
        throw broken(null, " Another statement of it is under way.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw broken(e, "");
    }
    try {
      return ask(request, deadline).content();
    } catch (BrokenException e) {
      throw broken(e, " The transaction, if there was one, is undone.");
    } finally {
      turn.unlock();
    }
  }

  static SQLException broken(@Nullable Throwable cause, String what) {
    return new SQLException(
        "The controller does not answer (%s).%s"
            .formatted(cause == null ? "" : cause.getMessage(), what),
        "08006",
        cause);
  }

  private static Answer checked(byte[] frame) throws IOException, SQLException {
    Decoder answer = new Decoder(frame);
    int kind = answer.getByte();
    if (kind == ControllerFrame.FAILED) {
      throw Failures.read(answer);
    }
    if (kind == ControllerFrame.ENDED) {
      throw new EndedException(answer.getString());
    }
    return new Answer(kind, answer);
  }
}
