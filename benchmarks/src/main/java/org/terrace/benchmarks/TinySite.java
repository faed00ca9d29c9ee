package org.terrace.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.terrace.load.mix.Mix;

/**
 * A site of fixed pages for load generators to be measured against: each state of the board has one
 * page of about two kilobytes with a link to every other state. Started as {@code TinySite
 * ADDRESS}; prints {@code ready PORT} and ends when its standard input does.
 */
final class TinySite {
  private static final int BACKLOG = 4096;
  private static final int REQUEST_LIMIT = 16_384;
  private static final int FIRST_BUFFER = 1024;
  private static final byte[] CONTENT_LENGTH =
      "content-length: ".getBytes(StandardCharsets.US_ASCII);

  private final Map<String, byte[]> answers = new HashMap<>();
  private final byte[] notFound =
      "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private TinySite(List<String> states) {
    for (String state : states) {
      answers.put(path(state), answer(state, states));
    }
  }

  /** Serves until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    TinySite site = new TinySite(Mix.read(Mix.READ_WRITE).states());
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.ofLiteral(arguments[0]), 0), BACKLOG);
      System.out.println("ready " + server.getLocalPort());
      Thread.ofPlatform().daemon().start(() -> site.accept(server));
      byte[] ignored = new byte[64];
      while (System.in.read(ignored) >= 0) {
        // Only the end of the input matters.
      }
    }
  }

  private static String path(String state) {
    return state.equals("StoriesOfTheDay")
        ? "/"
        : "/" + state.replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static byte[] answer(String state, List<String> states) {
    StringBuilder page = new StringBuilder("<!DOCTYPE html><html><head><meta name=\"page\"");
    page.append(" content=\"").append(state).append("\"></head><body>\n");
    for (String to : states) {
      page.append("<a href=\"").append(path(to)).append("?story=17&amp;page=0\" data-page=\"");
      page.append(to).append("\">").append(to).append("</a>\n");
    }
    page.append("</body></html>\n");
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ";
    return (head + page.length() + "\r\n\r\n" + page).getBytes(StandardCharsets.US_ASCII);
  }

  private void accept(ServerSocket server) {
    try {
      while (true) {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      if (!server.isClosed()) {
        System.err.println("tiny site: " + e);
      }
    }
  }

  private void serve(Socket socket) {
    byte[] request = new byte[FIRST_BUFFER];
    int length = 0;
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      while (true) {
        int end = requestEnd(request, length);
        if (end > 0) {
          out.write(answers.getOrDefault(requestPath(request), notFound));
          System.arraycopy(request, end, request, 0, length - end);
          length -= end;
        } else {
          if (length == request.length) {
            if (length == REQUEST_LIMIT) {
              return;
            }
            request = Arrays.copyOf(request, 2 * length);
          }
          int read = in.read(request, length, request.length - length);
          if (read < 0) {
            return;
          }
          length += read;
        }
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        System.err.println("tiny site: " + e);
      }
    }
  }

  /** The length of the first whole request in the buffer, body included; 0 when it is not whole. */
  private static int requestEnd(byte[] bytes, int length) {
    for (int i = 3; i < length; i++) {
      if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
        int end = i + 1 + bodyLength(bytes, i);
        return end <= length ? end : 0;
      }
    }
    return 0;
  }

  private static int bodyLength(byte[] bytes, int headEnd) {
    for (int i = 0; i + CONTENT_LENGTH.length < headEnd; i++) {
      int matched = 0;
      while (matched < CONTENT_LENGTH.length
          && Character.toLowerCase(bytes[i + matched]) == CONTENT_LENGTH[matched]) {
        matched++;
      }
      if (matched == CONTENT_LENGTH.length) {
        int value = 0;
        for (int at = i + matched; Character.isDigit(bytes[at]); at++) {
          value = value * 10 + bytes[at] - '0';
        }
        return value;
      }
    }
    return 0;
  }

  private static String requestPath(byte[] bytes) {
    int from = 0;
    while (bytes[from] != ' ') {
      from++;
    }
    from++;
    int to = from;
    while (bytes[to] != ' ' && bytes[to] != '?') {
      to++;
    }
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
  }
}
