package org.terrace.nodes.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of replication managers and their line protocol: a line of words goes out, a line of
 * JSON comes back. The connection to the manager that answered last is used again. Confined to one
 * thread.
 */
public final class ManagerClient implements AutoCloseable {
  private static final String STATE = "services";

  private final List<String> addresses;
  private final int patienceMillis;
  private @Nullable Connection last;

  /** A connection to one manager. */
  private record Connection(String address, Socket socket, BufferedReader in) {}

  /**
   * A client that has not connected yet.
   *
   * @param addresses where managers answer, each as {@code host:port}; any of them will do
   * @param patience how long a manager may take to be reached, and again to answer
   */
  public ManagerClient(List<String> addresses, Duration patience) {
    this.addresses = List.copyOf(addresses);
    this.patienceMillis = Math.toIntExact(patience.toMillis());
  }

  /**
   * The state of the services, from the manager that leads, else from any that answers.
   *
   * @throws TerraceException if none answers, or the one that does cannot tell
   */
  public JsonNode services() {
    JsonNode state = state();
    if (state.has("error")) {
      throw new TerraceException(ErrorCode.CHECK_FAILED, state.path("error").asString());
    }
    return state;
  }

  /**
   * The status of the first service; of none, as long as the manager cannot tell.
   *
   * @throws TerraceException if none answers
   */
  public ManagerStatus status() {
    return ManagerStatus.of(state().path("services").path(0));
  }

  /**
   * Has the manager that leads obey a command, once.
   *
   * @return what it did
   * @throws TerraceException if none leads, or the one that does refuses or does not answer: then
   *     it may have obeyed
   */
  public String command(String line) {
    String leader = services().path("leader").asString("");
    if (leader.isEmpty()) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "no manager leads at the moment; give the command again");
    }
    close();
    JsonNode answer =
        ask(leader, line)
            .orElseThrow(() ->
                new TerraceException(
                    ErrorCode.CHECK_FAILED,
                    "the leading manager at "
                        + leader
                        + " did not answer; see terrace services, then give the command again"));
    if (answer.has("error")) {
      throw new TerraceException(ErrorCode.BAD_INPUT, answer.path("error").asString());
    }
    return answer.path("done").asString();
  }

  private JsonNode state() {
    JsonNode any = null;
    for (String address : addresses) {
      Optional<JsonNode> answer = askState(address);
      if (answer.isPresent() && answer.get().path("leading").asBoolean()) {
        return answer.get();
      }
      any = answer.orElse(any);
    }
    if (any == null) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "no replication manager answers at "
              + String.join(", ", addresses)
              + "; give the address that it prints after 'admin' when it is ready");
    }
    String leader = any.path("leader").asString("");
    return leader.isEmpty() ? any : askState(leader).orElse(any);
  }

  /** Asks again on a new connection if a manager has closed one that was idle. */
  private Optional<JsonNode> askState(String address) {
    boolean again = last != null && last.address().equals(address);
    Optional<JsonNode> answer = ask(address, STATE);
    return answer.isEmpty() && again ? ask(address, STATE) : answer;
  }

  private Optional<JsonNode> ask(String address, String line) {
    try {
      Connection connection = connect(address);
      connection.socket().getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      String answer = connection.in().readLine();
      if (answer != null) {
        return Optional.of(JsonMapper.shared().readTree(answer));
      }
      close();
      return Optional.empty();
    } catch (IOException e) {
      close();
      return Optional.empty();
    } catch (JacksonException e) {
      close();
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          address + " is not where a replication manager answers people: " + e.getMessage(),
          e);
    }
  }

  private Connection connect(String address) throws IOException {
    if (last != null && last.address().equals(address)) {
      return last;
    }
    close();
    Socket socket = new Socket();
    try {
      socket.connect(parse(address), patienceMillis);
      socket.setSoTimeout(patienceMillis);
      var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      last = new Connection(address, socket, in);
      return last;
    } catch (IOException | TerraceException e) {
      socket.close();
      throw e;
    }
  }

  private static InetSocketAddress parse(String address) {
    int colon = address.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          address.substring(0, Math.max(0, colon)), Integer.parseInt(address.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "'"
              + address
              + "' is no address of a replication manager: expected host:port, for example"
              + " 127.0.0.1:7601",
          e);
    }
  }

  /** Closes the connection; the next question opens another. */
  @Override
  public void close() {
    Connection closing = last;
    last = null;
    if (closing != null) {
      try {
        closing.socket().close();
      } catch (IOException e) {
        // It is given up either way.
        return;
      }
    }
  }
}
