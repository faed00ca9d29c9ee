package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

/** A JVM of the oracle, which can be killed, stopped and continued. */
final class OracleProcess {
  private final ChildProcess process;

  private OracleProcess(ChildProcess process) {
    this.process = process;
  }

  static OracleProcess start(Class<?> main, Path errors, List<String> arguments)
      throws IOException {
    List<String> options =
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx96m");
    return new OracleProcess(
        ChildProcess.start(
            new ProcessBuilder(JavaCommand.of(options, main, arguments.toArray(String[]::new)))
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))));
  }

  /** Waits for the line that says it is ready. */
  void awaitReady() throws IOException {
    process.awaitReady();
  }

  void write(String line) {
    try {
      var input = process.process().outputWriter(StandardCharsets.UTF_8);
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      // It was killed a moment ago: nobody is left to be told.
      assert !process.isAlive() || e.getMessage() != null;
    }
  }

  void kill() {
    process.close();
  }

  void stop() throws Exception {
    process.signal("STOP");
  }

  void proceed() throws Exception {
    process.signal("CONT");
  }

  /** Ends its input, and waits for it to end by itself. */
  int end() throws Exception {
    process.process().getOutputStream().close();
    return process.process().waitFor();
  }
}
