package org.terrace.invocation.transport;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.invocation.Profile;
import org.terrace.invocation.middleware.CallHandler;
import org.terrace.invocation.middleware.Listener;

/** The server's end: one thread a connection, which reads a call, runs it and writes its reply. */
final class TerraceListener implements Listener {
  private static final int BACKLOG = 1_024;
  private static final int HELLO_TIMEOUT_MILLIS = 5_000;
  private static final int HELLO_BYTES_MAX = 4_096;

  private final ServerSocket door;
  private final CallHandler handler;
  private final TransportOptions options;
  private final TransportCounters counters;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private TerraceListener(
      ServerSocket door,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters) {
    this.door = door;
    this.handler = handler;
    this.options = options;
    this.counters = counters;
  }

  static TerraceListener open(
      InetSocketAddress address,
      CallHandler handler,
      TransportOptions options,
      TransportCounters counters)
      throws IOException {
    ServerSocket door =
        options.tls().isPresent()
            ? options.tls().get().getServerSocketFactory().createServerSocket()
            : new ServerSocket();
    try {
      door.setReuseAddress(true);
      door.bind(address, BACKLOG);
    } catch (IOException e) {
      door.close();
      throw new IOException("cannot listen at " + address + ": " + e.getMessage(), e);
    }
    TerraceListener listener = new TerraceListener(door, handler, options, counters);
    Thread.ofPlatform().name("terrace-accept").daemon().start(listener::accept);
    return listener;
  }

  @Override
  public Profile profile(String replica) {
    InetAddress address = door.getInetAddress();
    return new Profile(
        replica, TerraceMiddleware.NAME, address.getHostAddress(), door.getLocalPort(), "");
  }

  private void accept() {
    while (!closed) {
      try {
        Socket socket = door.accept();
        if (connections.size() >= options.connectionsMax()) {
          counters.connectionsRefused.increment();
          socket.close();
          continue;
        }
        connections.add(socket);
        if (closed) {
          socket.close();
        }
        Thread.ofPlatform().name("terrace-call").daemon().start(() -> serve(socket));
      } catch (IOException e) {
        if (door.isClosed()) {
          return;
        }
        counters.connectionsRefused.increment();
      }
    }
  }

  private void serve(Socket socket) {
    try (FramedSocket frames = new FramedSocket(socket, options.frameBytesMax())) {
      if (greet(socket, frames)) {
        counters.connections.increment();
        serveCalls(frames);
      } else {
        counters.connectionsRefused.increment();
      }
    } catch (FrameTooLargeException e) {
      counters.framesTooLarge.increment();
    } catch (MalformedDataException e) {
      counters.framesMalformed.increment();
    } catch (IOException e) {
      // The client is gone: there is nobody to answer, and a new connection starts afresh.
    } finally {
      connections.remove(socket);
    }
  }

  private boolean greet(Socket socket, FramedSocket frames) throws IOException {
    socket.setSoTimeout(HELLO_TIMEOUT_MILLIS);
    Encoder out = new Encoder();
    Frames.Hello hello = Frames.getHello(new Decoder(frames.read(HELLO_BYTES_MAX)));
    String refusal = "";
    if (hello.version() != Frames.VERSION) {
      refusal = "version " + hello.version() + " is not spoken here, but " + Frames.VERSION;
    } else if (!Secrets.equal(hello.secret(), options.secret())) {
      refusal = "the secret is another";
    }
    if (refusal.isEmpty()) {
      Frames.putNumber(out, Frames.WELCOME, Frames.VERSION);
    } else {
      Frames.putText(out, Frames.REFUSAL, refusal);
    }
    frames.write(out);
    socket.setSoTimeout(0);
    return refusal.isEmpty();
  }

  private void serveCalls(FramedSocket frames) throws IOException {
    Encoder out = new Encoder();
    while (true) {
      byte[] frame;
      try {
        frame = frames.read();
      } catch (EOFException e) {
        return;
      }
      Decoder in = new Decoder(frame);
      int kind = in.getByte();
      if (kind == Frames.CALL) {
        Frames.NumberedCall call = Frames.getCall(in);
        var reply = handler.handle(call.request());
        if (call.request().replyWanted()) {
          Frames.putReply(out, call.number(), reply);
          frames.write(out);
        }
      } else if (kind == Frames.PING) {
        Frames.putNumber(out, Frames.PONG, in.getUnsigned());
        frames.write(out);
      } else if (kind != Frames.CANCEL) {
        throw new MalformedDataException("a frame of unknown kind " + kind);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      door.close();
    } catch (IOException alreadyGone) {
      // A door that fails to close is closed.
    }
    for (Socket socket : connections) {
      try {
        socket.close();
      } catch (IOException alreadyGone) {
        // A socket that fails to close is closed.
      }
    }
  }
}
