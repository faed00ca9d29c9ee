package org.terrace.nodes.monitor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a tree of processes read and wrote between two readings of each. When a process
 * reaps a child, the kernel adds all that the child ever read and wrote to it ({@code wait(2)}, as
 * {@code /proc/PID/io} shows), so what was counted of the child before is taken off again. Confined
 * to one thread.
 */
final class DiskAccount {
  /**
   * The bytes that a process had read and written in all, with those of the children it reaped.
   *
   * @param startTicks when it started, which with its number names it for good
   * @param parent the number of the process that is to reap it
   */
  record Reading(long pid, long startTicks, long parent, long readBytes, long writtenBytes) {
    private Reading of(long newParent) {
      return new Reading(pid, startTicks, newParent, readBytes, writtenBytes);
    }
  }

  /** Numbers of bytes, none below 0. */
  record Bytes(long read, long written) {}

  private Map<Long, Reading> before = Map.of();

  /** Taken off too early: a child was gone before its parent was seen to have got its bytes. */
  private long readAhead;

  private long writtenAhead;

  /**
   * Takes the next reading and says what came to it since the one before. Of the first, all counts.
   *
   * @param readings parents before their children: a child that is reaped between the two is then
   *     missed for one reading, and not counted twice
   * @param unreaped the present parent of a process that is among the readings no more, if it has
   *     ended and nobody has reaped it yet
   */
  Bytes next(List<Reading> readings, Function<Reading, OptionalLong> unreaped) {
    Map<Long, Reading> now = new HashMap<>();
    readings.forEach(each -> now.put(each.pid, each));
    long read = 0;
    long written = 0;
    for (Reading each : readings) {
      Reading last = same(each, before);
      read += each.readBytes - (last == null ? 0 : last.readBytes);
      written += each.writtenBytes - (last == null ? 0 : last.writtenBytes);
    }
    for (Reading gone : before.values()) {
      if (same(gone, now) != null) {
        continue;
      }
      OptionalLong parent = unreaped.apply(gone);
      if (parent.isPresent()) {
        now.putIfAbsent(gone.pid, gone.of(parent.getAsLong()));
      } else if (isReapedWithin(gone, now)) {
        read -= gone.readBytes;
        written -= gone.writtenBytes;
      }
    }
    Bytes bytes = new Bytes(Math.max(0, read - readAhead), Math.max(0, written - writtenAhead));
    before = now;
    readAhead = Math.max(0, -read);
    writtenAhead = Math.max(0, -written);
    return bytes;
  }

  /** Whether an ancestor is left: what a process did went from one parent to the next. */
  private boolean isReapedWithin(Reading gone, Map<Long, Reading> now) {
    Reading ancestor = before.get(gone.parent);
    for (int steps = 0; ancestor != null && steps < before.size(); steps++) {
      if (same(ancestor, now) != null) {
        return true;
      }
      ancestor = before.get(ancestor.parent);
    }
    return false;
  }

  private static @Nullable Reading same(Reading one, Map<Long, Reading> among) {
    Reading other = among.get(one.pid);
    return other != null && other.startTicks == one.startTicks ? other : null;
  }
}
