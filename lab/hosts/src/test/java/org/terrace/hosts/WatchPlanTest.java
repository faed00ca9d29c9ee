package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.setting.DeclaredMetrics;
import org.terrace.nodes.setting.DeclaredMetrics.Pool;
import org.terrace.nodes.setting.MetricSelector;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.nodes.setting.NetworkLimit;

class WatchPlanTest {
  @Test
  void anAgentIsToldAllOfIt() {
    MetricSelector busy = new MetricSelector("busy", Map.of("of", "a \"b\""));
    DeclaredMetrics declared =
        new DeclaredMetrics(
            Map.of(
                "readers", new Pool(busy, MetricSelector.parse("most"), 0),
                "lock", new Pool(busy, Optional.empty(), 4)),
            List.of(busy));
    WatchPlan plan =
        new WatchPlan(
            List.of(
                WatchPlan.Watched.of("web1", "web1", 2),
                new WatchPlan.Watched(
                    "app1",
                    "app1",
                    0.5,
                    Optional.of(new Endpoint("app1", "10.0.2.1", 8080)),
                    Optional.of(
                        new MetricsPlace(
                            URI.create("http://10.0.2.1:8080/metrics"),
                            Optional.of("127.0.9.1"),
                            Optional.of(declared))),
                    Optional.of(new NetworkLimit("10.0.2.1", "10.0.9.1", 1 << 20)),
                    Optional.of(Duration.ofMillis(100)))),
            Duration.ofSeconds(1));

    assertThat(
            AgentMessages.JSON.treeToValue(AgentMessages.JSON.valueToTree(plan), WatchPlan.class))
        .isEqualTo(plan);
  }
}
