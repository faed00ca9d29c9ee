package org.terrace.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.terrace.capture.CaptureCounts;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.evidence.MonotonicClock;
import org.terrace.hosts.files.FileDigests;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Launch;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;
import org.terrace.nodes.fault.Hold;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A host of servers through the agent that runs on it. Thread-safe. */
final class AgentHost implements ServerHost {
  private static final Duration TOLD_EACH = Duration.ofSeconds(2);
  private static final double MEGABYTE = 1e6;

  private final String name;
  private final HostFacts facts;
  private final AgentConnection connection;
  private final boolean sharesClock;
  private final boolean sharesFiles;
  private final TimeSource time;

  /**
   * A host whose agent has told its facts.
   *
   * @param here this machine
   * @param sharesFiles whether the host has this machine's files
   */
  AgentHost(
      String name,
      AgentLine line,
      HostFacts facts,
      HostFacts here,
      boolean sharesFiles,
      TimeSource time) {
    this.name = name;
    this.facts = facts;
    this.sharesClock = facts.isSameMachine(here);
    this.sharesFiles = sharesFiles;
    this.time = time;
    this.connection = new AgentConnection(name, line, time);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public HostFacts facts() {
    return facts;
  }

  @Override
  public double slowdown() {
    return call("speed", Map.of()).asDouble();
  }

  private JsonNode call(String what, Object with) {
    return connection.call(what, AgentMessages.JSON.valueToTree(with));
  }

  private <T> T call(String what, Object with, Class<T> answer) {
    return AgentMessages.JSON.treeToValue(call(what, with), answer);
  }

  private static List<String> strings(JsonNode array) {
    List<String> strings = new ArrayList<>();
    array.forEach(each -> strings.add(each.asString()));
    return strings;
  }

  @Override
  public Process start(Launch launch) throws IOException {
    AgentProcess process = connection.newProcess();
    try {
      process.started(call("start", Map.of("process", process.key(), "launch", launch)).asLong());
      return process;
    } catch (TerraceException e) {
      connection.forget(process);
      throw new IOException(e.getMessage(), e);
    }
  }

  private Optional<JsonNode> ofProcess(String what, Process process, boolean forks) {
    Map<String, Object> with = Map.of("process", ((AgentProcess) process).key(), "forks", forks);
    return connection.ofProcess(what, AgentMessages.JSON.valueToTree(with));
  }

  @Override
  public List<Long> members(Process process, boolean forks) {
    List<Long> members = new ArrayList<>();
    ofProcess("members", process, forks)
        .ifPresent(all -> all.forEach(each -> members.add(each.asLong())));
    return members;
  }

  @Override
  public boolean signal(Process process, boolean forks, Signal signal) {
    return connection.signal((AgentProcess) process, forks, signal);
  }

  @Override
  public void kill(Process process, boolean forks) {
    var _ = ofProcess("kill", process, forks);
  }

  @Override
  public boolean answers(Readiness.Port place) {
    return call("accepts", place).asBoolean();
  }

  @Override
  public boolean answers(Readiness.Http place) {
    return call("answers", place).asBoolean();
  }

  @Override
  public List<String> listening(Process process, boolean forks) {
    return ofProcess("listening", process, forks).map(AgentHost::strings).orElse(List.of());
  }

  @Override
  public void requireFree(List<Endpoint> endpoints) {
    var _ = call("free", Map.of("endpoints", endpoints));
  }

  @Override
  public List<String> limited(String server, double cores, List<String> command) {
    return strings(call("limit", Map.of("server", server, "cores", cores, "command", command)));
  }

  @Override
  public List<String> memoryLimited(String server, long bytes, List<String> command) {
    return strings(
        call("limit-memory", Map.of("server", server, "bytes", bytes, "command", command)));
  }

  @Override
  public List<String> diskLimited(String server, long bytesPerSecond, List<String> command) {
    return strings(
        call(
            "limit-disk",
            Map.of("server", server, "bytesPerSecond", bytesPerSecond, "command", command)));
  }

  @Override
  public void liftLimits() {
    var _ = call("lift", Map.of());
  }

  @Override
  public DatabaseServer database(DatabasePlan plan) {
    return new AgentDatabase(connection, call("database", plan).asInt());
  }

  @Override
  public void requirePermitted(HoldPlan plan) {
    var _ = call("permitted", encoded(plan));
  }

  @Override
  public Hold hold(HoldPlan plan) {
    int number = call("hold", encoded(plan)).asInt();
    return new Hold() {
      @Override
      public void begin() {
        var _ = call("hold-begin", Map.of("number", number));
      }

      @Override
      public Map<String, String> end() {
        Map<String, String> details = new java.util.TreeMap<>();
        call("hold-end", Map.of("number", number))
            .forEachEntry((key, value) -> details.put(key, value.asString()));
        return details;
      }
    };
  }

  private static ObjectNode encoded(HoldPlan plan) {
    ObjectNode node = AgentMessages.JSON.createObjectNode();
    node.set(plan.getClass().getSimpleName(), AgentMessages.JSON.valueToTree(plan));
    return node;
  }

  @Override
  public ServerWatch watch(WatchPlan plan) {
    int number = call("watch", plan).asInt();
    return new ServerWatch() {
      @Override
      public LimitsInForce enforceLimits() {
        LimitsInForce there =
            call("enforce", Map.of("number", number), ServerWatch.LimitsInForce.class);
        return new LimitsInForce(clock().here(there.sinceNanos()), there.servers());
      }

      @Override
      public WatchReadings end() {
        return here(AgentResults.read(page -> call("watched", page), number));
      }

      @Override
      public void close() {
        var _ = call("unwatch", Map.of("number", number));
      }
    };
  }

  /** Readings by this machine's clock. */
  private WatchReadings here(WatchReadings result) {
    return sharesClock ? result : AgentResults.shifted(result, clock());
  }

  @Override
  public HostCapture capture(CapturePlan plan) {
    int number = call("capture", plan).asInt();
    return new HostCapture() {
      @Override
      public Path file() {
        return plan.file();
      }

      @Override
      public CaptureCounts end() {
        return call("captured", Map.of("number", number), CaptureCounts.class);
      }
    };
  }

  @Override
  public void put(Path file, String content) {
    var _ =
        call(
            "put", Map.of("file", file, "content", content, "sha256", FileDigests.ofText(content)));
  }

  @Override
  public void fetch(Path there, Path here, Consumer<String> progress) {
    if (sharesFiles && there.equals(here)) {
      return;
    }
    Path temporary = here.resolveSibling(here.getFileName() + ".new");
    try {
      Files.deleteIfExists(temporary);
      Files.createFile(temporary);
      receive(there, temporary, progress);
      Files.move(temporary, here, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "%s of the host %s cannot be copied to %s: %s".formatted(there, name, here, e),
          e);
    } finally {
      var _ = temporary.toFile().delete(); // nothing half of which is there is left
    }
  }

  private void receive(Path there, Path into, Consumer<String> progress) throws IOException {
    long toldNanos = time.elapsedNanos();
    MessageDigest digest = FileDigests.sha256();
    ObjectNode next = AgentMessages.JSON.createObjectNode();
    next.set("file", AgentMessages.JSON.valueToTree(there));
    next.put("offset", 0L);
    long at = 0;
    while (true) {
      JsonNode piece = connection.call("fetch", next);
      byte[] bytes = Base64.getDecoder().decode(piece.path("bytes").asString(""));
      digest.update(bytes);
      Files.write(into, bytes, StandardOpenOption.APPEND);
      at += bytes.length;
      boolean more = piece.path("more").asBoolean(false);
      if (at > bytes.length ? !more || isDue(toldNanos) : more) {
        toldNanos = time.elapsedNanos();
        progress.accept(
            String.format(
                Locale.ROOT,
                "the host %s has handed over %.1f of %.1f MB of %s",
                name,
                at / MEGABYTE,
                piece.path("end").asLong() / MEGABYTE,
                there.getFileName()));
      }
      if (!more) {
        if (!piece.path("sha256").asString("").equals(HexFormat.of().formatHex(digest.digest()))) {
          throw new IOException("it arrived with other bytes than it has there");
        }
        return;
      }
      if (bytes.length == 0) {
        throw new IOException("it ends after " + at + " bytes though more were announced");
      }
      next.put("offset", at).set("end", piece.path("end"));
    }
  }

  private boolean isDue(long toldNanos) {
    return time.elapsedNanos() - toldNanos >= TOLD_EACH.toNanos();
  }

  @Override
  public MonotonicClock monotonicClock() {
    return call("monotonic", Map.of(), MonotonicClock.class);
  }

  @Override
  public ClockOffset clockOffset() {
    return sharesClock ? ClockOffset.SAME_CLOCK : connection.clockOffset();
  }

  @Override
  public HostClock clock() {
    return sharesClock ? HostClock.OF_THIS_MACHINE : connection::here;
  }

  @Override
  public void close() {
    connection.close();
  }
}
