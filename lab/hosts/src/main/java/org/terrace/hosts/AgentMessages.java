package org.terrace.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages between a runner and the agent of a host: one JSON object a line, in both
 * directions. A request has {@code id}, {@code do} and {@code with}; its answer has the same {@code
 * id} and either {@code is} or {@code failed}, with {@code code} and {@code message}. Without a
 * request the agent tells what a process printed ({@code process}, {@code output} in Base64), that
 * it prints no more ({@code silent}), and that it ended ({@code exit}). The first line of an agent
 * has its {@code agent} version and the host's {@code facts}. Reading is for one thread, writing
 * for any.
 */
final class AgentMessages {
  /** The version of the messages: both sides have the same. */
  static final int VERSION = 1;

  /** The longest message in characters. */
  static final int LONGEST = 4 << 20;

  /** The most bytes of a file or of a process's output in one message. */
  static final int CHUNK_BYTES = 256 << 10;

  private static final int LONGEST_SENTENCE = 64 << 10;

  static final JsonMapper JSON = JsonMapper.builder().build();

  private final BufferedReader in;
  private final OutputStream out;

  AgentMessages(InputStream in, OutputStream out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** The next line; null at the end. */
  @Nullable String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int read = in.read(); read >= 0; read = in.read()) {
      if (read == '\n') {
        return line.toString();
      }
      if (line.length() == LONGEST) {
        throw new IOException("a message of more than " + LONGEST + " characters");
      }
      line.append((char) read);
    }
    return line.isEmpty() ? null : line.toString();
  }

  /** The message of a line. */
  static JsonNode parse(String line) throws IOException {
    try {
      return JSON.readTree(line);
    } catch (JacksonException e) {
      throw new IOException("a line that is no JSON: " + shortened(line), e);
    }
  }

  /** The beginning of a line, for people. */
  static String shortened(String line) {
    return line.length() <= 200 ? line : line.substring(0, 200) + "...";
  }

  /** A sentence for people, of which no more than a message has room for is left. */
  static String bounded(String text) {
    return text.length() <= LONGEST_SENTENCE ? text : text.substring(0, LONGEST_SENTENCE) + "...";
  }

  /**
   * Sends a message, in one piece.
   *
   * @throws TerraceException if it is longer than the other side takes
   */
  void send(ObjectNode message) throws IOException {
    String text = JSON.writeValueAsString(message);
    if (text.length() > LONGEST) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "a message of %d characters, expected at most %d: %s"
              .formatted(text.length(), LONGEST, shortened(text)));
    }
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      out.write(bytes);
      out.flush();
    }
  }

  /** Ends the other side's input. */
  void close() throws IOException {
    out.close();
  }
}
