package org.terrace.hosts;

import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.hosts.clock.ClockOffset;
import org.terrace.hosts.clock.ClockReadings;
import org.terrace.nodes.Signal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The connection to the agent of a host: requests and their answers, what its processes print, and
 * the readings of its clock, one each second, which also tell the agent that this process is there.
 * Thread-safe.
 */
final class AgentConnection implements AutoCloseable {
  private static final long ANSWER_SECONDS = 120;
  private static final long END_SECONDS = 20;
  private static final int FIRST_READINGS = 10;

  private final String host;
  private final AgentLine line;
  private final TimeSource time;
  private final ClockReadings clock = new ClockReadings();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicInteger keys = new AtomicInteger();
  private final Map<Long, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
  private final Map<Integer, AgentProcess> processes = new ConcurrentHashMap<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile String why = "";

  /** A connection to an agent that has said that it is there. */
  AgentConnection(String host, AgentLine line, TimeSource time) {
    this.host = host;
    this.line = line;
    this.time = time;
    Thread.ofPlatform().daemon().name("agent of " + host).start(this::read);
    for (int reading = 0; reading < FIRST_READINGS; reading++) {
      readClock();
    }
    Thread.ofPlatform().daemon().name("clock of " + host).start(this::beat);
  }

  private void beat() {
    try {
      while (!closing.await(1, TimeUnit.SECONDS) && ended.getCount() > 0) {
        readClock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TerraceException e) {
      assert e != null; // the agent is gone, which whoever needs it is told
    }
  }

  private void readClock() {
    long sent = time.epochNanos();
    JsonNode there = call("clock", AgentMessages.JSON.createObjectNode());
    clock.add(sent, there.path("epochNanos").asLong(), time.epochNanos());
  }

  ClockOffset clockOffset() {
    return clock.offset();
  }

  private void read() {
    String reason = "its agent ended";
    try {
      for (String text = line.messages().line(); text != null; text = line.messages().line()) {
        take(AgentMessages.parse(text));
      }
    } catch (IOException e) {
      reason = String.valueOf(e.getMessage());
    }
    why = reason + line.said();
    ended.countDown();
    processes.values().forEach(AgentProcess::lost);
    open.values().forEach(answer -> answer.completeExceptionally(gone()));
  }

  private void take(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = open.remove(message.path("id").asLong());
      if (answer != null) {
        answer.complete(message);
      }
      return;
    }
    AgentProcess process = processes.get(message.path("process").asInt());
    if (process == null) {
      return;
    }
    if (message.has("output")) {
      process.printed(Base64.getDecoder().decode(message.path("output").asString()));
    } else if (message.has("silent")) {
      process.silent();
    } else if (message.has("exit")) {
      process.ended(message.path("exit").asInt());
    }
  }

  private TerraceException gone() {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS, "the host " + host + " does not answer any more: " + why);
  }

  /** A process that is going to be started. */
  AgentProcess newProcess() {
    AgentProcess process = new AgentProcess(this, keys.incrementAndGet());
    processes.put(process.key(), process);
    return process;
  }

  /** Forgets a process that was not started. */
  void forget(AgentProcess process) {
    processes.remove(process.key());
  }

  /** Signals a process; false when it is gone. */
  boolean signal(AgentProcess process, boolean forks, Signal signal) {
    ObjectNode with = AgentMessages.JSON.createObjectNode();
    with.put("process", process.key()).put("forks", forks).put("signal", signal.name());
    return ofProcess("signal", with).map(JsonNode::asBoolean).orElse(false);
  }

  /** Does something to a process; empty when the agent is gone, and its processes with it. */
  Optional<JsonNode> ofProcess(String what, JsonNode with) {
    try {
      return Optional.of(call(what, with));
    } catch (TerraceException e) {
      if (ended.getCount() > 0) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * Asks the agent to do something, and waits for the answer.
   *
   * @throws TerraceException if it could not, or is gone
   */
  JsonNode call(String what, JsonNode with) {
    long id = requests.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    open.put(id, answer);
    try {
      ObjectNode message = AgentMessages.JSON.createObjectNode();
      message.put("id", id).put("do", what).set("with", with);
      line.messages().send(message);
      if (ended.getCount() == 0) {
        throw gone(); // the answer was put there after all open ones had failed
      }
      return result(answer.get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (IOException e) {
      throw awaitReason();
    } catch (TimeoutException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the host %s did not answer '%s' within %d s".formatted(host, what, ANSWER_SECONDS),
          e);
    } catch (ExecutionException e) {
      throw gone();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "interrupted while the host " + host + " was asked", e);
    } finally {
      open.remove(id);
    }
  }

  /** A pipe breaks before its other end's last words have been read. */
  private TerraceException awaitReason() {
    try {
      var _ = ended.await(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return gone();
  }

  private JsonNode result(JsonNode answer) {
    JsonNode failure = answer.path("failed");
    if (failure.isMissingNode()) {
      return answer.path("is");
    }
    throw new TerraceException(
        ErrorCode.valueOf(failure.path("code").asString()),
        "host " + host + ": " + failure.path("message").asString());
  }

  /** Ends the agent's input, and waits until it has ended all that it started. */
  @Override
  public void close() {
    closing.countDown();
    line.close(END_SECONDS);
  }
}
