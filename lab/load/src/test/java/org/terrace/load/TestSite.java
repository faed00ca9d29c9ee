package org.terrace.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.RubbosTransitions;

/** A small HTTP server of the tests' own, whose answers are bytes, so that they may be wrong. */
final class TestSite implements AutoCloseable {
  /** The states of the board and the method that reaches each. */
  static final List<String> STATES = Mix.read(Mix.READ_WRITE).states();

  /** An answer that ends with this is the last of its connection. */
  static final String END_AFTER_THIS = "<!--the connection ends-->";

  final Queue<Received> received = new ConcurrentLinkedQueue<>();
  final AtomicInteger connections = new AtomicInteger();
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private final ServerSocket server;
  private final Handler handler;

  TestSite(Handler handler) throws IOException {
    this.handler = handler;
    this.server = new ServerSocket(0, 1000, InetAddress.getByName("127.16.1.1"));
    Thread.ofVirtual().start(this::accept);
  }

  record Received(
      String method,
      String target,
      Map<String, String> headers,
      String body,
      int connection,
      String peer) {
    /** The state that the address names, as the board spells addresses. */
    String state() {
      String path = target.replaceAll("\\?.*", "").substring(1);
      if (path.isEmpty()) {
        return "StoriesOfTheDay";
      }
      StringBuilder name = new StringBuilder();
      for (String word : path.split("-", -1)) {
        name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
      return name.toString();
    }
  }

  /** Answers a request with bytes; null closes the connection instead. */
  interface Handler {
    byte @Nullable [] answer(Received request) throws IOException;
  }

  URI uri() {
    return URI.create("http://127.16.1.1:" + server.getLocalPort());
  }

  int port() {
    return server.getLocalPort();
  }

  /** Every page leads everywhere, by links, and by forms to the states that write. */
  static TestSite board() throws IOException {
    return new TestSite(request -> ok(page(request.state()), "Set-Cookie: visit=1; Path=/\r\n"));
  }

  static String page(String state) {
    StringBuilder page =
        new StringBuilder("<!DOCTYPE html><html><head><meta name=\"page\" content=\"")
            .append(state)
            .append("\"></head><body>");
    for (String to : STATES) {
      String address = address(to);
      if (RubbosTransitions.WRITES.contains(to)) {
        page.append("<form method=\"post\" action=\"").append(address);
        page.append("\" data-page=\"").append(to).append("\">");
        page.append("<input type=\"hidden\" name=\"story\" value=\"17\">");
        page.append("<input name=\"subject\"><textarea name=\"body\"></textarea></form>");
      } else {
        page.append("<a href=\"").append(address).append("?story=1&amp;page=2\" data-page=\"");
        page.append(to).append("\">x</a>");
      }
    }
    return page.append("</body></html>\n").toString();
  }

  static String address(String state) {
    return state.equals("StoriesOfTheDay")
        ? "/"
        : "/" + state.replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  static byte[] ok(String page, String headers) {
    return bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
            + headers
            + "Content-Length: "
            + page.getBytes(StandardCharsets.UTF_8).length
            + "\r\n\r\n"
            + page);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        int number = connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket, number));
      }
    } catch (IOException e) {
      closeConnections(); // closing the server ends it
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Received request;
      while ((request = read(in, number, socket.getInetAddress().getHostAddress())) != null) {
        received.add(request);
        byte[] answer = handler.answer(request);
        if (answer == null) {
          return;
        }
        socket.getOutputStream().write(answer);
        if (new String(answer, StandardCharsets.UTF_8).endsWith(END_AFTER_THIS)) {
          return;
        }
      }
    } catch (IOException e) {
      open.remove(socket); // the client went away, which tests do on purpose
    }
  }

  private static @Nullable Received read(InputStream in, int number, String peer)
      throws IOException {
    String first = line(in);
    if (first == null) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    String header;
    while ((header = line(in)) != null && !header.isEmpty()) {
      String[] parts = header.split(": ", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    String[] words = first.split(" ", 3);
    return new Received(words[0], words[1], headers, body, number, peer);
  }

  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int value;
    while ((value = in.read()) != '\n') {
      if (value < 0) {
        return null;
      }
      line.write(value);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  void closeConnections() {
    Socket socket;
    while ((socket = open.poll()) != null) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    closeConnections();
  }
}
