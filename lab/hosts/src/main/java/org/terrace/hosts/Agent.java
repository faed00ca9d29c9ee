package org.terrace.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.hosts.files.AgentFolder;
import org.terrace.hosts.network.LocalName;
import org.terrace.nodes.Launch;
import org.terrace.nodes.Signal;
import org.terrace.nodes.machine.HostClocks;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agent of one host: it does there what a runner at the other end of a pipe asks for, and when
 * that pipe ends, or nothing has been heard for {@link #SILENCE}, ends all that it started, heals
 * what it broke, and is gone within {@value #END_SECONDS} seconds. It listens nowhere: who may
 * write to its standard input may do what its user may. Messages are those of docs/guide/hosts.md.
 */
public final class Agent {
  /** The time after which a runner that says nothing is taken for gone: it speaks each second. */
  public static final Duration SILENCE = Duration.ofSeconds(60);

  /** The seconds in which an agent has ended all that it started. */
  public static final int END_SECONDS = 10;

  /** The most requests that are worked on at once; more wait. */
  private static final int MOST_AT_ONCE = 64;

  private final AgentMessages messages;
  private final LocalServerHost host;
  private final AgentRequests requests;
  private final TimeSource time;
  private final Duration silence;
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);
  private final Map<Integer, Process> processes = new ConcurrentHashMap<>();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile long heardNanos;

  private Agent(
      AgentMessages messages, Path folder, AgentFolder own, Duration silence, TimeSource time) {
    this.silence = silence;
    this.messages = messages;
    this.time = time;
    this.host =
        new LocalServerHost(
            LocalName.ofThisMachine(), folder, own, HostClocks.ofThisMachine(), time);
    this.requests = new AgentRequests(host, folder, time);
    this.heardNanos = time.elapsedNanos();
  }

  /**
   * Serves until the input ends.
   *
   * @param folder the folder for files of the trial on this host; it exists
   * @param own the agent's own folder, which is deleted when it has ended all that it started
   */
  static void serve(InputStream in, OutputStream out, Path folder, AgentFolder own)
      throws IOException {
    serve(in, out, folder, own, SILENCE);
  }

  /**
   * Serves until the input ends, or the runner is silent for too long.
   *
   * @param silence the time after which a runner that says nothing is taken for gone
   */
  static void serve(
      InputStream in, OutputStream out, Path folder, AgentFolder own, Duration silence)
      throws IOException {
    TimeSource time = TimeSource.system();
    Agent agent = new Agent(new AgentMessages(in, out), folder, own, silence, time);
    Thread ending = Thread.ofPlatform().unstarted(agent::end);
    Runtime.getRuntime().addShutdownHook(ending);
    agent.watchSilence();
    try {
      agent.sayFacts();
      agent.listen();
    } finally {
      agent.end();
    }
  }

  private void sayFacts() throws IOException {
    ObjectNode first = AgentMessages.JSON.createObjectNode();
    first.put("agent", AgentMessages.VERSION);
    first.set("facts", AgentMessages.JSON.valueToTree(host.facts()));
    messages.send(first);
  }

  private void listen() throws IOException {
    for (String line = messages.line(); line != null; line = messages.line()) {
      heardNanos = time.elapsedNanos();
      JsonNode request = AgentMessages.parse(line);
      room.acquireUninterruptibly();
      Thread.ofVirtual()
          .start(() -> {
            try {
              answer(request);
            } finally {
              room.release();
            }
          });
    }
  }

  /** A runner whose machine is gone does not end the pipe. */
  private void watchSilence() {
    Thread.ofPlatform()
        .daemon()
        .name("silence")
        .start(() -> {
          try {
            while (!done.await(1, TimeUnit.SECONDS)) {
              if (time.elapsedNanos() - heardNanos > silence.toNanos()) {
                end();
                Runtime.getRuntime().halt(ErrorCode.CHECK_FAILED.exitCode());
              }
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private synchronized void end() {
    if (done.getCount() > 0) {
      Thread guard =
          Thread.ofPlatform()
              .daemon()
              .name("end")
              .unstarted(() -> {
                try {
                  if (!done.await(END_SECONDS, TimeUnit.SECONDS)) {
                    // Its keeper ends what is left, and the kernel heals what has an owner.
                    Runtime.getRuntime().halt(ErrorCode.CHECK_FAILED.exitCode());
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      guard.start();
      try {
        host.close();
      } finally {
        done.countDown();
      }
    }
  }

  private void answer(JsonNode request) {
    ObjectNode answer = AgentMessages.JSON.createObjectNode();
    answer.put("id", request.path("id").asLong());
    try {
      answer.set("is", perform(request.path("do").asString(""), request.path("with")));
    } catch (TerraceException e) {
      fail(answer, e.code(), e.getMessage());
    } catch (IOException | RuntimeException e) {
      fail(answer, ErrorCode.CHECK_FAILED, e.toString());
    }
    try {
      tell(answer);
    } catch (TerraceException e) {
      answer.remove("is");
      fail(answer, e.code(), e.getMessage());
      tell(answer);
    }
  }

  private static void fail(ObjectNode answer, ErrorCode code, @Nullable String message) {
    answer
        .putObject("failed")
        .put("code", code.name())
        .put("message", AgentMessages.bounded(String.valueOf(message)));
  }

  /** Whoever does not listen any more is gone, which the end of the input tells. */
  private void tell(ObjectNode message) {
    try {
      messages.send(message);
    } catch (IOException e) {
      assert e != null;
    }
  }

  private JsonNode perform(String what, JsonNode with) throws IOException {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return switch (what) {
      case "start" -> json.numberNode(start(with));
      case "input" -> {
        OutputStream input = process(with).getOutputStream();
        input.write(Base64.getDecoder().decode(with.path("bytes").asString()));
        input.flush();
        yield json.nullNode();
      }
      case "signal" -> {
        Signal signal = Signal.valueOf(with.path("signal").asString());
        yield json.booleanNode(host.signal(process(with), with.path("forks").asBoolean(), signal));
      }
      case "kill" -> {
        host.kill(process(with), with.path("forks").asBoolean());
        yield json.nullNode();
      }
      case "members" ->
          AgentMessages.JSON.valueToTree(
              host.members(process(with), with.path("forks").asBoolean()));
      case "listening" ->
          AgentMessages.JSON.valueToTree(
              host.listening(process(with), with.path("forks").asBoolean()));
      default -> requests.perform(what, with);
    };
  }

  private Process process(JsonNode with) {
    Process process = processes.get(with.path("process").asInt());
    if (process == null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "there is no process " + with.path("process").asInt());
    }
    return process;
  }

  private long start(JsonNode with) throws IOException {
    int key = with.path("process").asInt();
    Launch launch = AgentMessages.JSON.treeToValue(with.path("launch"), Launch.class);
    Process process = host.start(launch);
    processes.put(key, process);
    Thread.ofPlatform().daemon().name("output of " + launch.name()).start(() -> pump(key, process));
    var _ = process.onExit().thenAccept(ended -> tell(message(key).put("exit", ended.exitValue())));
    return process.pid();
  }

  private static ObjectNode message(int key) {
    return AgentMessages.JSON.createObjectNode().put("process", key);
  }

  private void pump(int key, Process process) {
    byte[] buffer = new byte[AgentMessages.CHUNK_BYTES];
    try (InputStream output = process.getInputStream()) {
      for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
        String text = Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer, read));
        tell(message(key).put("output", text));
      }
    } catch (IOException e) {
      assert e != null; // its last words are lost with it
    }
    tell(message(key).put("silent", true));
  }
}
