package org.terrace.core.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.StringTokenizer;

/**
 * A process as the kernel describes it in {@code /proc/PID/stat}. Immutable.
 *
 * @param pid its number
 * @param state its state, for example {@code S} asleep, {@code T} stopped, {@code Z} dead but
 *     unreaped
 * @param parent the number of its parent
 * @param session the number of its session, which is that of the process that began it
 * @param cpuTicks the CPU time of all its threads, in ticks of {@value #TICKS_PER_SECOND} a second
 * @param reapedTicks that of the children that it has reaped, and of those that they had, likewise
 * @param startTicks when it started, in ticks since the machine did: with the number it names a
 *     process for good
 */
public record ProcessStat(
    long pid,
    char state,
    long parent,
    long session,
    long cpuTicks,
    long reapedTicks,
    long startTicks) {
  /** Ticks a second in /proc: fixed for programs on Linux, whatever the kernel's own timer. */
  public static final int TICKS_PER_SECOND = 100;

  private static final Path UPTIME = Path.of("/proc/uptime");

  /** The process of a number; empty when there is none. */
  public static Optional<ProcessStat> of(long pid) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat"));
      return Optional.of(parse(pid, new String(bytes, StandardCharsets.ISO_8859_1)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether it can still run: neither gone nor waiting to be reaped. */
  public boolean isAlive() {
    return state != 'Z' && state != 'X';
  }

  /**
   * The time since it started, to a tick; empty where the kernel does not tell, or tells of another
   * machine's start, as a container may.
   */
  public Optional<Duration> age() {
    try {
      String uptime = Files.readString(UPTIME, StandardCharsets.ISO_8859_1);
      double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
      long ticks = Math.round(seconds * TICKS_PER_SECOND) - startTicks;
      return ticks < 0
          ? Optional.empty()
          : Optional.of(Duration.ofSeconds(ticks).dividedBy(TICKS_PER_SECOND));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The command name may hold spaces and brackets, so fields are counted from its last bracket. */
  static ProcessStat parse(long pid, String line) {
    StringTokenizer fields = new StringTokenizer(line.substring(line.lastIndexOf(')') + 1));
    String[] values = new String[20];
    for (int index = 0; index < values.length; index++) {
      values[index] = fields.nextToken();
    }
    return new ProcessStat(
        pid,
        values[0].charAt(0),
        Long.parseLong(values[1]),
        Long.parseLong(values[3]),
        Long.parseLong(values[11]) + Long.parseLong(values[12]),
        Long.parseLong(values[13]) + Long.parseLong(values[14]),
        Long.parseLong(values[19]));
  }
}
