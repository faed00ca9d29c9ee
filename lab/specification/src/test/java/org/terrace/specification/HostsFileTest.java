package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.hosts.SshHost;
import org.terrace.hosts.Target;

class HostsFileTest {
  @Test
  void aFileSaysWhereSshLeadsAndWhoPlaysWhat() {
    Target.Ssh target =
        HostsFile.read(
            "hosts.yaml",
            """
            kind: Hosts
            ssh: [ssh, -F, ./config]
            hosts:
              front: {ssh: me@front.example, address: 10.0.0.11, servers: [web, app1]}
              store: {ssh: store, address: 10.0.0.14, java: /opt/java/bin/java}
            """);

    assertThat(target.command()).containsExactly("ssh", "-F", "./config");
    assertThat(target.hosts())
        .containsExactly(
            new SshHost("front", "me@front.example", "10.0.0.11", List.of("web", "app1"), ""),
            new SshHost("store", "store", "10.0.0.14", List.of(), "/opt/java/bin/java"));
  }

  /** At such an address a server would listen for everybody, or for nobody. */
  @Test
  void anAddressIsOneOfAHostAlone() {
    for (String address : List.of("0.0.0.0", "224.0.0.1", "255.255.255.255", "10.0.0.256")) {
      assertThatThrownBy(() ->
              HostsFile.read(
                  "hosts.yaml",
                  "kind: Hosts\nhosts: {one: {ssh: one, address: %s}}\n".formatted(address)))
          .as(address)
          .isInstanceOf(SpecificationException.class)
          .hasMessageContaining("an IPv4 address of the host alone");
    }
  }

  /** Its capture and its figures would stand under the runner's name. */
  @Test
  void theNameOfThisMachineIsTaken() {
    assertThatThrownBy(() ->
            HostsFile.read(
                "hosts.yaml", "kind: Hosts\nhosts: {local: {ssh: one, address: 10.0.0.1}}\n"))
        .isInstanceOf(SpecificationException.class)
        .hasMessageContaining("'local' is the name of this machine");
  }

  @Test
  void whatLooksLikeAnOptionIsNoHost() {
    for (String destination : List.of("-oProxyCommand=x", "me@-oProxyCommand=x", "a b")) {
      assertThatThrownBy(() ->
              HostsFile.read(
                  "hosts.yaml",
                  "kind: Hosts\nhosts: {one: {ssh: '%s', address: 10.0.0.1}}\n"
                      .formatted(destination)))
          .as(destination)
          .isInstanceOf(SpecificationException.class)
          .hasMessageContaining("what ssh is asked for");
    }
  }

  @Test
  void allThatIsWrongIsToldByLine() {
    assertThatThrownBy(() ->
            HostsFile.read(
                "hosts.yaml",
                """
                kind: Hosts
                hosts:
                  one: {ssh: -oProxyCommand=x, address: ten, servers: [cache]}
                  two: {address: 10.0.0.1, adress: 10.0.0.2}
                """))
        .isInstanceOf(SpecificationException.class)
        .hasMessageContaining("hosts.yaml")
        .hasMessageContaining("what ssh is asked for")
        .hasMessageContaining("an IPv4 address")
        .hasMessageContaining("a tier or a server")
        .hasMessageContaining("lacks 'ssh'")
        .hasMessageContaining("adress");
  }
}
