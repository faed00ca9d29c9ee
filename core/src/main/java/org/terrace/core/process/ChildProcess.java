package org.terrace.core.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A process that this one started, and that ends with this one however it ends.
 *
 * <p>It says on standard output when it can be used, by a line {@code ready} with what its users
 * need to know behind. Its streams are for one thread at a time; all else is thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  /** How long a process may take until it is ready. */
  public static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private static final String READY = "ready";

  private final String name;
  private final Process process;
  private final BufferedReader output;

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts a process.
   *
   * @throws IOException if it cannot be started
   */
  public static ChildProcess start(ProcessBuilder builder) throws IOException {
    Process process = Keeper.ofThisProcess().start(builder);
    return new ChildProcess(nameOf(builder.command()) + ", process " + process.pid(), process);
  }

  /** The class that a JVM runs, or the program, for people. */
  private static String nameOf(List<String> command) {
    int main = command.indexOf("-cp") + 2;
    return command.contains("-cp") && main < command.size()
        ? command.get(main)
        : command.getFirst();
  }

  /** The words that run a class of this process's class path in a JVM with these options. */
  public static List<String> java(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Waits for the line {@code ready} and gives the words behind it; what is printed before is
   * passed over.
   *
   * @throws IOException if it ends before, or is not ready within {@link #READY_WITHIN}, which ends
   *     it
   */
  public List<String> awaitReady() throws IOException {
    String line = awaitLine(each -> each.equals(READY) || each.startsWith(READY + " "));
    List<String> words = List.of(line.split(" ", -1));
    return words.subList(1, words.size());
  }

  /**
   * Waits for a line on standard output and gives it; what is printed before is passed over.
   *
   * @throws IOException if it ends before, or says no such line within {@link #READY_WITHIN}, which
   *     ends it
   */
  public String awaitLine(Predicate<String> wanted) throws IOException {
    AtomicBoolean heard = new AtomicBoolean();
    AtomicBoolean late = new AtomicBoolean();
    CompletableFuture<Void> limit =
        CompletableFuture.runAsync(
            () -> {
              if (heard.compareAndSet(false, true)) {
                late.set(true);
                process.destroyForcibly();
              }
            },
            CompletableFuture.delayedExecutor(READY_WITHIN.toMillis(), TimeUnit.MILLISECONDS));
    String last = "";
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (wanted.test(line)) {
          return line;
        }
        last = line;
      }
    } finally {
      heard.set(true);
      limit.cancel(false);
    }
    String why =
        late.get()
            ? "was not ready within " + READY_WITHIN.toSeconds() + " s"
            : "ended before it was ready";
    throw new IOException(name + " " + why + (last.isEmpty() ? "" : "; it said last: " + last));
  }

  /** What it prints from here on. */
  public BufferedReader output() {
    return output;
  }

  /** The process itself. */
  public Process process() {
    return process;
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends it a signal by name, for example {@code STOP}. */
  public void signal(String signal) throws IOException {
    signal(signal, pid());
  }

  /**
   * Sends a process a signal by name, for example {@code STOP}.
   *
   * @throws IOException if there is no such process or signal, or it belongs to somebody else
   */
  public static void signal(String signal, long pid) throws IOException {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
      if (kill.waitFor() != 0) {
        throw new IOException("kill -" + signal + " " + pid + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a signal was sent");
    }
  }

  /** Runs a task once another process has ended, at once if it is gone already. */
  public static void whenEnded(long pid, Runnable task) {
    Instant own = ProcessHandle.current().info().startInstant().orElse(Instant.MAX);
    ProcessHandle other = ProcessHandle.of(pid).orElse(null);
    // Whoever asks about a process was told its number by it: one that is younger has got it since.
    if (other == null || other.info().startInstant().orElse(Instant.MIN).isAfter(own)) {
      task.run();
    } else {
      var _ = other.onExit().thenRun(task);
    }
  }

  /** Ends it as a crash does, without waiting. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Asks it to end, and kills it if it does not within that time. */
  public void end(Duration within) {
    process.destroy();
    try {
      if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
        close();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Kills it and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
