package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.process.JavaCommand;
import org.terrace.evidence.PauseLog;
import org.terrace.nodes.setting.Collector;

/** The command lines of the JVMs of a trial. Stateless. */
final class TrialCommand {
  private TrialCommand() {}

  /**
   * A JVM that starts fast and stays small: one compiler tier, the shared archive of the JDK's
   * classes, no shared performance counters. See docs/decisions/0053.
   *
   * @param collector the garbage collector
   * @param further options of this JVM alone, its heap among them; they win over the common ones
   * @param pauseLog the file for its pauses
   */
  static List<String> of(
      Path java,
      Collector collector,
      List<String> further,
      Path pauseLog,
      String classpath,
      String mainClass,
      List<String> arguments) {
    List<String> options =
        new ArrayList<>(
            List.of(
                collector.option(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                PauseLog.option(pauseLog)));
    options.addAll(further);
    return JavaCommand.of(java, options, classpath, mainClass, arguments);
  }
}
