package org.terrace.nodes.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.Uninterrupted;
import org.terrace.nodes.Launch;
import org.terrace.nodes.LocalHost;

/**
 * Work without a purpose inside the control group of one server, which shares the server's
 * processor time with it and takes none of anybody else's. The processes end with this one.
 * Confined to one thread.
 */
public final class BusyProcesses implements Hold {
  private static final List<String> WORK = List.of("sh", "-c", "while :; do :; done");
  private static final long END_SECONDS = 5;

  private final String server;
  private final LocalHost host;
  private final List<String> command;
  private final int count;
  private final List<Process> working = new ArrayList<>();

  /**
   * The work beside a server, which has not begun.
   *
   * @param host the machine, whose keeper ends the processes when this one dies
   * @param group gives the command that joins the server's own control group and then becomes
   *     another
   * @param count how many processes work, each on one processor
   */
  public BusyProcesses(
      String server, LocalHost host, UnaryOperator<List<String>> group, int count) {
    this.server = server;
    this.host = host;
    this.command = List.copyOf(group.apply(WORK));
    this.count = count;
  }

  @Override
  public void begin() {
    try {
      Launch launch = new Launch("cpu of " + server, command, Map.of(), Path.of("/"), false);
      while (working.size() < count) {
        working.add(host.start(launch));
      }
    } catch (IOException e) {
      var _ = stop();
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cpu: no work can be started beside %s (%s)".formatted(server, e.getMessage()),
          e);
    }
  }

  @Override
  public Map<String, String> end() {
    boolean began = !working.isEmpty();
    long worked = stop();
    if (began && worked == 0) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cpu: the work beside %s ended by itself, perhaps since it may not join '%s'"
              .formatted(server, String.join(" ", command)));
    }
    return Map.of("processes", Long.toString(worked));
  }

  private long stop() {
    long worked = end(working, host);
    working.clear();
    return worked;
  }

  /** Ends processes of a host; the number of those that were still there. */
  static long end(List<Process> some, LocalHost host) {
    long stayed = some.stream().filter(Process::isAlive).count();
    some.forEach(process -> host.kill(process, false));
    for (Process process : some) {
      var _ = Uninterrupted.await(() -> process.waitFor(END_SECONDS, TimeUnit.SECONDS));
    }
    return stayed;
  }
}
