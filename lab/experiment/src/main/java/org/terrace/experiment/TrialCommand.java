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
   * A JVM with the options of {@link ServerDefaults#javaOptions}.
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
    List<String> options = new ArrayList<>(ServerDefaults.javaOptions(collector));
    options.add(PauseLog.option(pauseLog));
    options.addAll(further);
    return JavaCommand.of(java, options, classpath, mainClass, arguments);
  }
}
