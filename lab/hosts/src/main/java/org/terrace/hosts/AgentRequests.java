package org.terrace.hosts;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.hosts.files.FileDigests;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.fault.Hold;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The requests to an agent that are about no process of its own. Thread-safe. */
final class AgentRequests {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final LocalServerHost host;
  private final Path folder;
  private final TimeSource time;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, DatabaseServer> databases = new ConcurrentHashMap<>();
  private final Map<Integer, Hold> holds = new ConcurrentHashMap<>();
  private final Map<Integer, ServerWatch> watches = new ConcurrentHashMap<>();
  private final Map<Integer, WatchReadings> results = new ConcurrentHashMap<>();
  private final Map<Integer, HostCapture> captures = new ConcurrentHashMap<>();

  AgentRequests(LocalServerHost host, Path folder, TimeSource time) {
    this.host = host;
    this.folder = folder;
    this.time = time;
  }

  JsonNode perform(String what, JsonNode with) throws IOException {
    return switch (what) {
      case "clock" -> AgentMessages.JSON.createObjectNode().put("epochNanos", time.epochNanos());
      case "speed" -> NODES.numberNode(host.slowdown());
      case "monotonic" -> AgentMessages.JSON.valueToTree(host.monotonicClock());
      case "accepts" -> NODES.booleanNode(host.answers(as(with, Readiness.Port.class)));
      case "answers" -> NODES.booleanNode(host.answers(as(with, Readiness.Http.class)));
      case "free" -> {
        List<Endpoint> endpoints = new ArrayList<>();
        with.path("endpoints").forEach(each -> endpoints.add(as(each, Endpoint.class)));
        host.requireFree(endpoints);
        yield NODES.nullNode();
      }
      case "limit" ->
          AgentMessages.JSON.valueToTree(
              host.limited(
                  with.path("server").asString(), with.path("cores").asDouble(), command(with)));
      case "limit-memory" ->
          AgentMessages.JSON.valueToTree(
              host.memoryLimited(
                  with.path("server").asString(), with.path("bytes").asLong(), command(with)));
      case "limit-disk" ->
          AgentMessages.JSON.valueToTree(
              host.diskLimited(
                  with.path("server").asString(),
                  with.path("bytesPerSecond").asLong(),
                  command(with)));
      case "put" -> put(with);
      case "fetch" -> fetch(with);
      case "database" -> kept(databases, host.database(as(with, DatabasePlan.class)));
      case "of-database" -> ofDatabase(with);
      case "permitted" -> {
        host.requirePermitted(plan(with));
        yield NODES.nullNode();
      }
      case "hold" -> kept(holds, host.hold(plan(with)));
      case "hold-begin" -> {
        of(holds, with).begin();
        yield NODES.nullNode();
      }
      case "hold-end" -> AgentMessages.JSON.valueToTree(of(holds, with).end());
      default -> observe(what, with);
    };
  }

