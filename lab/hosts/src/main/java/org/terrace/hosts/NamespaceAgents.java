package org.terrace.hosts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.process.JavaCommand;

/** The agents of the target {@code namespaces}, one in a network namespace of each server. */
final class NamespaceAgents {
  /**
   * The options of an agent's JVM: it starts fast, stays small, ends when it has no memory rather
   * than go on without some of its threads, and says nothing of its own among the messages,
   * whatever an environment asks of all JVMs.
   */
  static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-Xshare:auto",
          "-Xmx96m",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+DisplayVMOutputToStderr",
          "-Xlog:disable",
          "-Xlog:all=warning:stderr",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private NamespaceAgents() {}

  /** The agent of a server, which has been started. */
  record Started(PlannedServer server, AgentLine line) {}

  /** Starts all, side by side. */
  static List<Started> start(List<PlannedServer> servers, ProgramPaths programs, Path folder) {
    List<Started> started = new ArrayList<>();
    try {
      for (PlannedServer server : servers) {
        List<String> command = new ArrayList<>(List.of("unshare", "--net", "--"));
        command.addAll(
            JavaCommand.of(
                programs.java(),
                OPTIONS,
                programs.lab(),
                AgentProgram.class.getName(),
                List.of(folder.toString())));
        started.add(new Started(server, AgentLine.start(server.name(), command)));
      }
      return started;
    } catch (RuntimeException e) {
      started.forEach(each -> each.line().close(0));
      throw e;
    }
  }
}
