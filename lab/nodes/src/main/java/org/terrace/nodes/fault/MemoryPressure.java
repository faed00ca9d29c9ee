package org.terrace.nodes.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Uninterrupted;
import org.terrace.nodes.Launch;
import org.terrace.nodes.LocalHost;
import org.terrace.nodes.MemoryUse;

/**
 * Processes beside a server that take memory within its limit and keep it, so that the kernel has
 * to take back the pages of files that the server reads again. Several of them share it: where the
 * server comes to need more, the kernel ends one of them, which it is told to prefer, and no other.
 * They end with this process. Confined to one thread.
 */
public final class MemoryPressure implements Hold {
  /** Takes memory by filling a buffer, and waits forever for somebody to read it. */
  private static final String TAKE =
      "echo 1000 >/proc/self/oom_score_adj && exec dd if=/dev/zero bs=\"$0\" count=1 iflag=fullblock";

  /** The most processes that share the memory. */
  private static final int MOST_PROCESSES = 32;

  private static final long LEAST_BYTES = 4L << 20;
  private static final int POLLS = 250;
  private static final long POLL_MILLIS = 20;
  private static final long PAGE_BYTES = 4096;

  /** The part of what was to be taken that may be missing: one of so many. */
  private static final int MISSING_PART = 10;

  private final String server;
  private final LocalHost host;
  private final UnaryOperator<List<String>> group;
  private final long limitBytes;
  private final Supplier<MemoryUse> use;
  private final double share;
  private final List<Taker> taking = new ArrayList<>();
  private long plannedBytes;
  private long faultsBefore;

  /** A process that takes so many bytes. */
  private record Taker(Process process, long bytes) {
    /** The resident memory that it shares with nobody; 0 when it is gone. */
    long ownBytes() {
      try {
        String[] pages =
            Files.readString(Path.of("/proc/" + process.pid() + "/statm")).split(" ", -1);
        return (Long.parseLong(pages[1]) - Long.parseLong(pages[2])) * PAGE_BYTES;
      } catch (IOException e) {
        return 0;
      }
    }

    /** Whether it has taken its bytes, or is gone. */
    boolean isDone() {
      return !process.isAlive() || ownBytes() >= bytes;
    }
  }

  /**
   * The pressure on a server, which has not begun.
   *
   * @param host the machine, whose keeper ends the processes when this one dies
   * @param group gives the command that joins the server's own control group and then becomes
   *     another
   * @param limitBytes the limit of that group
   * @param use reads what the group has now
   * @param share the part of the limit, above 0 and below 1, that the server and these processes
   *     come to together, pages of files left out
   */
  public MemoryPressure(
      String server,
      LocalHost host,
      UnaryOperator<List<String>> group,
      long limitBytes,
      Supplier<MemoryUse> use,
      double share) {
    this.server = server;
    this.host = host;
    this.group = group;
    this.limitBytes = limitBytes;
    this.use = use;
    this.share = share;
  }

  @Override
  public void begin() {
    MemoryUse before = use.get();
    faultsBefore = before.majorFaults();
    long missing = (long) (share * limitBytes) - before.keptBytes();
    if (missing < LEAST_BYTES) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "memory: %s itself has %d of the %d bytes of its limit, which leaves nothing to take up to a share of %s; give it more memory, or the fault a greater share"
              .formatted(server, before.keptBytes(), limitBytes, share));
    }
    plannedBytes = missing;
    long each = Math.max(LEAST_BYTES, missing / MOST_PROCESSES);
    try {
      for (long left = missing; left > 0; ) {
        // The last takes what would be too little for one more.
        long bytes = left - each < LEAST_BYTES ? left : each;
        List<String> work = List.of("sh", "-c", TAKE, Long.toString(bytes));
        Process process =
            host.start(
                new Launch(
                    "memory of " + server, group.apply(work), Map.of(), Path.of("/"), false));
        taking.add(new Taker(process, bytes));
        left -= bytes;
      }
      awaitTaken();
    } catch (IOException e) {
      var _ = stop();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "memory: nothing can be started beside %s (%s)".formatted(server, e.getMessage()),
          e);
    }
    Optional<TerraceException> shortfall = shortfall(use.get(), "when all had begun");
    if (shortfall.isPresent()) {
      var _ = stop();
      throw shortfall.get();
    }
  }

  /** Waits until each process has taken its memory or was ended, as long as it may take. */
  private void awaitTaken() {
    for (int poll = 0; poll < POLLS; poll++) {
      Optional<Taker> busy = taking.stream().filter(taker -> !taker.isDone()).findFirst();
      if (busy.isEmpty()) {
        return;
      }
      Process taker = busy.get().process();
      var _ = Uninterrupted.await(() -> taker.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS));
    }
  }

  private long takenBytes() {
    return taking.stream()
        .filter(taker -> taker.process().isAlive())
        .mapToLong(taker -> Math.min(taker.bytes(), taker.ownBytes()))
        .sum();
  }

  /**
   * The failure of a pressure of which more is missing than one of {@value #MISSING_PART} parts;
   * empty where it has what it was to take, or where the server came to need that itself.
   */
  private Optional<TerraceException> shortfall(MemoryUse now, String when) {
    long taken = takenBytes();
    long promised = (long) (share * limitBytes);
    long missing = plannedBytes / MISSING_PART;
    if (taken >= plannedBytes - missing || (taken > 0 && now.keptBytes() >= promised - missing)) {
      return Optional.empty();
    }
    return Optional.of(
        new TerraceException(
            ErrorCode.CHECK_FAILED,
            "memory: of %d bytes that were to be taken beside %s, %d were %s (%d of %d processes had been ended, as by a kernel that has no more to give), and server and fault came to %d of %d bytes; a smaller share, or a greater limit of memory or cpu, lets them be taken"
                .formatted(
                    plannedBytes,
                    server,
                    taken,
                    when,
                    taking.stream().filter(taker -> !taker.process().isAlive()).count(),
                    taking.size(),
                    now.keptBytes(),
                    promised)));
  }

  @Override
  public Map<String, String> end() {
    if (taking.isEmpty()) {
      return Map.of();
    }
    MemoryUse now = use.get();
    int begun = taking.size();
    Optional<TerraceException> shortfall = shortfall(now, "at its end");
    long stayed = stop();
    if (shortfall.isPresent()) {
      throw shortfall.get();
    }
    return Map.of(
        "limitBytes",
        Long.toString(limitBytes),
        "keptBytes",
        Long.toString(now.keptBytes()),
        "cacheBytes",
        Long.toString(now.cacheBytes()),
        "majorFaults",
        Long.toString(now.majorFaults() - faultsBefore),
        "processes",
        Integer.toString(begun),
        "endedByKernel",
        Long.toString(begun - stayed));
  }

  /** Ends all; the number of those that were still there. */
  private long stop() {
    long stayed = BusyProcesses.end(taking.stream().map(Taker::process).toList(), host);
    taking.clear();
    return stayed;
  }
}
