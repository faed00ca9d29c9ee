package org.terrace.benchmarks.collections;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.core.process.JavaCommand;

/** A server process or the load process, as the benchmark sees it. Confined to one thread. */
final class Node implements AutoCloseable {
  /** The flags of every process, whatever the subject. */
  static final List<String> JVM_FLAGS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC");

  /** The options that libraries of some subjects need to load; they change nothing else. */
  private static final List<String> JVM_ACCESS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-modules=java.se",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.management/sun.management=ALL-UNNAMED",
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;

  private Node(Process process) {
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts a server by a command after the prefix; its first answer comes when it is open. */
  static Node start(String subject, Place place, List<String> prefix, Processes processes)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(JavaCommand.program().toString());
    command.addAll(JVM_FLAGS);
    command.addAll(JVM_ACCESS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(NodeMain.class.getName());
    command.add(subject);
    command.add(Integer.toString(place.index()));
    command.add(String.join(",", place.hosts()));
    command.add(csv(place.ports()));
    command.add(csv(place.frontEndPorts()));
    command.add(Integer.toString(place.multicastPort()));
    command.add(place.backing());
    return new Node(processes.start(command, false));
  }

  private static String csv(List<Integer> numbers) {
    return String.join(",", numbers.stream().map(String::valueOf).toList());
  }

  /** Tells it to do something and waits for the answer. */
  Map<String, Double> ask(String command) throws IOException {
    tell(command);
    return answer();
  }

  /** Tells it to do something; {@link #answer} gives the answer later. */
  void tell(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
  }

  /** The answer to the earliest command without one. */
  Map<String, Double> answer() throws IOException {
    @Nullable String line = answers.readLine();
    if (line == null) {
      throw new IOException("a process of the benchmark has ended");
    }
    if (line.startsWith(NodeMain.FAILURE)) {
      throw new IOException(line.substring(NodeMain.FAILURE.length()));
    }
    Map<String, Double> figures = new TreeMap<>();
    for (String figure : line.substring(NodeMain.ANSWER.length()).strip().split(" ", -1)) {
      int equals = figure.indexOf('=');
      if (equals > 0) {
        figures.put(figure.substring(0, equals), Double.valueOf(figure.substring(equals + 1)));
      }
    }
    return figures;
  }

  /** Ends it as a crash does. */
  void kill() throws IOException {
    Processes.kill(process);
  }

  /** Ends nodes: each ends with its input, in the midst of whatever it does. */
  static void close(List<Node> nodes) {
    for (Node node : nodes) {
      try {
        node.commands.close();
      } catch (IOException e) {
        node.process.destroyForcibly(); // it has ended already
      }
    }
    Processes.awaitEnd(nodes.stream().map(node -> node.process).toList());
  }

  @Override
  public void close() {
    close(List.of(this));
  }
}
