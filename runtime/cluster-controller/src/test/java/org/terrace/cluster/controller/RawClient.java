package org.terrace.cluster.controller;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/** A client of a controller that does what it is told, and sends signs of life without end. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final ReentrantLock writing = new ReentrantLock();
  private int welcome;

  private RawClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(socket.getOutputStream());
  }

  /** A client with a session at a controller without a secret. */
  static RawClient connect(int port) throws IOException {
    return connect(port, ControllerFrame.FOR_SESSION);
  }

  /** A client for something else than a session. */
  static RawClient connect(int port, int purpose) throws IOException {
    RawClient client = new RawClient(new Socket(InetAddress.getLoopbackAddress(), port));
    Decoder greeting = new Decoder(ControllerFrame.read(client.in, ControllerFrame.BYTES_MAX));
    greeting.getByte();
    Encoder answer = new Encoder();
    answer.putByte(ControllerFrame.VERSION);
    answer.putString("shop");
    answer.putBytes(ControllerSecret.answer("", greeting.getBytes()));
    answer.putByte(purpose);
    client.send(answer);
    client.welcome = client.answer();
    return client;
  }

  /** Whether the controller took it. */
  boolean isLetIn() {
    return welcome == ControllerFrame.DONE;
  }

  void send(Encoder frame) throws IOException {
    writing.lock();
    try {
      ControllerFrame.write(out, frame);
    } finally {
      writing.unlock();
    }
  }

  /** Sends a text without values. */
  void sendStatement(long number, String sql) throws IOException {
    Encoder request = ControllerFrame.of(ControllerFrame.EXECUTE);
    request.putUnsigned(number);
    request.putString("");
    request.putString(sql);
    request.putByte(0);
    request.putByte(0);
    request.putByte(0);
    for (int i = 0; i < 4; i++) {
      request.putUnsigned(0);
    }
    request.putByte(0);
    request.putByte(1);
    request.putUnsigned(0);
    send(request);
  }

  /** Begins a transaction. */
  void begin() throws IOException {
    Encoder request = ControllerFrame.of(ControllerFrame.AUTO_COMMIT);
    request.putUnsigned(0);
    request.putString("");
    send(request);
    answer();
  }

  /** The first byte of the next answer. */
  int answer() throws IOException {
    byte[] frame;
    do {
      frame = ControllerFrame.read(in, ControllerFrame.BYTES_MAX);
    } while (ControllerFrame.isBeat(frame));
    return frame[0];
  }

  /** The reason for the end of the connection, past all answers. */
  String farewell() throws IOException {
    Decoder frame;
    do {
      frame = new Decoder(ControllerFrame.read(in, ControllerFrame.BYTES_MAX));
    } while (frame.getByte() != ControllerFrame.ENDED);
    return frame.getString();
  }

  /** Sends a sign of life; says whether the controller takes it. */
  boolean beat() {
    try {
      send(ControllerFrame.of(ControllerFrame.BEAT));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