  private JsonNode observe(String what, JsonNode with) throws IOException {
    switch (what) {
      case "watch" -> {
        return kept(watches, host.watch(as(with, WatchPlan.class)));
      }
      case "enforce" -> {
        return AgentMessages.JSON.valueToTree(of(watches, with).enforceLimits());
      }
      case "lift" -> host.liftLimits();
      case "unwatch" -> {
        // Trials that share servers have an agent between them, which keeps none of their readings.
        ServerWatch watch = watches.remove(with.path("number").asInt());
        results.remove(with.path("number").asInt());
        if (watch != null) {
          watch.close();
        }
      }
      case "watched" -> {
        int number = with.path("number").asInt();
        ServerWatch watch = of(watches, with);
        WatchReadings whole = results.computeIfAbsent(number, _ -> watch.end());
        return AgentMessages.JSON.valueToTree(AgentResults.page(whole, with.path("page").asInt()));
      }
      case "capture" -> {
        CapturePlan plan = as(with, CapturePlan.class);
        requireInside(plan.file());
        return kept(captures, host.capture(plan));
      }
      case "captured" -> {
        return AgentMessages.JSON.valueToTree(of(captures, with).end());
      }
      default ->
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              "'"
                  + what
                  + "' is no request that an agent of version "
                  + AgentMessages.VERSION
                  + " knows");
    }
    return NODES.nullNode();
  }

  private static List<String> command(JsonNode with) {
    List<String> command = new ArrayList<>();
    with.path("command").forEach(word -> command.add(word.asString()));
    return command;
  }

  private static <T> T as(JsonNode with, Class<T> type) {
    return AgentMessages.JSON.treeToValue(with, type);
  }

  private <T> JsonNode kept(Map<Integer, T> all, T one) {
    int number = numbers.incrementAndGet();
    all.put(number, one);
    return NODES.numberNode(number);
  }

  private static <T> T of(Map<Integer, T> all, JsonNode with) {
    T one = all.get(with.path("number").asInt());
    if (one == null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "nothing has the number " + with.path("number").asInt());
    }
    return one;
  }

  private static HoldPlan plan(JsonNode with) {
    for (Class<?> type : HoldPlan.class.getPermittedSubclasses()) {
      JsonNode plan = with.path(type.getSimpleName());
      if (plan.isObject()) {
        return (HoldPlan) AgentMessages.JSON.treeToValue(plan, type);
      }
    }
    throw new TerraceException(ErrorCode.BAD_INPUT, "a fault that this agent does not know");
  }

  /** The database of a number, all of whose requests come one after the other. */
  private JsonNode ofDatabase(JsonNode with) {
    DatabaseServer database = of(databases, with);
    String dataSet = with.path("dataSet").asString("");
    switch (with.path("what").asString("")) {
      case "initialise" -> database.initialise();
      case "copy" -> {
        return NODES.booleanNode(database.initialise(dataSet));
      }
      case "keep" -> database.keepAs(dataSet);
      case "start" -> database.start();
      case "stop" -> database.stop();
      case "command" -> {
        return AgentMessages.JSON.valueToTree(database.command());
      }
      case "stop-signal" -> {
        return NODES.stringNode(database.stopSignal().name());
      }
      case "ready" -> {
        return NODES.booleanNode(database.isReady());
      }
      case "url" -> {
        return NODES.stringNode(database.jdbcUrl());
      }
      case "close" -> database.close();
      default -> throw new TerraceException(ErrorCode.BAD_INPUT, "no request to a database");
    }
    return NODES.nullNode();
  }

  private JsonNode put(JsonNode with) throws IOException {
    Path file = requireInside(as(with.path("file"), Path.class));
    String content = with.path("content").asString();
    if (!FileDigests.ofText(content).equals(with.path("sha256").asString())) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, file + " arrived with other bytes than were sent");
    }
    host.put(file, content);
    return NODES.nullNode();
  }

  /** A file that is still written to is handed over as it is when its first piece is asked for. */
  private JsonNode fetch(JsonNode with) throws IOException {
    Path file = requireInside(as(with.path("file"), Path.class));
    long offset = with.path("offset").asLong();
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long end = with.has("end") ? with.path("end").asLong() : open.length();
      byte[] bytes = new byte[Math.clamp(end - offset, 0, AgentMessages.CHUNK_BYTES)];
      open.seek(offset);
      open.readFully(bytes);
      boolean more = offset + bytes.length < end;
      ObjectNode piece = AgentMessages.JSON.createObjectNode();
      piece.put("bytes", Base64.getEncoder().encodeToString(bytes));
      piece.put("more", more);
      piece.put("end", end);
      if (!more) {
        piece.put("sha256", FileDigests.ofBeginning(file, end));
      }
      return piece;
    }
  }

  /** Files are those of the trial alone, whatever links lie among them. */
  private Path requireInside(Path file) throws IOException {
    Path plain = file.normalize();
    Path parent = plain.getParent();
    boolean inside =
        plain.startsWith(folder)
            && parent != null
            && (!Files.exists(parent) || parent.toRealPath().startsWith(folder.toRealPath()))
            && !Files.isSymbolicLink(plain);
    if (!inside) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, file + " is not in " + folder + ", the trial's folder here");
    }
    return plain;
  }
}
