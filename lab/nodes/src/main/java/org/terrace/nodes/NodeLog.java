package org.terrace.nodes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a process prints to its log file and hands each line to whoever listens. A file is
 * bounded by {@value #MAXIMUM_CHARACTERS} characters; what is printed beyond is counted.
 * Thread-safe.
 */
final class NodeLog {
  static final long MAXIMUM_CHARACTERS = 64L << 20;
  static final int TAIL_LINES = 15;

  /** A longer line is several: a program may print forever without ending one. */
  static final int LONGEST_LINE = 1 << 16;

  private static final int LONGEST_IN_TAIL = 500;

  private final Path file;
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private final Deque<String> tail = new ArrayDeque<>();

  NodeLog(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  void listen(Consumer<String> listener) {
    listeners.add(listener);
  }

  /** Copies until the process closes its output. Called on a thread of its own. */
  void pump(InputStream output) {
    long written = 0;
    long dropped = 0;
    try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
        Writer writer =
            Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (String line = next(lines); line != null; line = next(lines)) {
        remember(line);
        for (Consumer<String> listener : listeners) {
          listener.accept(line);
        }
        if (written < MAXIMUM_CHARACTERS) {
          writer.write(line + "\n");
          writer.flush();
          written += line.length() + 1;
        } else {
          dropped++;
        }
      }
      if (dropped > 0) {
        writer.write(dropped + " further lines were not kept\n");
      }
    } catch (IOException e) {
      remember("the log " + file + " could not be written: " + e.getMessage());
    }
  }

  /** The next line, or as much of one as a line may have; null at the end. */
  private static @Nullable String next(BufferedReader reader) throws IOException {
    StringBuilder line = new StringBuilder();
    int read = reader.read();
    if (read < 0) {
      return null;
    }
    while (read >= 0 && read != '\n' && line.length() < LONGEST_LINE) {
      line.append((char) read);
      read = reader.read();
    }
    if (read >= 0 && read != '\n') {
      line.append((char) read);
    }
    int length = line.length();
    return length > 0 && line.charAt(length - 1) == '\r'
        ? line.substring(0, length - 1)
        : line.toString();
  }

  private synchronized void remember(String line) {
    tail.addLast(
        line.length() > LONGEST_IN_TAIL ? line.substring(0, LONGEST_IN_TAIL) + "..." : line);
    if (tail.size() > TAIL_LINES) {
      tail.removeFirst();
    }
  }

  /** The last lines, for an error message. */
  synchronized String tail() {
    return tail.isEmpty() ? "  (it printed nothing)" : "  " + String.join("\n  ", tail);
  }
}
