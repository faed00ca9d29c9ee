package org.terrace.studies.services;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a replication manager for its state, a line of JSON for a line. Confined to one thread. */
public final class ManagerClient implements AutoCloseable {
  private static final int ANSWER_MILLIS = 5_000;

  private final Socket socket;
  private final BufferedReader in;
  private final OutputStream out;

  private ManagerClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    this.out = socket.getOutputStream();
  }

  /** Connects to a manager's address for questions. */
  public static ManagerClient open(String address, int port) {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port), ANSWER_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      return new ManagerClient(socket);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Its state now. */
  public ManagerStatus status() {
    try {
      out.write("services\n".getBytes(StandardCharsets.UTF_8));
      String line = in.readLine();
      if (line == null) {
        throw new IOException("the manager closed the connection");
      }
      JsonNode service = JsonMapper.shared().readTree(line).path("services").path(0);
      List<ManagerStatus.Replica> replicas = new ArrayList<>();
      for (JsonNode replica : service.path("replicas")) {
        replicas.add(
            new ManagerStatus.Replica(
                replica.path("replica").asString(),
                replica.path("role").asString(),
                replica.path("state").asString(),
                replica.path("address").asString(),
                replica.path("pid").asLong()));
      }
      return new ManagerStatus(service.path("degree").asInt(), replicas);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static TerraceException failure(IOException cause) {
    return new TerraceException(
        ErrorCode.CHECK_FAILED, "the replication manager does not answer: " + cause, cause);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw failure(e);
    }
  }
}
