package org.terrace.protocols.decoder;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A relay between real clients and a real server on loopback, which writes down what both say. What
 * a client says is noted before the server can answer it.
 */
public final class RecordingRelay implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 << 10;

  private final ServerSocket listener;
  private final int serverPort;
  private final List<Script> conversations = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private RecordingRelay(int serverPort) throws IOException {
    this.serverPort = serverPort;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** A relay to a server. */
  public static RecordingRelay to(int serverPort) throws IOException {
    RecordingRelay relay = new RecordingRelay(serverPort);
    Thread.ofVirtual().start(relay::accept);
    return relay;
  }

  /** The port for clients. */
  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Script script = new Script();
        synchronized (conversations) {
          conversations.add(script);
          threads.add(Thread.ofVirtual().start(() -> copy(client, server, script, true)));
          threads.add(Thread.ofVirtual().start(() -> copy(server, client, script, false)));
        }
      }
    } catch (IOException e) {
      // The relay is closed.
    }
  }

  private static void copy(Socket from, Socket to, Script script, boolean ofClient) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream input = from.getInputStream();
      for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
        byte[] said = Arrays.copyOf(buffer, count);
        synchronized (script) {
          if (ofClient) {
            script.client(said);
          } else {
            script.server(said);
          }
        }
        to.getOutputStream().write(said);
      }
    } catch (IOException e) {
      // The other side is gone, and so is this one.
    }
  }

  /** The number of lines of each conversation so far, in the order in which they were begun. */
  public List<Integer> linesSoFar() {
    synchronized (conversations) {
      return conversations.stream()
          .map(script -> {
            synchronized (script) {
              return script.lines();
            }
          })
          .toList();
    }
  }

  /** The conversations so far, when all of them are over. */
  public List<Script> conversations() throws InterruptedException {
    List<Thread> copying;
    synchronized (conversations) {
      copying = List.copyOf(threads);
    }
    for (Thread thread : copying) {
      thread.join();
    }
    synchronized (conversations) {
      return List.copyOf(conversations);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
