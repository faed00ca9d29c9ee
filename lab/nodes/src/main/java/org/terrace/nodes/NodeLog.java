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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  private volatile @Nullable String refusal;

  NodeLog(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  void listen(Consumer<String> listener) {
    listeners.add(listener);
  }

  /**
   * Reads until the process closes its output, whatever becomes of the lines: a process whose
   * output nobody reads is stopped or killed by it. A listener that fails, and a file that cannot
   * be written, are told once. Called on a thread of its own.
   */
  void pump(InputStream output) {
    try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
        KeptLines kept = new KeptLines()) {
      Set<Consumer<String>> failed = new HashSet<>();
      for (String line = next(lines); line != null; line = next(lines)) {
        remember(line);
        kept.add(line);
        for (Consumer<String> listener : listeners) {
          hand(line, listener).filter(_ -> failed.add(listener)).ifPresent(kept::note);
        }
      }
    } catch (IOException e) {
      remember("what it printed could not be read to the end: " + e.getMessage());
    }
  }

  /** Hands a line to a listener, and says in a sentence that it failed, if it did. */
  private static Optional<String> hand(String line, Consumer<String> listener) {
    try {
      listener.accept(line);
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      return Optional.of("a reader of this log failed at the line above, which is told once: " + e);
    }
  }

  /** The file, up to its bound and for as long as it can be written. Confined to one thread. */
  private final class KeptLines implements AutoCloseable {
    private @Nullable Writer writer;
    private long written;
    private long dropped;

    KeptLines() {
      try {
        writer =
            Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        refused(e);
      }
    }

    void add(String line) {
      if (written < MAXIMUM_CHARACTERS) {
        write(line);
        written += line.length() + 1;
      } else {
        dropped++;
      }
    }

    /** Keeps a sentence about the lines, among the last ones as well. */
    void note(String sentence) {
      remember(sentence);
      write(sentence);
    }

    private void write(String line) {
      if (writer == null) {
        return;
      }
      try {
        writer.write(line + "\n");
        writer.flush();
      } catch (IOException e) {
        refused(e);
      }
    }

    private void refused(IOException why) {
      String sentence = "the log " + file + " could not be written: " + why.getMessage();
      refusal = sentence;
      remember(sentence);
      end();
    }

    private void end() {
      Writer last = writer;
      writer = null;
      try {
        if (last != null) {
          last.close();
        }
      } catch (IOException e) {
        remember("the log " + file + " could not be closed: " + e.getMessage());
      }
    }

    @Override
    public void close() {
      if (dropped > 0) {
        write(dropped + " further lines were not kept");
      }
      end();
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

  /** The reason for which the file lacks lines that were printed; empty if it could be written. */
  Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** The last lines, for an error message. */
  synchronized String tail() {
    return tail.isEmpty() ? "  (it printed nothing)" : "  " + String.join("\n  ", tail);
  }
}
