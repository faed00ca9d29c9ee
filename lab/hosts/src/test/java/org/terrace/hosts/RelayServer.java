package org.terrace.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A small HTTP server that asks the next one before it answers, if it has one. */
final class RelayServer {
  private static final int PATIENCE_MILLIS = 5_000;
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

  private RelayServer() {}

  /** Arguments: address, port, and perhaps address and port of the next one. */
  public static void main(String[] arguments) throws IOException {
    InetAddress own = InetAddress.ofLiteral(arguments[0]);
    try (ServerSocket listening = new ServerSocket(Integer.parseInt(arguments[1]), 50, own)) {
      System.out.println("ready");
      while (true) {
        Socket socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket, own, arguments));
      }
    }
  }

  private static void serve(Socket socket, InetAddress own, String[] arguments) {
    try (socket) {
      readRequest(socket);
      if (arguments.length > 2) {
        var _ = ask(own, InetAddress.ofLiteral(arguments[2]), Integer.parseInt(arguments[3]));
      }
      socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      System.out.println(e);
    }
  }

  private static void readRequest(Socket socket) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    String line = lines.readLine();
    while (line != null && !line.isEmpty()) {
      line = lines.readLine();
    }
  }

  /** Asks a server once, on a connection of its own, and gives what it says. */
  static String ask(InetAddress from, InetAddress address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(address, port), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(
          socket.getInputStream().readNBytes(ANSWER.length()), StandardCharsets.US_ASCII);
    }
  }
}
