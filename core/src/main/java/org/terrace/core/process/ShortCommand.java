package org.terrace.core.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.terrace.core.TerraceException;

/**
 * A program that is run to its end, with bounds of its time and its output. What it prints is read
 * while it runs, so that a full pipe cannot hold it up. It leads a session of its own, which a
 * Ctrl-C at the terminal does not reach; it is killed with all that it started where it exceeds a
 * bound, where whoever waits for it is interrupted, and where this process ends in any way. Once it
 * has ended, what is left of its session's first group is killed too; an output that something else
 * then still holds open is not known to be whole, which is a failure. No shell reads the words:
 * they reach the program as they are. Immutable; Linux only.
 *
 * @param words the program and its arguments
 * @param input the text on its standard input, which ends behind it
 * @param environment variables beside those of this process, or in their place
 * @param directory the directory that it runs in; empty for that of this process
 * @param within the time that it may take
 * @param outputBytesMax the most that it may print
 * @param hasErrors whether its standard error is part of its output; it is thrown away otherwise
 * @param isKept whether a {@link Keeper} ends it if this process dies; its time does otherwise
 */
public record ShortCommand(
    List<String> words,
    String input,
    Map<String, String> environment,
    Optional<Path> directory,
    Duration within,
    int outputBytesMax,
    boolean hasErrors,
    boolean isKept) {
  private static final Duration DEFAULT_WITHIN = Duration.ofSeconds(10);
  private static final int DEFAULT_OUTPUT_BYTES_MAX = 1 << 20;

  /** The time in which the output of a program that has ended is still read from its pipe. */
  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(1);

  private static final String NOT_WHOLE = "its output did not end when it did, and may be cut off";

  private static final int BUFFER_BYTES = 8_192;

  /**
   * The program begins once this process has opened the pipe of its output by itself. A process'
   * own stream ends with the process whenever nobody reads in that very moment, whoever else still
   * writes: what they write would be lost, and the output taken for a whole one.
   */
  private static final List<String> ONCE_READ =
      List.of("sh", "-c", "read -r line && exec \"$@\"", "sh");

  /**
   * The end of a command.
   *
   * @param status its exit status, 127 where there is no such program; empty if it was killed here
   * @param output the text that it has printed, at most as much as it was permitted
   * @param failure the reason why it failed, a clause such as {@code exit status 3}; empty if it
   *     ended with 0
   */
  public record Result(OptionalInt status, String output, String failure) {
    /** Whether it ended with 0 and within its bounds. */
    public boolean isSuccess() {
      return failure.isEmpty();
    }

    /** The output, if it was a success. */
    public Optional<String> successfulOutput() {
      return isSuccess() ? Optional.of(output) : Optional.empty();
    }
  }

  /** Copies the words and the environment. */
  public ShortCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** A command without input, which may take 10 s and print 1 MiB. */
  public static ShortCommand of(List<String> words) {
    return new ShortCommand(
        words,
        "",
        Map.of(),
        Optional.empty(),
        DEFAULT_WITHIN,
        DEFAULT_OUTPUT_BYTES_MAX,
        true,
        true);
  }

  /** A command without input, which may take 10 s and print 1 MiB. */
  public static ShortCommand of(String... words) {
    return of(List.of(words));
  }

  /** The same with a text on its standard input. */
  public ShortCommand withInput(String text) {
    return new ShortCommand(
        words, text, environment, directory, within, outputBytesMax, hasErrors, isKept);
  }

  /** The same with other variables beside those of this process. */
  public ShortCommand withEnvironment(Map<String, String> variables) {
    return new ShortCommand(
        words, input, variables, directory, within, outputBytesMax, hasErrors, isKept);
  }

  /** The same in another directory. */
  public ShortCommand withDirectory(Path place) {
    return new ShortCommand(
        words, input, environment, Optional.of(place), within, outputBytesMax, hasErrors, isKept);
  }

  /** The same with another limit of its time. */
  public ShortCommand withWithin(Duration limit) {
    return new ShortCommand(
        words, input, environment, directory, limit, outputBytesMax, hasErrors, isKept);
  }

  /** The same with another limit of its output. */
  public ShortCommand withOutputBytesMax(int bytes) {
    return new ShortCommand(words, input, environment, directory, within, bytes, hasErrors, isKept);
  }

  /** The same, whose standard error is thrown away. */
  public ShortCommand withoutErrors() {
    return new ShortCommand(
        words, input, environment, directory, within, outputBytesMax, false, isKept);
  }

  /**
   * The same for a process that is about to replace itself, which its keeper would take for its
   * end: nothing ends the command if this process dies while it waits.
   */
  public ShortCommand unkept() {
    return new ShortCommand(
        words, input, environment, directory, within, outputBytesMax, hasErrors, false);
  }

  /**
   * Runs it and waits for its end. That it fails is a result, no error.
   *
   * @throws InterruptedIOException if this thread is interrupted, which it then still is
   * @throws IOException if nothing can be started or kept here
   */
  public Result run() throws IOException {
    Process process = start();
    InputStream pipe = openOutput(process);
    Output output = new Output(outputBytesMax);
    // Pipes hold a virtual thread's carrier, and whoever keeps this one open may do so for long.
    Thread reader = Thread.ofPlatform().daemon().start(() -> output.readAll(pipe));
    Thread.ofPlatform().daemon().start(() -> write(process.getOutputStream()));
    boolean isWhole;
    try {
      String excess = awaitEnd(process, output);
      if (!excess.isEmpty()) {
        endAll(process);
        var _ = reader.join(LAST_WORDS_WITHIN);
        return new Result(OptionalInt.empty(), output.text(), excess);
      }
      isWhole = reader.join(LAST_WORDS_WITHIN);
      endAll(process); // something that it started may live on, and hold its output open
      isWhole = isWhole || reader.join(LAST_WORDS_WITHIN);
    } catch (InterruptedException e) {
      endAll(process);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          words.getFirst() + " was not waited for any longer, and ended");
    }
    int status = process.exitValue();
    String failure =
        output.isTooLong()
            ? tooLong()
            : status != 0 ? "exit status " + status : isWhole ? "" : NOT_WHOLE;
    return new Result(OptionalInt.of(status), output.text(), failure);
  }

  private Process start() throws IOException {
    List<String> line = new ArrayList<>(ONCE_READ);
    line.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(environment);
    directory.ifPresent(place -> builder.directory(place.toFile()));
    if (hasErrors) {
      builder.redirectErrorStream(true);
    } else {
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    }
    if (!isKept) {
      return Keeper.apart(builder).start();
    }
    try {
      return Keeper.ofThisProcess().startApart(builder);
    } catch (TerraceException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static InputStream openOutput(Process process) throws IOException {
    try {
      InputStream pipe =
          new FileInputStream(Path.of("/proc", Long.toString(process.pid()), "fd", "1").toFile());
      process.getInputStream().close(); // at the end it would take what is left in the pipe
      return pipe;
    } catch (IOException e) {
      endAll(process);
      throw e;
    }
  }

  /** Waits for its end or until it exceeds a bound; the clause that names it, empty if none. */
  private String awaitEnd(Process process, Output output) throws InterruptedException {
    try {
      CompletableFuture.anyOf(process.onExit(), output.tooLong)
          .get(within.toNanos(), TimeUnit.NANOSECONDS);
      return output.isTooLong() ? tooLong() : "";
    } catch (TimeoutException e) {
      return "it did not end within " + within.toMillis() + " ms";
    } catch (ExecutionException e) {
      throw new IllegalStateException("neither of the two can fail", e);
    }
  }

  private String tooLong() {
    return "it printed more than " + outputBytesMax + " bytes";
  }

  private void write(OutputStream pipe) {
    try (pipe) {
      pipe.write('\n');
      pipe.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      assert e != null; // it does not read, which is its own affair
    }
  }

  /** Kills a command and all that it started. */
  private static void endAll(Process process) {
    if (!process.isAlive()) {
      // Those whose parents have ended are nobody's children, but still of its group.
      ChildProcess.signalGroup("KILL", process.pid());
      return;
    }
    ChildProcess.signalGroup("STOP", process.pid()); // what is stopped starts nothing more
    List<ProcessHandle> started = process.descendants().toList();
    ChildProcess.signalGroup("KILL", process.pid());
    started.forEach(ProcessHandle::destroyForcibly);
    // By its handle, since the process itself closes the pipe with its last words.
    process.toHandle().destroyForcibly();
  }

  /** The output of a command, of which no more is kept than it may print. Thread-safe. */
  private static final class Output {
    private final int bytesMax;
    private final CompletableFuture<Boolean> tooLong = new CompletableFuture<>();

    @GuardedBy("this")
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    Output(int bytesMax) {
      this.bytesMax = bytesMax;
    }

    void readAll(InputStream pipe) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try (pipe) {
        for (int read = pipe.read(buffer); read >= 0; read = pipe.read(buffer)) {
          if (!take(buffer, read)) {
            tooLong.complete(true);
            return;
          }
        }
      } catch (IOException e) {
        assert e != null; // it was killed
      }
    }

    private synchronized boolean take(byte[] buffer, int count) {
      int room = bytesMax - kept.size();
      kept.write(buffer, 0, Math.min(room, count));
      return count <= room;
    }

    boolean isTooLong() {
      return tooLong.isDone();
    }

    synchronized String text() {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }
}
