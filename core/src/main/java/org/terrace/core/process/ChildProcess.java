package org.terrace.core.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * A process that this one started, and that ends with this one however it ends.
 *
 * <p>It says on standard output when it can be used, by a line {@code ready} with what its users
 * need to know behind. Its streams are for one thread at a time; all else is thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  /** The time that a process may take until it is ready. */
  public static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private static final String READY = "ready";
  private static final String KILL = "kill -s \"$1\" -- \"$2\"";

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

  /**
   * Waits for the line {@code ready} and gives the words behind it; what is printed before is
   * passed over.
   *
   * @throws IOException if it ends before, or is not ready within {@link #READY_WITHIN}, which ends
   *     it
   */
  public List<String> awaitReady() throws IOException {
    String line = awaitLine(ReadyWait.word(READY));
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
    ReadyWait wait = new ReadyWait(process, wanted);
    AtomicReference<String> last = new AtomicReference<>("");
    Thread reader = Thread.ofVirtual().name(name).start(() -> readUntilHeard(wait, last));
    try {
      String why =
          switch (wait.await(READY_WITHIN)) {
            case READY -> {
              // It must have stopped reading before somebody else begins.
              reader.join();
              yield "";
            }
            case ENDED -> "ended before it was ready";
            case LATE -> "was not ready within " + READY_WITHIN.toSeconds() + " s";
          };
      if (why.isEmpty()) {
        return wait.line().orElseThrow();
      }
      process.destroyForcibly();
      String words = last.get();
      throw new IOException(name + " " + why + (words.isEmpty() ? "" : "; it said last: " + words));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(name + " was not waited for any longer, and ended");
    }
  }

  private void readUntilHeard(ReadyWait wait, AtomicReference<String> last) {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (wait.heard(line)) {
          return;
        }
        last.set(line);
      }
    } catch (IOException e) {
      last.set(String.valueOf(e.getMessage()));
    }
    wait.outputEnded();
  }

  /** The output of the process from here on. */
  public BufferedReader output() {
    return output;
  }

  /** The process itself. */
  public Process process() {
    return process;
  }

  /** The number of the process. */
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
    int status = kill(signal, Long.toString(pid));
    if (status != 0) {
      throw new IOException("kill -" + signal + " " + pid + " failed");
    }
  }

  /** Sends all processes of a group a signal; passed over where none is left. */
  static void signalGroup(String signal, long group) {
    try {
      var _ = kill(signal, "-" + group);
    } catch (IOException e) {
      assert e != null; // whoever sends it strikes the group's leader by another way, too
    }
  }

  /**
   * The exit status of the shell's own {@code kill}, the one that needs nobody who ends it. Some
   * machines have no program of that name, and the shell is there for the keeper in any case. What
   * is sent to whom are words of the script, not its text.
   */
  private static int kill(String signal, String target) throws IOException {
    Process kill = new ProcessBuilder("sh", "-c", KILL, "sh", signal, target).start();
    try {
      return kill.waitFor();
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
