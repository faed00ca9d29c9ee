package org.terrace.cluster.controller;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * A controller's end of an application's connection: one request at a time and its answer. It ends
 * when the application goes, when nothing is heard of it for a time, not even a sign of life, and
 * when it takes nothing of an answer for as long. What is under way then is given up. Its requests
 * are answered by one thread; {@link #endIfStuck} is for any.
 */
final class ServedLine {
  /** Somebody who answers requests. */
  interface Service {
    /** The answer to a request. */
    Encoder answer(Decoder request) throws SQLException;

    /** Gives up what is under way, as nobody waits for it any more. Called by another thread. */
    void giveUp();
  }

  private static final byte[] NO_MORE = {};
  private static final long BETWEEN_WORDS_MILLIS = 100;
  private static final int REST_BYTES = 4_096;

  private final Socket socket;
  private final Duration silence;
  private final DataInputStream in;
  private final WatchedOutput watched;
  private final DataOutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  /** The request that is not yet taken, and that there are no more. */
  private final BlockingQueue<byte[]> requests = new ArrayBlockingQueue<>(2);

  private final CountDownLatch over = new CountDownLatch(1);

  /** Whether a request was read whose answer is not being written yet. */
  private volatile boolean atWork;

  private volatile String reason = "";

  /**
   * The end of an accepted connection.
   *
   * @param silence for how long nothing may be heard of the application, or taken by it
   */
  ServedLine(Socket socket, Duration silence) throws IOException {
    this.socket = socket;
    this.silence = silence;
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.watched = new WatchedOutput(socket.getOutputStream(), TimeSource.system());
    this.out = new DataOutputStream(new BufferedOutputStream(watched));
  }

  Socket socket() {
    return socket;
  }

  DataInputStream in() {
    return in;
  }

  DataOutputStream out() {
    return out;
  }

  /** The first word of an answer to who was let in: that it was, and what it is to keep to. */
  Encoder welcome() {
    Encoder welcome = ControllerFrame.of(ControllerFrame.DONE);
    welcome.putUnsigned(silence.toMillis());
    return welcome;
  }

  /** The reason why the controller ended it; empty: the application went. */
  String reason() {
    return reason;
  }

  /** Writes a frame. */
  void write(Encoder frame) throws IOException {
    writing.lock();
    try {
      atWork = false;
      ControllerFrame.write(out, frame);
    } finally {
      writing.unlock();
    }
  }

  /** Answers requests until the end of the connection. */
  void serve(Service service, int bytesMax) throws IOException {
    socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
    Thread.ofVirtual()
        .name("terrace-controller-reader")
        .start(() -> {
          try {
            read(bytesMax);
          } finally {
            requests.clear();
            requests.add(NO_MORE);
            giveUp(service);
          }
        });
    try {
      answerAll(service);
    } finally {
      over.countDown();
    }
  }

  private void answerAll(Service service) throws IOException {
    byte[] request = next();
    while (request.length > 0) {
      Encoder answer;
      try {
        answer = service.answer(new Decoder(request));
      } catch (SQLException e) {
        answer = Failures.answer(e);
      } catch (MalformedDataException e) {
        write(Failures.answer(ControllerFrame.unreadable(e)));
        return;
      }
      write(answer);
      request = next();
    }
  }

  private byte[] next() {
    try {
      return requests.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return NO_MORE;
    }
  }

  /** Says it again and again: what is given up may only be about to begin. */
  private void giveUp(Service service) {
    try {
      do {
        service.giveUp();
      } while (!over.await(BETWEEN_WORDS_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(int bytesMax) {
    try {
      while (true) {
        byte[] frame = ControllerFrame.read(in, bytesMax);
        if (ControllerFrame.isBeat(frame)) {
          beat();
        } else {
          if (atWork) {
            reason = "a request came before the last was answered";
            return;
          }
          atWork = true;
          requests.add(frame);
        }
      }
    } catch (SocketTimeoutException e) {
      reason = "nothing was heard of the application for %d ms".formatted(silence.toMillis());
    } catch (IOException e) {
      // It went, or was ended.
    }
  }

  /** Returns a sign of life while its application waits for an answer: it reads nothing else. */
  private void beat() throws IOException {
    if (writing.tryLock()) {
      try {
        if (atWork) {
          ControllerFrame.write(out, ControllerFrame.of(ControllerFrame.BEAT));
        }
      } finally {
        writing.unlock();
      }
    }
  }

  /** Ends it if the application takes nothing. */
  void endIfStuck() {
    if (watched.isStuck(silence.toNanos())) {
      reason = "the application took nothing of an answer for %d ms".formatted(silence.toMillis());
      close();
    }
  }

  /** Tells an application that is still there why the connection ended, if it was not its wish. */
  void sayFarewell() throws IOException {
    if (!reason.isEmpty() && !socket.isClosed()) {
      Encoder farewell = ControllerFrame.of(ControllerFrame.ENDED);
      farewell.putString(reason);
      write(farewell);
      socket.shutdownOutput();
      readOut();
    }
  }

  /** Reads what still comes for a time: a socket that is closed with it takes back what it sent. */
  private void readOut() throws IOException {
    Deadline deadline = Deadline.in(TimeSource.system(), silence.toMillis());
    byte[] rest = new byte[REST_BYTES];
    int read = 0;
    while (read >= 0 && !deadline.isOver()) {
      socket.setSoTimeout(deadline.leftMillis());
      read = in.read(rest);
    }
  }

  /** Ends the connection; whoever reads or writes it fails. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // What cannot be closed is gone already.
    }
  }
}
