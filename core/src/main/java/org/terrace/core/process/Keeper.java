package org.terrace.core.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * A small process that outlives this one and ends what it keeps when this one is gone, even by
 * SIGKILL: it reads a pipe whose other end only this process holds, and the end of the pipe is the
 * death of its owner. It is a POSIX shell in a session of its own, so that a Ctrl-C at the terminal
 * or a signal to the whole group does not reach it.
 *
 * <p>It ends the processes that it was told of, those that descend from them or are in a session of
 * theirs, and those that carry its mark in their environment. The mark is inherited: it finds who
 * was started in the very moment of the owner's death, and who was left by a process in between.
 *
 * <p>Thread-safe. Linux only.
 */
public final class Keeper implements AutoCloseable {
  /** The marks of the keepers that a process belongs to, the outermost first. */
  private static final String MARKS = "TERRACE_KEEPERS";

  private static final Pattern MARK = Pattern.compile("k(\\d{1,18})\\.(\\d{1,18})\\.\\d+");
  private static final long CLOSE_SECONDS = 20;

  /**
   * The number of the last keeper. From the time of day, so that a program which replaces itself,
   * and keeps number and start time, gets other marks than it had; all are of one length, so that
   * none begins as another.
   */
  private static final AtomicLong NUMBER = new AtomicLong(TimeSource.system().epochNanos());

  private final String mark;
  private final Process process;
  private final BufferedWriter lines;

  private Keeper(String mark, Process process) {
    this.mark = mark;
    this.process = process;
    this.lines = process.outputWriter(StandardCharsets.UTF_8);
  }

  @GuardedBy("Keeper.class")
  private static @Nullable Keeper ofThisProcess;

  /**
   * The keeper of what is to end with this process, started at its first use.
   *
   * @throws TerraceException if this machine has no shell, no {@code setsid} or no /proc
   */
  public static synchronized Keeper ofThisProcess() {
    if (ofThisProcess == null) {
      ofThisProcess = start();
    }
    return ofThisProcess;
  }

  /**
   * A keeper of its own for some processes.
   *
   * @throws TerraceException if this machine has no shell, no {@code setsid} or no /proc
   */
  public static Keeper start() {
    long self = ProcessHandle.current().pid();
    String mark = "k" + self + "." + startTicks(self) + "." + NUMBER.incrementAndGet();
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "sh", "-c", script(), "terrace-keeper", mark);
    builder.directory(Path.of("/").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      return new Keeper(mark, builder.start());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the commands setsid and sh cannot be started ("
              + e.getMessage()
              + "); they are in Debian's packages util-linux and dash",
          e);
    }
  }

  private static String script() {
    try (InputStream stream = Keeper.class.getResourceAsStream("keeper.sh")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The start time of a process in ticks since the machine's: with its number, what tells it from
   * all others; 0 if it has ended.
   */
  public static long startTicks(long pid) {
    return ProcessStat.of(pid).map(ProcessStat::startTicks).orElse(0L);
  }

  /**
   * The processes that are alive of those whose keepers keep a process, the outermost first; none
   * if it is kept by nobody, its owners have ended, or this user may not see it.
   */
  public static List<Long> livingOwners(long pid) {
    List<Long> living = new ArrayList<>();
    try {
      String environment =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1);
      for (String variable : environment.split("\0", -1)) {
        Matcher mark = MARK.matcher(variable.startsWith(MARKS + "=") ? variable : "");
        while (mark.find()) {
          long owner = Long.parseLong(mark.group(1));
          if (!living.contains(owner) && startTicks(owner) == Long.parseLong(mark.group(2))) {
            living.add(owner);
          }
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return List.copyOf(living);
  }

  /**
   * Starts a process that this keeper keeps until it ends.
   *
   * @throws IOException if it cannot be started
   */
  public Process start(ProcessBuilder builder) throws IOException {
    Process started = startKept("add", builder);
    var _ = started.onExit().thenRun(() -> remove(started.pid()));
    return started;
  }

  /**
   * Starts a process in a session of its own, which a Ctrl-C at the terminal does not reach. The
   * whole session is kept, also when its first process has ended.
   *
   * @throws IOException if it cannot be started
   */
  public Process startSession(ProcessBuilder builder) throws IOException {
    return startKept("session", apart(builder));
  }

  /**
   * Starts a process in a session of its own, which a Ctrl-C at the terminal does not reach: its
   * owner hears of it alone, and ends the process in order. It is kept until it ends.
   *
   * @throws IOException if it cannot be started
   */
  public Process startApart(ProcessBuilder builder) throws IOException {
    return start(apart(builder));
  }

  /** The same program in a session of its own. */
  static ProcessBuilder apart(ProcessBuilder builder) {
    List<String> words = new ArrayList<>(List.of("setsid"));
    words.addAll(builder.command());
    return builder.command(words);
  }

  private Process startKept(String word, ProcessBuilder builder) throws IOException {
    builder.environment().merge(MARKS, mark, (outer, own) -> outer + " " + own);
    Process started = builder.start();
    try {
      ProcessStat.of(started.pid()).ifPresent(stat -> tell(line(word, stat)));
    } catch (TerraceException e) {
      started.destroyForcibly();
      throw e;
    }
    return started;
  }

  /** Keeps a process that what is kept has started. Passed over after the end. */
  public synchronized void add(ProcessStat other) {
    if (process.isAlive()) {
      // What leads none leaves none behind, and its number may be another session's later.
      tell(line(other.session() == other.pid() ? "session" : "add", other));
    }
  }

  private static String line(String word, ProcessStat stat) {
    return word + " " + stat.pid() + " " + stat.startTicks();
  }

  /** Keeps a process no longer by its number; its mark stays. Passed over after the end. */
  public synchronized void remove(long pid) {
    if (process.isAlive()) {
      tell("remove " + pid);
    }
  }

  /** Removes an empty directory at the end: a control group, which outlives its processes. */
  public void removeDirectory(Path directory) {
    tell("directory " + directory);
  }

  /**
   * Writes a line to a file of the kernel at the end, before what is kept is killed: it lifts a
   * limit in which a process could not end. Passed over where the file is gone by then.
   *
   * @param file its path has no blank
   */
  public void writeFirst(Path file, String line) {
    tell("write " + file + " " + line);
  }

  /**
   * Gives a file its content back at the end, as a note has it: its first line is the content, its
   * second the file's path. A note that is gone by then has been followed; one that is followed
   * goes. Where another note beside it, whose name differs in the numbers at its end, is about the
   * same file, that one's owner gives the content back.
   */
  public void restore(Path note) {
    tell("restore " + note);
  }

  /**
   * Lets what is kept live until no process is left that a file of this directory names: the file's
   * name is its number, the content its start time in ticks.
   */
  public void waitForHolders(Path directory) {
    tell("holders " + directory);
  }

  private synchronized void tell(String line) {
    try {
      lines.write(line + "\n");
      lines.flush();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED,
          "the keeper, process "
              + process.pid()
              + ", has ended before its owner did: without it nothing ends what was started here"
              + " if this process is killed; start it again",
          e);
    }
  }

  /** Lets go of the keeper as the end of this process does, without waiting for it. */
  public synchronized void release() {
    try {
      lines.close();
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }

  /** Ends what is left of those that are kept, and then the keeper itself. */
  @Override
  public synchronized void close() {
    try {
      lines.write("done\n");
      lines.close();
    } catch (IOException e) {
      // The keeper is gone already, which is what closing it is for.
      process.destroyForcibly();
    }
    try {
      if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
