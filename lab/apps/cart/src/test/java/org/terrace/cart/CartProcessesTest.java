package org.terrace.cart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.Flags;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

/** Three replicas as processes under load, one of which is killed. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class CartProcessesTest {
  private static final int REPLICAS = 3;
  private static final String ADDRESS = "127.24.1.";

  private final List<ChildProcess> processes = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    processes.forEach(ChildProcess::close);
  }

  private static int freePort(String address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.getLocalPort();
    }
  }

  private void startReplicas(List<Integer> ports, List<Integer> groupPorts) throws IOException {
    String group =
        IntStream.range(0, REPLICAS)
            .mapToObj(i -> ADDRESS + (i + 1) + ":" + groupPorts.get(i))
            .collect(Collectors.joining(","));
    for (int i = 0; i < REPLICAS; i++) {
      List<String> command =
          JavaCommand.of(
              List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
              CartServer.class,
              "--name",
              "app" + (i + 1),
              "--address",
              ADDRESS + (i + 1),
              "--port",
              String.valueOf(ports.get(i)),
              "--group",
              group);
      processes.add(
          ChildProcess.start(
              new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD)));
    }
    for (ChildProcess process : processes) {
      process.awaitReady();
    }
  }

  private static String replicas(List<Integer> ports) {
    return IntStream.range(0, REPLICAS)
        .mapToObj(i -> "app" + (i + 1) + "=" + ADDRESS + (i + 1) + ":" + ports.get(i))
        .collect(Collectors.joining(","));
  }

  @Test
  void aKillInMidLoadCostsNoAcknowledgedUpdateAndDoublesNone(@TempDir Path folder)
      throws Exception {
    List<Integer> ports = new ArrayList<>();
    List<Integer> groupPorts = new ArrayList<>();
    for (int i = 1; i <= REPLICAS; i++) {
      ports.add(freePort(ADDRESS + i));
      groupPorts.add(freePort(ADDRESS + i));
    }
    startReplicas(ports, groupPorts);
    CompletableFuture<Void> kill =
        CompletableFuture.runAsync(
            processes.get(1)::kill, CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS));
    Path csv = folder.resolve("requests.csv");
    Path json = folder.resolve("summary.json");

    boolean good =
        CartLoad.run(
            LoadOptions.of(
                Flags.of(
                    new String[] {
                      "--replicas",
                      replicas(ports),
                      "--clients",
                      "16",
                      "--think-ms",
                      "5",
                      "--duration-s",
                      "6",
                      "--objects",
                      "32",
                      "--bytes",
                      "100",
                      "--gone",
                      "app2",
                      "--csv",
                      csv.toString(),
                      "--json",
                      json.toString()
                    })));

    kill.join();
    assertThat(good).as(Files.readString(json)).isTrue();
    assertThat(Files.readString(json)).contains("\"replicasChecked\": 2");
    assertThat(Files.readString(json)).containsPattern("\"replicasUnreachable\": \\[\"[^\"]+\"\\]");
    assertThat(Files.readAllLines(csv)).hasSizeGreaterThan(100);
  }

  @Test
  @Tag("long")
  void aLoadThatIsToldOfOneReplicaFindsAll(@TempDir Path folder) throws Exception {
    List<Integer> ports = new ArrayList<>();
    List<Integer> groupPorts = new ArrayList<>();
    for (int i = 1; i <= REPLICAS; i++) {
      ports.add(freePort(ADDRESS + i));
      groupPorts.add(freePort(ADDRESS + i));
    }
    startReplicas(ports, groupPorts);
    Path json = folder.resolve("summary.json");

    boolean good =
        CartLoad.run(
            LoadOptions.of(
                Flags.of(
                    new String[] {
                      "--join",
                      ADDRESS + "1:" + ports.getFirst(),
                      "--clients",
                      "4",
                      "--duration-s",
                      "2",
                      "--objects",
                      "8",
                      "--json",
                      json.toString()
                    })));

    assertThat(good).as(Files.readString(json)).isTrue();
    assertThat(Files.readString(json))
        .contains("\"replicasChecked\": 3", "\"replicasUnreachable\": []");
  }

  @Test
  void aServerEndsCleanlyWhenTold() throws Exception {
    List<Integer> ports = new ArrayList<>();
    List<Integer> groupPorts = new ArrayList<>();
    for (int i = 1; i <= REPLICAS; i++) {
      ports.add(freePort(ADDRESS + i));
      groupPorts.add(freePort(ADDRESS + i));
    }
    startReplicas(ports, groupPorts);
    for (ChildProcess process : processes) {
      process.process().destroy();
    }
    for (ChildProcess process : processes) {
      assertThat(process.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
