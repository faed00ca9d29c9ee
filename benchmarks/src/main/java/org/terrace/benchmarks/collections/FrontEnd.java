package org.terrace.benchmarks.collections;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.SharedMap;

/**
 * The front end of a server, the same for every subject: each connection has a virtual thread that
 * reads one request after another, does it, and answers. Thread-safe.
 */
final class FrontEnd {
  static final int GET = 1;
  static final int PUT = 2;
  static final int FOUND = 3;
  static final int ABSENT = 4;
  static final int DONE = 5;
  static final int FAILED = 6;

  private static final int BACKLOG = 2_048;

  private final SharedMap map;

  private FrontEnd(SharedMap map) {
    this.map = map;
  }

  /** Begins to serve the map. */
  static void start(SharedMap map, String host, int port) throws IOException {
    ServerSocket listener = new ServerSocket(port, BACKLOG, InetAddress.ofLiteral(host));
    Thread.startVirtualThread(() -> new FrontEnd(map).accept(listener));
  }

  private void accept(ServerSocket listener) {
    try (listener) {
      while (true) {
        Socket socket = listener.accept();
        Thread.startVirtualThread(() -> serve(socket));
      }
    } catch (IOException e) {
      System.err.println("the front end has ended: " + e);
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      for (int operation = in.read(); operation >= 0; operation = in.read()) {
        answer(operation, in, out);
        out.flush();
      }
    } catch (IOException e) {
      System.err.println("a client has gone: " + e);
    }
  }

  private void answer(int operation, DataInputStream in, DataOutputStream out) throws IOException {
    String key = in.readUTF();
    String value = operation == PUT ? in.readUTF() : "";
    try {
      if (operation == PUT) {
        map.put(key, value);
        out.writeByte(DONE);
        return;
      }
      @Nullable String found = map.get(key);
      out.writeByte(found == null ? ABSENT : FOUND);
      if (found != null) {
        out.writeUTF(found);
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      out.writeByte(FAILED);
    }
  }
}
