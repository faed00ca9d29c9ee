package org.terrace.control.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;

/**
 * The client against sockets that speak the managers' line protocol, and close or fall silent as a
 * manager does that ends. Real managers answer it in the tests of the whole command.
 */
@Tag("real-processes")
@Tag("untimed")
class ManagerClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String RUNNING =
      """
      "services":[{"degree":2,"replicas":[{"replica":"a","role":"primary","pid":7},\
      {"replica":"b","role":"backup"},{"replica":"c","role":"spare"}]}]}\
      """;

  /** A socket that answers each line, and closes a connection after so many answers. */
  private static final class LineServer implements AutoCloseable {
    private final ServerSocket server;
    private final int answersEach;
    private final UnaryOperator<String> answers;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    LineServer(int answersEach, UnaryOperator<String> answers) throws IOException {
      this.server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
      this.answersEach = answersEach;
      this.answers = answers;
      Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
      while (!server.isClosed()) {
        try (Socket socket = server.accept();
            var in =
                new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
          for (int i = 0; i < answersEach; i++) {
            String line = in.readLine();
            if (line == null) {
              break;
            }
            heard.add(line);
            String answer = answers.apply(line);
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
          }
        } catch (IOException e) {
          heard.add(e.toString());
        }
      }
    }

    String address() {
      return server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private static String leading(String leader) {
    return "{\"leading\":true,\"leader\":\"" + leader + "\"," + RUNNING + "\n";
  }

  @Test
  void stateComesFromTheManagerThatLeads() throws IOException {
    try (LineServer leader = new LineServer(9, line -> leading("itself"));
        LineServer standby =
            new LineServer(
                9, line -> "{\"leading\":false,\"leader\":\"" + leader.address() + "\"}\n");
        ManagerClient client = new ManagerClient(List.of(standby.address()), PATIENCE)) {
      assertThat(client.services()).isEqualTo(leading("itself").strip());
      assertThat(client.answer("services")).contains("\"leading\":false");
    }
  }

  @Test
  void connectionThatTheManagerClosedIsOpenedAnew() throws IOException {
    try (LineServer manager = new LineServer(2, line -> leading("itself"));
        ManagerClient client = new ManagerClient(List.of(manager.address()), PATIENCE)) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.services()).contains("\"degree\":2");
      }

      assertThat(manager.heard).hasSize(5);
    }
  }

  @Test
  void commandWhoseAnswerIsLostIsNotRepeated() throws IOException {
    AtomicReference<String> leader = new AtomicReference<>("");
    try (LineServer manager =
            new LineServer(9, line -> line.equals("services") ? leading(leader.get()) : "");
        ManagerClient client =
            new ManagerClient(List.of(manager.address()), Duration.ofMillis(500))) {
      leader.set(manager.address());

      assertThatThrownBy(() -> client.command("add echo"))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("did not answer");
      assertThat(manager.heard.stream().filter(line -> line.equals("add echo"))).hasSize(1);
    }
  }

  @Test
  void managerThatCannotTellIsAnErrorUnlessItsStateIsAskedFor() throws IOException {
    try (LineServer manager =
            new LineServer(9, line -> "{\"error\":\"the manager is starting; ask again\"}\n");
        ManagerClient client = new ManagerClient(List.of(manager.address()), PATIENCE)) {
      assertThat(client.state()).startsWith("{\"error\":");
      assertThatThrownBy(client::services).hasMessageContaining("is starting");
    }
  }

  /** A service may be named as a field is, and messages have their quotes escaped. */
  @Test
  void answersAreReadAsTheyAreWritten() throws IOException {
    AtomicReference<String> leader = new AtomicReference<>("");
    String misleading = "{\"leading\":false,\"leader\":null,\"services\":[\"leading\":true]}\n";
    try (LineServer manager =
            new LineServer(
                9,
                line ->
                    switch (line) {
                      case "services" -> leading(leader.get());
                      case "add echo" -> "{\"done\":\"add echo\"}\n";
                      default -> "{\"error\":\"a \\\"word\\\" \\\\ \\u0009end\"}\n";
                    });
        LineServer standby = new LineServer(9, line -> misleading);
        ManagerClient client = new ManagerClient(List.of(manager.address()), PATIENCE);
        ManagerClient other = new ManagerClient(List.of(standby.address()), PATIENCE)) {
      leader.set(manager.address());

      assertThat(client.command("add echo")).isEqualTo("add echo");
      assertThatThrownBy(() -> client.command("drain echo"))
          .isInstanceOf(TerraceException.class)
          .hasMessage("a \"word\" \\ \tend");
      assertThatThrownBy(() -> other.command("add echo")).hasMessageContaining("no manager leads");
    }
  }

  @Test
  void whatIsNoManagerIsSaid() throws IOException {
    try (LineServer web = new LineServer(1, line -> "HTTP/1.1 400 Bad Request\n");
        ManagerClient client = new ManagerClient(List.of(web.address()), PATIENCE);
        ManagerClient mistyped = new ManagerClient(List.of("localhost"), PATIENCE)) {
      assertThatThrownBy(client::services).hasMessageContaining(web.address());
      assertThatThrownBy(mistyped::services).hasMessageContaining("expected host:port");
    }
  }
}
