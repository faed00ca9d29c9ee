package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.core.process.JavaCommand;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Supervisor;
import org.terrace.testing.Await;

/** Hosts behind the system's own ssh, which leads to a server in this process. */
@Timeout(180)
@Tag("real-processes")
@Tag("untimed")
class SshTest extends OverSsh {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static Node start(Supervisor supervisor, PlacedServer place, String... next)
      throws InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(place.address(), Integer.toString(place.port())));
    arguments.addAll(List.of(next));
    List<String> command =
        JavaCommand.of(
            place.programs().java(),
            List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"),
            place.programs().board(),
            RelayServer.class.getName(),
            arguments);
    Node node =
        supervisor.start(
            NodeSpecification.of(place.name(), command, new Readiness.Line("ready"), SOON),
            place.host());
    supervisor.awaitReady(node);
    return node;
  }

  @Test
  void serversOfTwoHostsAreAskedAndCapturedAndProgramsAreBroughtOnce() throws Exception {
    Map<Path, FileTime> brought;
    List<Node> nodes;
    try (TrialHosts hosts = open(List.of(host("one", "", "web"), host("two", "", "app1")));
        Supervisor supervisor =
            new Supervisor(folder.resolve("logs"), "ssh-" + NETWORK, TimeSource.system())) {
      hosts.requireFree();
      brought = cached();
      assertThat(brought).isNotEmpty();
      assertThat(progress.getFirst()).matches("the host one has taken 0\\.0 of \\d\\.\\d MB of .*");
      assertThat(progress)
          .anyMatch(line -> line.matches("the host one has taken (\\S+) of \\1 MB .*"));
      PlacedServer app = hosts.of("app1");
      Node second = start(supervisor, app);
      Node first = start(supervisor, hosts.of("web1"), app.address(), Integer.toString(app.port()));
      nodes = List.of(first, second);
      String answer =
          RelayServer.ask(
              InetAddress.ofLiteral(hosts.userAddress()),
              InetAddress.ofLiteral(hosts.of("web1").address()),
              8080);
      assertThat(answer).startsWith("HTTP/1.1 200 OK");
      assertThat(hosts.of("web1").host()).isNotEqualTo(app.host());
      assertThat(hosts.of("web1").host().clockOffset()).isEqualTo(ClockOffset.SAME_CLOCK);
      assertThat(app.programs().board()).startsWith(cache.toString());
      assertThat(hosts.facts()).as("all of one machine").isEqualTo(Map.of("target", "ssh"));
    }
    assertThat(nodes).noneMatch(Node::isAlive);

    progress.clear();
    try (TrialHosts again = open(List.of(host("one", "")))) {
      assertThat(again.of("web1").host()).isEqualTo(again.of("app1").host());
    }
    assertThat(progress).isEmpty();
    assertThat(cached()).isEqualTo(brought);
  }

  @Test
  @Tag("long")
  void whenTheConnectionIsCutTheHostEndsWhatItStarted() throws Exception {
    try (TrialHosts hosts = open(List.of(host("one", "")));
        Supervisor supervisor =
            new Supervisor(folder.resolve("logs"), "cut-" + NETWORK, TimeSource.system())) {
      Node node = start(supervisor, hosts.of("app1"));
      long pid = node.pid();

      ProcessHandle.current()
          .descendants()
          .filter(each -> each.info().command().orElse("").endsWith("/ssh"))
          .forEach(ProcessHandle::destroyForcibly);

      assertThat(node.exit()).succeedsWithin(Duration.ofSeconds(10));
      assertThat(
              Await.until(
                  Duration.ofSeconds(Agent.END_SECONDS),
                  () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()))
          .isTrue();
    }
  }

  @Test
  void aHostWithAnotherKeyIsRefusedByTheUsersOwnSsh() throws Exception {
    String other = Files.readString(folder.resolve("key.pub")).strip();
    server.writeKnownHosts(other);

    assertThatThrownBy(() -> open(List.of(host("one", ""))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the agent of the host one ended before it was ready")
        .hasMessageContaining("Host key verification failed");
  }

  @Test
  @Tag("long")
  void aHostWithoutJavaIsToldAtOnce() {
    assertThatThrownBy(() -> open(List.of(host("one", "/no/such/java"))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the host one has no Java 25 or newer")
        .hasMessageContaining("/no/such/java")
        .hasMessageContaining("'java:' in the hosts file");
    assertThat(cache.resolve("hosts")).isEmptyDirectory();
  }

  @Test
  @Tag("long")
  void aJvmThatTellsWhatItPickedUpHasAVersionToo() throws Exception {
    Path java = folder.resolve("java 25");
    Files.writeString(
        java,
        "#!/bin/sh\necho 'Picked up JAVA_TOOL_OPTIONS: -Dx=y' >&2\nexec '%s' \"$@\"\n"
            .formatted(JavaCommand.program()));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));

    try (TrialHosts hosts = open(List.of(host("one", java.toString())))) {
      assertThat(hosts.of("web1").host().facts().cores()).isPositive();
    }
  }

  @Test
  @Tag("long")
  void aGreetingThatLeavesItsLineOpenIsPassedOver() throws Exception {
    restart("sh", "-c", "printf 'welcome: '; exec \"$0\" \"$@\"", "sh");

    try (TrialHosts hosts = open(List.of(host("one", "")))) {
      assertThat(hosts.of("web1").host().facts().cores()).isPositive();
    }
  }

  /**
   * A user's forwardings are for the user's own sessions: here they would listen beside a trial.
   */
  @Test
  @Tag("long")
  void aConfigurationsForwardingsAreNotOpened() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path configuration = folder.resolve("config");
    Files.writeString(configuration, "LocalForward 127.0.0.1:%d 127.0.0.1:9%n".formatted(port));

    try (TrialHosts hosts =
        open(server.command(configuration.toString()), List.of(host("one", "")))) {
      assertThat(hosts.runner().answers(new Readiness.Port("127.0.0.1", port))).isFalse();
    }
  }

  @Test
  @Tag("long")
  void hostsThatAreOneMachineAreRefusedWhateverTheirAddresses() {
    assertThatThrownBy(() ->
            open(
                List.of(
                    new SshHost("one", "127.0.0.1", "192.0.2.11", List.of("web"), ""),
                    new SshHost("two", "127.0.0.1", "192.0.2.12", List.of("app"), ""))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("one is the machine on which the users run");
  }

  /** Each connection leads to a network of its own, as to another machine. */
  @Test
  @Tag("long")
  void onANetworkOfOthersDatabasesLetInTheTrialsHostsAlone() throws Exception {
    assumeTrue(runs("unshare", "--net", "--", "true"), "a network namespace takes root");
    assumeTrue(runs("ip", "route", "get", "192.0.2.11"), "this machine has no network");
    restart("unshare", "--net", "--", "sh");
    List<SshHost> machines =
        List.of(
            new SshHost("one", "127.0.0.1", "192.0.2.11", List.of("web"), ""),
            new SshHost("two", "127.0.0.1", "192.0.2.12", List.of("app"), ""));

    try (TrialHosts hosts = open(machines)) {
      assertThat(hosts.databaseClients()).containsExactly("192.0.2.11/32", "192.0.2.12/32");
    }
  }
}
