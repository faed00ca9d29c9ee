package org.terrace.invocation.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.invocation.retention.TestDatabase;
import org.terrace.middleware.Endpoint;

/** A {@link DoorsReplica} that runs. Confined to one thread. */
final class DoorsProcess {
  private final String name;
  private final String middleware;
  private final Path errors;
  private final ChildProcess process;
  private Endpoint endpoint;

  private DoorsProcess(String name, String middleware, Path errors, ChildProcess process) {
    this.name = name;
    this.middleware = middleware;
    this.errors = errors;
    this.process = process;
  }

  static DoorsProcess start(
      String name, String middleware, String host, TestDatabase database, Path directory)
      throws IOException {
    List<String> options =
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    List<String> command =
        JavaCommand.of(
            options, DoorsReplica.class, name, middleware, host, database.url(), database.user());
    Path errors = directory.resolve(name + ".errors");
    ChildProcess process =
        ChildProcess.start(new ProcessBuilder(command).redirectError(errors.toFile()));
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
    try {
      return process.awaitLine(line -> Stream.of(beginnings).anyMatch(line::startsWith));
    } catch (IOException e) {
      throw new IOException(e.getMessage() + "; see " + errors, e);
    }
  }

  /** Ends it at once, without a goodbye, and waits for its end. */
  void kill() {
    process.close();
  }
}
