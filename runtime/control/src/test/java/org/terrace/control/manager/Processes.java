package org.terrace.control.manager;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.terrace.control.client.ManagerClient;
import org.terrace.control.naming.Addresses;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.middleware.Endpoint;

/** Real processes for tests, all ended at the end. Confined to one thread. */
public final class Processes implements AutoCloseable {
  /** A replica's own description of itself. */
  public record Answer(String replica, long pid, long epoch, String role) {}

  private record Start(List<String> command, Path errors) {}

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

  private final Map<String, Process> running = new LinkedHashMap<>();
  private final Map<String, Start> starts = new LinkedHashMap<>();
  private String admin = "";

  /** The words that start a JVM with the classes of this test. */
  public static List<String> java(Class<?> main, String... arguments) {
    return JavaCommand.of(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"), main, arguments);
  }

  /** Starts a process and waits for its line that begins with {@code ready}. */
  public String start(String name, List<String> command, Path errors) throws IOException {
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile())));
    running.put(name, process.process());
    starts.put(name, new Start(List.copyOf(command), errors));
    List<String> words = process.awaitReady();
    if (words.contains("admin")) {
      admin = words.getLast();
    }
    return words.get(1);
  }

  /** Has the managers obey a command, and returns what the leading one did. */
  @CanIgnoreReturnValue
  public String tellManager(String command) {
    try (ManagerClient client = client()) {
      return client.command(command);
    }
  }

  /** The address at which the last manager started answers people. */
  public InetSocketAddress admin() {
    return Addresses.parseOne("admin", admin);
  }

  /** Asks the last manager started a line, and returns its line. */
  public String ask(String line) throws IOException {
    try (ManagerClient client = client()) {
      return client.answer(line);
    } catch (TerraceException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private ManagerClient client() {
    return new ManagerClient(List.of(admin), ANSWER_WITHIN);
  }

  /** The process that was started under a name. */
  public Process named(String name) {
    return running.get(name);
  }

  /** Kills a process and waits for its end. */
  public void kill(Process process) throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Kills a process that was started under a name, and starts it again as it was. */
  public void killAndStart(String name) throws IOException, InterruptedException {
    kill(running.get(name));
    Start start = starts.get(name);
    String address = start(name, start.command, start.errors);
    assert !address.isEmpty();
  }

  /** Asks a replica that says one line to each caller. */
  public static Answer ask(Endpoint endpoint) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), 1_000);
      socket.setSoTimeout(1_000);
      String line =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
              .readLine();
      String[] words = line.split(" ", -1);
      return new Answer(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]);
    }
  }

  @Override
  public void close() {
    List.copyOf(running.values()).reversed().forEach(Process::destroy);
    for (Process process : running.values()) {
      try {
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
