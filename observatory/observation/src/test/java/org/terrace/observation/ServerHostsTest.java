package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of servers by their hosts. */
class ServerHostsTest {
  @Test
  void aHostWithOneServerHasItsNameAndOneWithSeveralHasNone() {
    List<Server> servers =
        List.of(
            new Server("web", "web", List.of("10.0.0.1:80", "10.0.0.1:443")),
            new Server("app", "app", List.of("[fd00::2]:8080", "10.0.0.2:8080")),
            new Server("cache", "cache", List.of("10.0.0.2:6379")),
            new Server("unknown", "app", List.of()));

    assertThat(Server.aloneAtHost(servers))
        .containsOnly(entry("10.0.0.1", "web"), entry("fd00::2", "app"));
  }
}
