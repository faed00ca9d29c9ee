package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;

class SshPlacementTest {
  private static final List<PlannedServer> SERVERS =
      List.of(
          new PlannedServer("web1", "web", "127.0.1.1", 8080),
          new PlannedServer("app1", "app", "127.0.2.1", 8080),
          new PlannedServer("app2", "app", "127.0.2.2", 8080),
          new PlannedServer("database1", "database", "127.0.4.1", 5432));

  private static SshHost host(String name, String address, String... servers) {
    return new SshHost(name, name, address, List.of(servers), "");
  }

  private static List<String> chosen(SshHost... hosts) {
    Map<PlannedServer, SshHost> all = SshPlacement.of(List.of(hosts), SERVERS);
    return all.values().stream().map(SshHost::name).toList();
  }

  @Test
  void aServersNameGoesBeforeItsTierAndThatBeforeWhoNamesNothing() {
    assertThat(
            chosen(
                host("rest", "10.0.0.1"),
                host("left", "10.0.0.2", "app"),
                host("right", "10.0.0.3", "app2"),
                host("store", "10.0.0.4", "database")))
        .containsExactly("rest", "left", "right", "store");
  }

  @Test
  void severalHostsOfATierTakeTurns() {
    assertThat(
            chosen(
                host("a", "10.0.0.2", "app"),
                host("b", "10.0.0.3", "app"),
                host("front", "10.0.0.1", "web"),
                host("store", "10.0.0.4", "database")))
        .containsExactly("front", "a", "b", "store");
  }

  @Test
  void allMayBeOneMachineByLoopback() {
    assertThat(chosen(host("localhost", "127.0.0.1"))).containsOnly("localhost");
  }

  @Test
  void thisMachineByDefaultHasTheJavaOfThisProcess() {
    assertThat(Target.Ssh.localhost().hosts())
        .singleElement()
        .satisfies(host -> assertThat(host.java()).isEqualTo(JavaCommand.program().toString()));
  }

  @Test
  void whatCannotBeIsSaid() {
    assertThatThrownBy(() -> chosen(host("one", "10.0.0.1")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("web1, app1, app2, database1 would all have the address 10.0.0.1");
    assertThatThrownBy(() -> chosen(host("one", "10.0.0.1", "web")))
        .hasMessageContaining("no host plays app1; name it, or its tier app");
    assertThatThrownBy(() -> chosen(host("one", "10.0.0.1", "web"), host("two", "127.0.0.1")))
        .hasMessageContaining("some hosts have addresses of 127.0.0.0/8");
  }
}
