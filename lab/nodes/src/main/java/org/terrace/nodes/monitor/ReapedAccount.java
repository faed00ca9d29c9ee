package org.terrace.nodes.monitor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A figure that the kernel counts for each process, such as its processor time or the bytes that it
 * wrote, of a whole tree of processes between two readings of each. When a process reaps a child,
 * the kernel adds all that was counted of the child to it ({@code wait(2)}, as {@code /proc/PID/io}
 * and the times of children in {@code /proc/PID/stat} show), so what was counted of the child
 * before is taken off again. Confined to one thread.
 */
final class ReapedAccount {
  /**
   * The figure of a process in all, with those of the children it reaped.
   *
   * @param startTicks when it started, which with its number names it for good
   * @param parent the number of the process that is to reap it
   */
  record Reading(long pid, long startTicks, long parent, long total) {
    private Reading of(long newParent) {
      return new Reading(pid, startTicks, newParent, total);
    }
  }

  private Map<Long, Reading> before = Map.of();

  /** Taken off too early: a child was gone before its parent was seen to have got its part. */
  private long ahead;

  /**
   * Takes the next reading and says what came to it since the one before, never below 0. Of the
   * first, all counts.
   *
   * @param readings parents before their children: a child that is reaped between the two is then
   *     missed for one reading, and not counted twice
   * @param unreaped the present parent of a process that is among the readings no more, if it has
   *     ended and nobody has reaped it yet
   */
  long next(List<Reading> readings, Function<Reading, OptionalLong> unreaped) {
    Map<Long, Reading> now = new HashMap<>();
    readings.forEach(each -> now.put(each.pid, each));
    long came = 0;
    for (Reading each : readings) {
      Reading last = same(each, before);
      came += each.total - (last == null ? 0 : last.total);
    }
    for (Reading gone : before.values()) {
      if (same(gone, now) != null) {
        continue;
      }
      OptionalLong parent = unreaped.apply(gone);
      if (parent.isPresent()) {
        now.putIfAbsent(gone.pid, gone.of(parent.getAsLong()));
      } else if (isReapedWithin(gone, now)) {
        came -= gone.total;
      }
    }
    long counted = Math.max(0, came - ahead);
    before = now;
    ahead = Math.max(0, -came);
    return counted;
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
