package org.terrace.hosts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.hosts.files.ProgramTransfer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The process at whose other end an agent speaks: the agent itself, or an {@code ssh} that leads to
 * one. Thread-safe after the first words.
 */
final class AgentLine implements ProgramTransfer.OtherSide {
  private static final int KEPT_LINES = 8;
  private static final long FIRST_WORDS_SECONDS = 60;
  private static final Duration LAST_WORDS_WITHIN = Duration.ofSeconds(1);

  private final String host;
  private final Process process;
  private final AgentMessages messages;
  private final Deque<String> said = new ArrayDeque<>();
  private final Thread errors;

  private AgentLine(String host, Process process) {
    this.host = host;
    this.process = process;
    this.messages = new AgentMessages(process.getInputStream(), process.getOutputStream());
    this.errors = Thread.ofPlatform().daemon().name("errors of " + host).start(this::readErrors);
  }

  /**
   * Starts the process, in a session of its own so that a Ctrl-C at the terminal does not end it
   * before the trial has ended in order. Nobody kills it when this process dies: its input ends
   * then, and it needs a moment to heal what was broken.
   */
  static AgentLine start(String host, List<String> command) {
    List<String> words = new ArrayList<>(List.of("setsid"));
    words.addAll(command);
    try {
      return new AgentLine(host, new ProcessBuilder(words).start());
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, "the host " + host + " cannot be reached: " + e.getMessage(), e);
    }
  }

  private void readErrors() {
    try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        remember(text);
      }
    } catch (IOException e) {
      remember(String.valueOf(e.getMessage()));
    }
  }

  private void remember(String text) {
    synchronized (said) {
      said.addLast(AgentMessages.shortened(text));
      if (said.size() > KEPT_LINES) {
        said.removeFirst();
      }
    }
  }

  @Override
  public OutputStream input() {
    return process.getOutputStream();
  }

  @Override
  public @Nullable String line() throws IOException {
    return messages.line();
  }

  /** The last words of the process on the side, to follow a sentence; empty if there were none. */
  @Override
  public String said() {
    synchronized (said) {
      return said.isEmpty() ? "" : "; it said:\n  " + String.join("\n  ", said);
    }
  }

  /** The same of a process that has ended or is about to: they come on another pipe. */
  String lastWords() {
    try {
      var _ = errors.join(LAST_WORDS_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return said();
  }

  AgentMessages messages() {
    return messages;
  }

  Process process() {
    return process;
  }

  /**
   * Waits for the agent's first message, and gives the host's facts. What a login prints before is
   * passed over.
   *
   * @throws TerraceException if there is none, or it is of another version
   */
  HostFacts awaitFacts() {
    return read(awaitLine("{\"agent\":"));
  }

  /** Waits for a line with a beginning; what comes before is passed over. */
  String awaitLine(String beginning) {
    CompletableFuture<String> found = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            String text = messages.line();
            while (text != null && !text.startsWith(beginning)) {
              remember(text);
              text = messages.line();
            }
            if (text == null) {
              found.completeExceptionally(new IOException("it ended"));
            } else {
              found.complete(text);
            }
          } catch (IOException e) {
            found.completeExceptionally(e);
          }
        });
    try {
      return found.get(FIRST_WORDS_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw unreachable("ended before it was ready");
    } catch (TimeoutException e) {
      throw unreachable("was not ready within " + FIRST_WORDS_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable("was not waited for any longer");
    }
  }

  private TerraceException unreachable(String why) {
    // Such as why a key was refused.
    String words = lastWords();
    process.destroyForcibly();
    return new TerraceException(
        ErrorCode.MACHINE_LACKS, "the agent of the host " + host + " " + why + words);
  }

  private HostFacts read(String text) {
    String because;
    try {
      JsonNode first = AgentMessages.parse(text);
      int version = first.path("agent").asInt();
      if (version != AgentMessages.VERSION) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "the agent of the host %s speaks version %d, expected %d; run the same Terrace on both"
                .formatted(host, version, AgentMessages.VERSION));
      }
      JsonNode facts = first.path("facts");
      if (facts.isObject()) {
        return AgentMessages.JSON.treeToValue(facts, HostFacts.class);
      }
      because = "there are no facts in " + AgentMessages.shortened(text);
    } catch (IOException | JacksonException e) {
      because = String.valueOf(e.getMessage());
    }
    throw unreachable("did not describe its host (" + because + ")");
  }

  /**
   * Ends its input, which is the order to end all, without waiting for it: whoever writes to a
   * process that does not read is not through before that has been killed.
   */
  void endInput() {
    Thread.ofVirtual()
        .start(() -> {
          try {
            messages.close();
          } catch (IOException e) {
            assert e != null; // it has ended
          }
        });
  }

  /** Ends its input, waits for its end, and ends it by force if there is none. */
  void close(long seconds) {
    endInput();
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
