package org.terrace.studies.softstate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.studies.design.StudyContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Starts replicas of the soft-state applications and puts load on them. Confined to one thread. */
final class CartPrograms {
  private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xmx512m");
  private static final int REPLICAS = 2;
  private static final int PORT = 8_080;
  private static final int GROUP_PORT = 7_900;
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(20);
  private static final Duration LOAD_MARGIN = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(20);

  private final StudyContext context;

  CartPrograms(StudyContext context) {
    this.context = context;
  }

  /** The flags of all JVMs, for the report: collector, heap; the compilers are the usual ones. */
  static String flags() {
    return String.join(" ", JVM) + ", both compilers";
  }

  /** A JVM with its compilers, so that what is compared is what would be run. */
  private List<String> java(String application, String mainClass, List<String> arguments) {
    return context.java(application, JVM, mainClass, arguments);
  }

  List<String> cart(String mainClass, List<String> arguments) {
    return java("cart", "org.terrace.cart." + mainClass, arguments);
  }

  /** A cart server that notes the metrics of its replica in a recording. */
  List<String> recordedCart(List<String> arguments, Path recording) {
    return context.java(
        "cart",
        Stream.concat(JVM.stream(), Stream.of(GossipRecording.option(recording))).toList(),
        "org.terrace.cart.CartServer",
        arguments);
  }

  List<String> petStore(String mainClass, List<String> arguments) {
    return java("petstore", "org.terrace.petstore." + mainClass, arguments);
  }

  /** The flags of one replica of so many. */
  List<String> member(int number, int replicas) {
    List<String> flags = new ArrayList<>(standing(number));
    flags.add("--group");
    flags.add(
        IntStream.rangeClosed(1, replicas)
            .mapToObj(each -> context.address(REPLICAS, each) + ":" + GROUP_PORT)
            .collect(Collectors.joining(",")));
    return flags;
  }

  /** The flags of a server by itself. */
  List<String> standing(int number) {
    return List.of(
        "--name",
        name(number),
        "--address",
        context.address(REPLICAS, number),
        "--port",
        Integer.toString(PORT));
  }

  static String name(int number) {
    return "app" + number;
  }

  /** The replicas as a load is told of them. */
  String replicas(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(each -> name(each) + "=" + context.address(REPLICAS, each) + ":" + PORT)
        .collect(Collectors.joining(","));
  }

  Node start(String name, List<String> command) throws InterruptedException {
    return context.start(name, command, READY_WITHIN);
  }

  /** Starts programs together, by their names, and waits until each is ready. */
  List<Node> startAll(Map<String, List<String>> commands) throws InterruptedException {
    List<Node> nodes = new ArrayList<>();
    commands.forEach((name, command) ->
        nodes.add(
            context
                .supervisor()
                .start(
                    NodeSpecification.of(
                        name, command, new Readiness.Line("ready"), READY_WITHIN))));
    for (Node node : nodes) {
      context.supervisor().awaitReady(node);
    }
    return nodes;
  }

  /** Starts a program that is ready at once. */
  Node begin(String name, List<String> command) {
    return context
        .supervisor()
        .start(NodeSpecification.of(name, command, new Readiness.AtOnce(), READY_WITHIN));
  }

  /** Waits until each member knows all. */
  void awaitMembers(List<Node> nodes) throws InterruptedException {
    long deadline = context.time().elapsedNanos() + READY_WITHIN.toNanos();
    String wanted = "members " + nodes.size();
    for (Node node : nodes) {
      while (!lastView(node).equals(wanted)) {
        if (context.time().elapsedNanos() > deadline) {
          throw new TerraceException(
              ErrorCode.MACHINE_LACKS,
              node.name() + " does not see " + nodes.size() + " members; see " + node.logFile());
        }
        Thread.sleep(POLL);
      }
    }
  }

  private static String lastView(Node node) {
    return node.logTail()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("members "))
        .reduce("", (first, second) -> second);
  }

  /** Ends servers, so that they write what they noted. */
  void stop(List<Node> nodes) throws InterruptedException {
    for (Node node : nodes) {
      if (node.isAlive()) {
        node.stop(STOP_WITHIN);
      }
    }
  }

  /** Puts load on a service and gives its summary. A load that found a fault ends with 1. */
  JsonNode load(String name, List<String> command, Path json, Duration lasts)
      throws InterruptedException {
    return finish(begin(name, command), json, lasts);
  }

  /** Waits for a load's end and gives its summary. */
  JsonNode finish(Node load, Path json, Duration lasts) throws InterruptedException {
    if (!load.endsWithin(lasts.plus(LOAD_MARGIN))) {
      load.kill();
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, load.name() + " did not end; see " + load.logFile());
    }
    if (load.exit().join().status() > 1) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, load.name() + " failed; the end of its log:\n" + load.logTail());
    }
    try {
      return JsonMapper.shared().readTree(Files.readString(json));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, load.name() + " left no summary: " + load.logTail(), e);
    }
  }
}
