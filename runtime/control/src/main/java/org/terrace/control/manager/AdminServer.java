package org.terrace.control.manager;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.terrace.control.link.LinkServer;
import org.terrace.core.TimeSource;

/**
 * Answers people and their tools: a line with a command gets a line of JSON.
 *
 * <ul>
 *   <li>{@code services}: the manager's state, with how many lines and frames it refused
 *   <li>{@code drain SERVICE REPLICA}, {@code kill SERVICE REPLICA}, {@code add SERVICE}: obeyed by
 *       the manager that leads, {@code {"done": ...}} or {@code {"error": ...}}
 * </ul>
 *
 * A manager that does not lead refuses commands and names the leader in its state. Thread-safe.
 */
final class AdminServer implements AutoCloseable {
  private static final int LINE_CHARACTERS_MAX = 1_024;
  private static final int IDLE_MILLIS = 60_000;
  private static final long ANSWER_SECONDS = 2;

  private record Subject(ManagerServer manager, String name) {}

  private final LinkServer server;
  private final TimeSource time = TimeSource.system();
  private final AtomicLong refusedLines = new AtomicLong();
  private volatile @Nullable Subject subject;

  /** Listens; whoever asks before {@link #answerFor} is told to come back. */
  AdminServer(InetSocketAddress address) {
    this.server = LinkServer.openForPeople(address, this::serve);
  }

  /** Answers for this manager from now on. */
  void answerFor(ManagerServer manager, String name) {
    subject = new Subject(manager, name);
  }

  InetSocketAddress address() {
    return server.address();
  }

  private void serve(Socket socket) throws IOException {
    socket.setSoTimeout(IDLE_MILLIS);
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8),
            LINE_CHARACTERS_MAX);
    for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      String answer = answer(List.of(line.strip().split(" ", -1)));
      socket.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** A line, at most so long; empty at the end. */
  private String readLine(BufferedReader in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() == LINE_CHARACTERS_MAX) {
        refusedLines.incrementAndGet();
        throw new IOException("a line of more than " + LINE_CHARACTERS_MAX + " characters");
      }
      line.append((char) c);
    }
    return line.toString();
  }

  private String answer(List<String> words) {
    Subject current = subject;
    if (current == null) {
      return error("the manager is starting; ask again");
    }
    try {
      return current
          .manager()
          .ask(core -> answer(current, core, words))
          .get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return StatusJson.message("error", "the manager did not answer: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return StatusJson.message("error", "the manager is ending");
    }
  }

  private String answer(Subject current, ManagerCore core, List<String> words) {
    if (words.equals(List.of("services"))) {
      long refused = refusedLines.get() + current.manager().refusedFrames();
      return StatusJson.of(
          core, current.name(), current.manager().attendance(), refused, time.elapsedNanos());
    }
    String verb = words.getFirst();
    int expected = verb.equals("add") ? 2 : 3;
    if (!List.of("drain", "kill", "add").contains(verb) || words.size() != expected) {
      refusedLines.incrementAndGet();
      return error(
          "expected 'services', 'drain SERVICE REPLICA', 'kill SERVICE REPLICA' or 'add SERVICE',"
              + " got '"
              + String.join(" ", words)
              + "'");
    }
    if (!core.isLeading()) {
      String leader = core.leaderAddress();
      return error(
          leader == null
              ? "no manager leads at the moment; give the command again"
              : "this manager does not lead; ask " + leader);
    }
    ServiceKeeper keeper = core.keepers().get(words.get(1));
    if (keeper == null) {
      return error(
          "no service is named "
              + words.get(1)
              + "; there are "
              + String.join(", ", core.keepers().keySet()));
    }
    if (expected == 3 && !keeper.replicas().containsKey(words.get(2))) {
      return error(
          "no replica of "
              + words.get(1)
              + " is named "
              + words.get(2)
              + "; there are "
              + String.join(", ", keeper.replicas().keySet()));
    }
    current
        .manager()
        .submit(
            switch (verb) {
              case "drain" -> new ManagerEvent.WantDrained(words.get(1), words.get(2));
              case "kill" -> new ManagerEvent.WantKilled(words.get(1), words.get(2));
              default -> new ManagerEvent.WantMore(words.get(1));
            });
    return StatusJson.message("done", String.join(" ", words));
  }

  private static String error(String message) {
    return StatusJson.message("error", message);
  }

  @Override
  public void close() {
    server.close();
  }
}
