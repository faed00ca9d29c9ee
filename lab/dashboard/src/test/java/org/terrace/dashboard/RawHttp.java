package org.terrace.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Requests that are sent as they are written, however wrong, to a server on loopback. */
final class RawHttp {
  private static final Duration WITHIN = Duration.ofSeconds(30);

  private RawHttp() {}

  /**
   * An answer.
   *
   * @param status its status; 0 where the connection was closed without one
   * @param head its status line and headers
   * @param body its body as text, byte for byte a character
   */
  record Answer(int status, List<String> head, String body) {
    /** The values of a header. */
    List<String> all(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return head.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .toList();
    }

    /** The first value of a header; empty if it is not there. */
    String header(String name) {
      return all(name).stream().findFirst().orElse("");
    }

    /** The body as the text that it is. */
    String text() {
      return new String(body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
  }

  /** A usual request. */
  static Answer get(int port, String target, String... headers) {
    return ask(port, "GET", target, "localhost:" + port, "", headers);
  }

  /** A request with its line and its headers as they are. */
  static Answer ask(
      int port, String method, String target, String host, String body, String... headers) {
    StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    Stream.concat(
            Stream.of("Host: " + host, "Connection: close", "Content-Length: " + body.length()),
            Stream.of(headers))
        .filter(line -> !line.equals("Host: "))
        .forEach(line -> request.append(line).append("\r\n"));
    return send(port, request + "\r\n" + body);
  }

  /** Sends a text and reads until the end of the connection. */
  static Answer send(int port, String request) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) WITHIN.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return answer(
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
    } catch (SocketException e) {
      return new Answer(0, List.of(), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Answer answer(String text) {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      return new Answer(0, List.of(), text);
    }
    List<String> head = text.substring(0, end).lines().toList();
    String body = text.substring(end + 4);
    boolean chunked =
        head.stream().anyMatch(line -> line.equalsIgnoreCase("Transfer-encoding: chunked"));
    return new Answer(
        Integer.parseInt(head.getFirst().split(" ", 3)[1]), head, chunked ? joined(body) : body);
  }

  private static String joined(String chunks) {
    StringBuilder body = new StringBuilder();
    int at = 0;
    while (at < chunks.length()) {
      int line = chunks.indexOf("\r\n", at);
      int length = line < 0 ? 0 : Integer.parseInt(chunks.substring(at, line).strip(), 16);
      if (length == 0) {
        break;
      }
      body.append(chunks, line + 2, line + 2 + length);
      at = line + 2 + length + 2;
    }
    return body.toString();
  }
}
