package org.terrace.hosts;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
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
import org.terrace.nodes.Signal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The connection to the agent of a host: requests and their answers, what its processes print, and
 * the readings of its clock, one each second, which also tell the agent that this process is there.
 * Thread-safe.
 */
final class AgentConnection implements AutoCloseable {
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);
  private static final long END_SECONDS = 20;
  private static final int FIRST_READINGS = 10;

  /** The most requests that wait for their answers beside a reading of the clock. */
  private static final int MOST_OPEN = 256;

  /** The number of a request whose answer nobody waits for. */
  private static final long UNHEARD = 0;

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
    if (clock.isEmpty()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "the host " + host + " does not tell its time");
    }
    Thread.ofPlatform().daemon().name("clock of " + host).start(this::beat);
  }

  /**
   * Speaks each second, whether or not the last answer has come: the agent takes silence for the
   * end, and answers wait wherever a server prints faster than it is read.
   */
  private void beat() {
    try {
      while (!closing.await(1, TimeUnit.SECONDS) && ended.getCount() > 0) {
        if (open.size() < MOST_OPEN) {
          var _ = askClock();
        } else {
          send(UNHEARD, "clock", AgentMessages.JSON.createObjectNode());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      assert e != null; // the agent is gone, which whoever needs it is told
    }
  }

  /** Asks for the time there; the reading is taken when the answer has come. */
  private CompletableFuture<Void> askClock() throws IOException {
    long begin = time.elapsedNanos();
    long sent = time.epochNanos();
    return ask(requests.incrementAndGet(), "clock", AgentMessages.JSON.createObjectNode())
        .thenAccept(answer -> {
          JsonNode there = answer.path("is").path("epochNanos");
          if (there.isIntegralNumber()) {
            // A clock that is set meanwhile must not make the way look short.
            clock.add(sent, there.asLong(), sent + time.elapsedNanos() - begin);
          }
        });
  }

  private void readClock() {
    try {
      askClock().get(ANSWER_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (IOException e) {
      throw awaitReason();
    } catch (TimeoutException e) {
      throw silent("clock", ANSWER_WITHIN, e);
    } catch (ExecutionException e) {
      throw gone();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** A time of the host as this machine's clock has it. */
  long here(long timeThere) {
    return clock.here(timeThere);
  }

  ClockOffset clockOffset() {
    return clock.offset();
  }

  private void read() {
    String reason = "its messages could not be read";
    try {
      for (String text = line.messages().line(); text != null; text = line.messages().line()) {
        take(AgentMessages.parse(text));
      }
      reason = "its agent ended";
    } catch (IOException e) {
      reason = String.valueOf(e.getMessage());
    } catch (RuntimeException e) {
      reason = "it said what is no message: " + e.getMessage();
    } finally {
      lost(reason);
    }
  }

  /** Whatever ended the reading, nobody waits for what cannot come, and the agent is to end. */
  private void lost(String reason) {
    why = reason + line.said();
    ended.countDown();
    processes.values().forEach(AgentProcess::lost);
    open.values().forEach(answer -> answer.completeExceptionally(gone()));
    line.endInput();
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
   * Asks the agent to do something, and waits for the answer for two minutes.
   *
   * @throws TerraceException if it could not, or is gone
   */
  JsonNode call(String what, JsonNode with) {
    return call(what, with, ANSWER_WITHIN);
  }

  /**
   * Asks the agent to do something, and waits for the answer.
   *
   * @throws TerraceException if it could not, or is gone
   */
  JsonNode call(String what, JsonNode with, Duration within) {
    long id = requests.incrementAndGet();
    try {
      return result(asked(id, what, with).get(within.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw silent(what, within, e);
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case TerraceException refused -> refused;
        case IOException _ -> awaitReason();
        case null, default -> gone();
      };
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      open.remove(id);
    }
  }

  /**
   * Asks on a thread of its own: a host that does not read takes no request either, and is waited
   * for no longer than for an answer.
   */
  private CompletableFuture<JsonNode> asked(long id, String what, JsonNode with) {
    CompletableFuture<JsonNode> asked = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            var _ =
                ask(id, what, with)
                    .whenComplete((answer, failure) -> {
                      if (failure == null) {
                        asked.complete(answer);
                      } else {
                        asked.completeExceptionally(failure);
                      }
                    });
          } catch (IOException | RuntimeException e) {
            asked.completeExceptionally(e);
          }
        });
    return asked;
  }

  private CompletableFuture<JsonNode> ask(long id, String what, JsonNode with) throws IOException {
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    open.put(id, answer);
    try {
      send(id, what, with);
    } catch (IOException | TerraceException e) {
      open.remove(id);
      throw e;
    }
    if (ended.getCount() == 0) {
      open.remove(id);
      answer.completeExceptionally(gone()); // it was put there after all open ones had failed
    }
    return answer;
  }

  private void send(long id, String what, JsonNode with) throws IOException {
    ObjectNode message = AgentMessages.JSON.createObjectNode();
    message.put("id", id).put("do", what).set("with", with);
    line.messages().send(message);
  }

  private TerraceException silent(String what, Duration within, TimeoutException cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        "the host %s did not answer '%s' within %d s".formatted(host, what, within.toSeconds()),
        cause);
  }

  private TerraceException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new TerraceException(
        ErrorCode.CHECK_FAILED, "interrupted while the host " + host + " was asked", cause);
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
    String code = failure.path("code").asString("");
    throw new TerraceException(
        Arrays.stream(ErrorCode.values())
            .filter(each -> each.name().equals(code))
            .findFirst()
            .orElse(ErrorCode.CHECK_FAILED),
        "host " + host + ": " + failure.path("message").asString(""));
  }

  /** Ends the agent's input, and waits until it has ended all that it started. */
  @Override
  public void close() {
    closing.countDown();
    line.close(END_SECONDS);
  }
}
