package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of the oracle, which can be killed, stopped and continued. */
final class OracleProcess {
  private final Process process;

  private OracleProcess(Process process) {
    this.process = process;
  }

  static OracleProcess start(Class<?> main, Path errors, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xmx96m",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(arguments);
    return new OracleProcess(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start());
  }

  /** Waits for the line that says it is ready. */
  void awaitReady() throws IOException {
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    if (!"ready".equals(line)) {
      throw new IOException("the process said '" + line + "' instead of 'ready'");
    }
  }

  void write(String line) {
    try {
      var input = process.outputWriter(StandardCharsets.UTF_8);
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      // It was killed a moment ago: nobody is left to be told.
      assert !process.isAlive() || e.getMessage() != null;
    }
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  void stop() throws Exception {
    signal("-STOP");
  }

  void proceed() throws Exception {
    signal("-CONT");
  }

  /** Ends its input, and waits for it to end by itself. */
  int end() throws Exception {
    process.getOutputStream().close();
    return process.waitFor();
  }

  private void signal(String signal) throws Exception {
    new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start().waitFor();
  }
}
