package org.terrace.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks replication managers over their line protocol: one line of words, one line of JSON.
 * Stateless but for the addresses.
 */
final class ManagerClient {
  private static final int TIMEOUT_MILLIS = 2_000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final List<String> addresses;

  ManagerClient(List<String> addresses) {
    this.addresses = addresses;
  }

  /** The state of the services, from the manager that leads, else from any that answers. */
  JsonNode services() {
    JsonNode any = null;
    for (String address : addresses) {
      Optional<JsonNode> answer = ask(address, "services");
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
    return leader.isEmpty() ? any : ask(leader, "services").orElse(any);
  }

  /** Has the manager that leads obey a command. */
  String command(String line) {
    String leader = services().path("leader").asString("");
    if (leader.isEmpty()) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, "no manager leads at the moment; give the command again");
    }
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

  private static Optional<JsonNode> ask(String address, String line) {
    try (Socket socket = new Socket()) {
      socket.connect(parse(address), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      String answer =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
              .readLine();
      return answer == null ? Optional.empty() : Optional.of(JSON.readTree(answer));
    } catch (IOException e) {
      return Optional.empty();
    } catch (JacksonException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          address + " is not where a replication manager answers people: " + e.getMessage(),
          e);
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
          "--manager has '" + address + "': expected host:port, for example 127.0.0.1:7501",
          e);
    }
  }
}
