package org.terrace.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Sample;
import org.terrace.observation.Server;

class HeldEvidenceTest {
  private static final List<Server> SERVERS =
      List.of(
          new Server("app1", "app", List.of("10.0.0.5:8080")),
          new Server("db1", "database", List.of("10.0.0.6:5432")),
          new Server("cache1", "tier3", List.of("10.0.0.6:6379")),
          new Server("v6", "app", List.of("[fd00::7]:80")));

  @Test
  void aReadingIsOfTheServerWithItsNameOrAddressOrAloneAtItsHost() {
    assertThat(named("app1")).isEqualTo("app1");
    assertThat(named("app1:9100")).isEqualTo("app1");
    assertThat(named("10.0.0.5:9100")).isEqualTo("app1");
    assertThat(named("10.0.0.5")).isEqualTo("app1");
    assertThat(named("[fd00::7]:9100")).isEqualTo("v6");
    assertThat(named("10.0.0.6:6379")).isEqualTo("cache1");
    // Two servers are there, and the exporter of the host is neither's.
    assertThat(named("10.0.0.6:9100")).isEqualTo("10.0.0.6:9100");
    assertThat(named("machine")).isEqualTo("machine");
  }

  @Test
  void oneMetricFromTwoPlacesOfAServerIsTwoResources() {
    List<Sample> named =
        HeldEvidence.named(
            List.of(
                sample("10.0.0.5:9100", "threads"),
                sample("10.0.0.5:9404", "threads"),
                sample("10.0.0.5:9404", "heap")),
            SERVERS);

    assertThat(named)
        .extracting(Sample::node, Sample::resource)
        .containsExactly(
            tuple("app1", "threads at 10.0.0.5:9100"),
            tuple("app1", "threads at 10.0.0.5:9404"),
            tuple("app1", "heap"));
  }

  private static String named(String node) {
    return HeldEvidence.named(List.of(sample(node, "up")), SERVERS).getFirst().node();
  }

  private static Sample sample(String node, String resource) {
    return new Sample(node, resource, 1, 1);
  }
}
