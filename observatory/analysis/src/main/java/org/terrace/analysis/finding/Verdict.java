package org.terrace.analysis.finding;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.EventKinds;

/**
 * The conclusion of an analysis: a sentence, and the values it is made of. Immutable.
 *
 * @param sentence plain text, one or two sentences, without markup
 * @param congestsFirst the server whose load exceeds its congestion point first as load grows; null
 *     when no server's congestion point is identifiable
 * @param stalls one entry a server that stalled and did not only wait, the longest total first
 */
public record Verdict(String sentence, @Nullable String congestsFirst, List<StallSummary> stalls) {

  /** Copies the stalls. */
  public Verdict {
    stalls = List.copyOf(stalls);
  }

  /**
   * The stalls of one server in which it did not wait for another.
   *
   * @param server its name
   * @param count how many there were
   * @param totalMillis their total length
   * @param longestMillis the length of the longest
   * @param longestStartSeconds when the longest began, in seconds from the start of the analysed
   *     stretch
   * @param causes the kinds of events that overlap them, the most frequent first
   */
  public record StallSummary(
      String server,
      int count,
      double totalMillis,
      double longestMillis,
      double longestStartSeconds,
      List<CauseSummary> causes) {

    /** Copies the causes. */
    public StallSummary {
      causes = List.copyOf(causes);
    }
  }

  /** The number of a server's stalls that the events of one kind on one node overlap. */
  public record CauseSummary(String kind, String node, int stalls) {
    /** The events as words: {@code GC pauses of app2}. */
    public String words() {
      String what =
          switch (kind) {
            case EventKinds.GC_PAUSE -> "GC pauses of ";
            case EventKinds.SAFEPOINT -> "safepoints of ";
            case EventKinds.CPU_THROTTLED -> "throttling of ";
            case EventKinds.FAULT_KILL -> "the kill of ";
            case EventKinds.FAULT_PAUSE -> "the pause of ";
            case EventKinds.FAULT_GC_PRESSURE -> "GC pressure on ";
            case EventKinds.FAULT_CPU -> "processor load on ";
            case EventKinds.FAULT_MEMORY -> "memory taken beside ";
            case EventKinds.FAULT_DELAY -> "delayed packets of ";
            case EventKinds.FAULT_LOCK_CONVOY -> "a lock convoy in ";
            case EventKinds.MONITOR_WAIT -> "waits for monitors in ";
            case EventKinds.THREAD_PINNED -> "pinned threads of ";
            case EventKinds.COMPILATION -> "compilation in ";
            case EventKinds.ALLOCATION_STALL -> "stalls of allocation in ";
            case EventKinds.FILE_SYNC -> "flushes of files by ";
            case EventKinds.CHECKPOINT -> "checkpoints of ";
            case EventKinds.CHECKPOINT_SYNC -> "flushes of checkpoints of ";
            case EventKinds.LOCK_WAIT -> "waits for locks in ";
            case EventKinds.DEADLOCK -> "deadlocks in ";
            case EventKinds.CONNECTION_LIMIT -> "refused connections of ";
            case EventKinds.DATABASE_DOWN -> "the restart of ";
            case EventKinds.CPU_STEAL -> "stolen processor time of ";
            case EventKinds.RUN_DELAY -> "threads that wait for a processor of ";
            case EventKinds.CPU_PRESSURE -> "pressure for processors of ";
            case EventKinds.MEMORY_PRESSURE -> "pressure for memory of ";
            case EventKinds.IO_PRESSURE -> "pressure for storage of ";
            case EventKinds.MEMORY_RECLAIM -> "reclaim of memory on ";
            case EventKinds.WRITEBACK -> "write-back on ";
            case EventKinds.LISTEN_OVERFLOW -> "overflows of accept queues on ";
            case EventKinds.FREQUENCY_LOW -> "low frequency of ";
            default -> kind + " on ";
          };
      return what + node;
    }
  }
}
