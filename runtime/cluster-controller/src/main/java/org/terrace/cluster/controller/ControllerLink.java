package org.terrace.cluster.controller;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/** An application's connection to a controller. One caller at a time; others wait. */
final class ControllerLink {
  private static final String BROKEN = "08006";

  private final ControllerUrl place;
  private final Socket socket = new Socket();
  private final ReentrantLock turn = new ReentrantLock();
  private final DataInputStream in;
  private final DataOutputStream out;
  private final String product;
  private final String version;

  private ControllerLink(ControllerUrl place) throws IOException, SQLException {
    this.place = place;
    if (!place.localAddress().isEmpty()) {
      socket.bind(new InetSocketAddress(place.localAddress(), 0));
    }
    socket.connect(new InetSocketAddress(place.host(), place.port()), place.connectMillis());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(place.answerMillis());
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    Decoder greeting = new Decoder(ControllerFrame.read(in, ControllerFrame.BYTES_MAX));
    greeting.getByte();
    Encoder answer = new Encoder();
    answer.putByte(ControllerFrame.VERSION);
    answer.putString(place.database());
    answer.putBytes(ControllerSecret.answer(place.secret(), greeting.getBytes()));
    ControllerFrame.write(out, answer);
    Decoder welcome = checked(ControllerFrame.read(in, ControllerFrame.BYTES_MAX));
    this.product = welcome.getString();
    this.version = welcome.getString();
  }

  static ControllerLink open(ControllerUrl place) throws SQLException {
    try {
      return new ControllerLink(place);
    } catch (IOException | MalformedDataException e) {
      throw new SQLException(
          "The controller at %s port %d cannot be reached (%s)."
              .formatted(place.host(), place.port(), e.getMessage()),
          "08001",
          e);
    }
  }

  ControllerUrl place() {
    return place;
  }

  /** The database system that the controller's servers have. */
  String product() {
    return product;
  }

  String version() {
    return version;
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // What cannot be closed is gone already.
    }
  }

  void timeout(int millis) throws SQLException {
    try {
      socket.setSoTimeout(millis);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Sends a request and waits for its answer, past its first byte, which is not a failure. */
  Decoder call(Encoder request) throws SQLException {
    turn.lock();
    try {
      if (socket.isClosed()) {
        throw new SQLException("The connection is closed.", "08003");
      }
      ControllerFrame.write(out, request);
      return checked(ControllerFrame.read(in, ControllerFrame.BYTES_MAX));
    } catch (IOException | MalformedDataException e) {
      close();
      throw broken(e);
    } finally {
      turn.unlock();
    }
  }

  /** Sends a request without values. */
  void call(int kind) throws SQLException {
    Encoder request = new Encoder();
    request.putByte(kind);
    call(request);
  }

  private SQLException broken(Exception cause) {
    return new SQLException(
        "The controller at %s port %d does not answer (%s): whether a commit that was under way took effect is not known."
            .formatted(place.host(), place.port(), cause),
        BROKEN,
        cause);
  }

  private static Decoder checked(byte[] frame) throws SQLException {
    Decoder answer = new Decoder(frame);
    if (answer.getByte() == ControllerFrame.FAILED) {
      String message = answer.getString();
      String state = answer.getString();
      throw new SQLException(message, state, (int) answer.getSigned());
    }
    return answer;
  }
}
