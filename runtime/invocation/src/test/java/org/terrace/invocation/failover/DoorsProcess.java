package org.terrace.invocation.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.middleware.Endpoint;

/** A {@link DoorsReplica} that runs. Confined to one thread. */
final class DoorsProcess {
  private final String name;
  private final String middleware;
  private final Path errors;
  private final Process process;
  private final BufferedReader lines;
  private Endpoint endpoint;

  private DoorsProcess(String name, String middleware, Path errors, Process process) {
    this.name = name;
    this.middleware = middleware;
    this.errors = errors;
    this.process = process;
    lines = process.inputReader(StandardCharsets.UTF_8);
  }

  static DoorsProcess start(
      String name, String middleware, String host, TestDatabase database, Path directory)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            DoorsReplica.class.getName(), name, middleware, host, database.url(), database.user()));
    Path errors = directory.resolve(name + ".errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new DoorsProcess(name, middleware, errors, process);
  }

  String name() {
    return name;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Waits until it listens; skips the test where the middleware's libraries are missing. */
  void awaitReady() throws IOException {
    String[] words = awaitLine("ready ", "unavailable ").split(" ", -1);
    Assumptions.assumeTrue(words[0].equals("ready"), String.join(" ", words));
    endpoint = new Endpoint(name, middleware, words[1], Integer.parseInt(words[2]), words[3]);
  }

  /** Waits until a call made it stand still. */
  void awaitPause() throws IOException {
    assertThat(awaitLine("paused")).isEqualTo("paused");
  }

  /** Libraries write to standard output as well. */
  private String awaitLine(String... beginnings) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      for (String beginning : beginnings) {
        if (line.startsWith(beginning)) {
          return line;
        }
      }
    }
    throw new IOException(name + " ended early; see " + errors);
  }

  /** Ends it at once, without a goodbye, and waits for its end. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
