package org.terrace.core.process;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The processes that began with one which leads a session: itself, its descendants, and those of
 * the session, also once it has ended. Descendants in other sessions are known from then on if they
 * were noted before. Thread-safe.
 */
public final class ProcessFamily {
  private final long first;
  private final long firstTicks;
  private final Map<Long, Long> noted = new HashMap<>();

  /** The family of a process that has just been started. */
  public ProcessFamily(long first) {
    this.first = first;
    this.firstTicks = Keeper.startTicks(first);
  }

  /**
   * Notes those that are there, and gives their numbers. Costs a read for each process of the
   * machine.
   *
   * @param onNew takes each that was not noted before
   */
  public synchronized List<Long> note(Consumer<ProcessStat> onNew) {
    Map<Long, ProcessStat> all = new HashMap<>();
    ProcessTree.allProcesses()
        .forEach(pid -> ProcessStat.of(pid).ifPresent(stat -> all.put(pid, stat)));
    Map<Long, ProcessStat> members = new LinkedHashMap<>();
    boolean grown = true;
    while (grown) {
      grown = false;
      for (ProcessStat stat : all.values()) {
        if (stat.isAlive() && !members.containsKey(stat.pid()) && belongs(stat, all, members)) {
          members.put(stat.pid(), stat);
          grown = true;
        }
      }
    }
    for (ProcessStat member : members.values()) {
      Long before = noted.put(member.pid(), member.startTicks());
      if (before == null || before != member.startTicks()) {
        onNew.accept(member);
      }
    }
    return List.copyOf(members.keySet());
  }

  private boolean belongs(
      ProcessStat stat, Map<Long, ProcessStat> all, Map<Long, ProcessStat> members) {
    Long ticks = noted.get(stat.pid());
    return (stat.pid() == first && stat.startTicks() == firstTicks)
        || (ticks != null && ticks == stat.startTicks())
        || members.containsKey(stat.parent())
        || (stat.session() == first && isItsSession(stat, all.get(first)));
  }

  /** The kernel gives no number of a session to another process while it has members. */
  private boolean isItsSession(ProcessStat member, @Nullable ProcessStat leader) {
    return (leader == null || leader.startTicks() == firstTicks)
        && member.startTicks() >= firstTicks;
  }
}
