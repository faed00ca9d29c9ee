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
