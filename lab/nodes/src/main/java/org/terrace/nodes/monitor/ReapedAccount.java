package org.terrace.nodes.monitor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A figure that the kernel counts for each process, such as its processor time or the bytes that it
 * wrote, of a whole tree of processes between two readings of each. When a process reaps a child,
 * the kernel adds all that was counted of the child to it ({@code wait(2)}, as {@code /proc/PID/io}
 * and the times of children in {@code /proc/PID/stat} show), so what was counted of the child
 * before is taken off again. No more is taken off than its ancestors came to: of a child whose end
 * the parent ignores, the kernel adds nothing to anybody. Confined to one thread.
 */
final class ReapedAccount {
  /**
   * The figure of a process in all, with those of the children it reaped.
   *
   * @param startTicks when it started, which with its number names it for good
   * @param parent the number of the process that is to reap it
   * @param ofChildren the part of it that may be of children it reaped
   */
  record Reading(long pid, long startTicks, long parent, long total, long ofChildren) {
    /** A figure of which all may be of children. */
    Reading(long pid, long startTicks, long parent, long total) {
      this(pid, startTicks, parent, total, total);
    }

    private Reading of(long newParent) {
      return new Reading(pid, startTicks, newParent, total, ofChildren);
    }
  }

  private Map<Long, Reading> before = Map.of();

  /** Yet to be taken off: a child was gone before its parent was seen to have got its part. */
  private long owed;

  /** The ancestors of which one is to get that, in the next reading or never. */
  private Set<Long> owing = Set.of();

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
    long gone = 0;
    Set<Long> heirs = new HashSet<>();
    for (Reading each : readings) {
      Reading last = same(each, before);
      came += each.total - (last == null ? 0 : last.total);
    }
    for (Reading each : before.values()) {
      if (same(each, now) != null) {
        continue;
      }
      OptionalLong parent = unreaped.apply(each);
      if (parent.isPresent()) {
        now.putIfAbsent(each.pid, each.of(parent.getAsLong()));
      } else if (addHeirs(each, now, heirs)) {
        gone += each.total;
      }
    }
    long got = got(heirs, now);
    long late = Math.min(owed, got);
    long taken = Math.min(gone, got - late);
    owed = gone - taken;
    owing = heirs;
    before = now;
    return Math.max(0, came - late - taken);
  }

  /** The most that came to processes from children, since the reading before. */
  private long got(Set<Long> heirs, Map<Long, Reading> now) {
    Set<Long> all = new HashSet<>(heirs);
    all.addAll(owing);
    long got = 0;
    for (long pid : all) {
      Reading last = before.get(pid);
      if (last != null) {
        Reading each = same(last, now);
        got += each == null ? 0 : each.ofChildren - last.ofChildren;
      }
    }
    return got;
  }

  /**
   * Adds the ancestors that are left, of which one may have got what a process did: that went from
   * one parent to the next. False if none is left.
   */
  private boolean addHeirs(Reading gone, Map<Long, Reading> now, Set<Long> heirs) {
    boolean found = false;
    Reading ancestor = before.get(gone.parent);
    for (int steps = 0; ancestor != null && steps < before.size(); steps++) {
      if (same(ancestor, now) != null) {
        heirs.add(ancestor.pid);
        found = true;
      }
      ancestor = before.get(ancestor.parent);
    }
    return found;
  }

  private static @Nullable Reading same(Reading one, Map<Long, Reading> among) {
    Reading other = among.get(one.pid);
    return other != null && other.startTicks == one.startTicks ? other : null;
  }
}
