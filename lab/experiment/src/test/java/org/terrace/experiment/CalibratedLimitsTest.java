package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.terrace.hosts.HostFacts;
import org.terrace.hosts.ServerHost;
import org.terrace.nodes.setting.ProcessorLimit;

class CalibratedLimitsTest {
  private static final Experiment WRITTEN =
      PlainExperiments.of(
          new Topology(1, 3, 0, 1),
          List.of(),
          Map.of(
              "app",
              new ProcessorLimit(0.5, true),
              "app2",
              new ProcessorLimit(2, false),
              "database",
              new ProcessorLimit(0.2, true)));

  private final AtomicInteger measured = new AtomicInteger();

  /** A host of a machine whose cores take so many times the reference's time. */
  private ServerHost host(String name, String machine, double slowdown) {
    Path there = Path.of("there");
    HostFacts facts =
        new HostFacts(
            machine,
            name,
            4,
            Set.of(0, 1, 2, 3),
            OptionalDouble.empty(),
            there,
            there,
            Optional.empty(),
            List.of(),
            Map.of());
    return (ServerHost)
        Proxy.newProxyInstance(
            ServerHost.class.getClassLoader(),
            new Class<?>[] {ServerHost.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "name" -> name;
                  case "facts" -> facts;
                  case "slowdown" -> {
                    measured.incrementAndGet();
                    yield slowdown;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void aSlowerMachineGivesMoreOfItsOwnCoresWhereLimitsAreCalibratedOnly() {
    Experiment here = WRITTEN.on(_ -> 1.5);

    assertThat(WRITTEN.calibratedServers()).containsExactly("app1", "app3", "database1");
    assertThat(here.calibratedServers()).isEmpty();
    assertThat(here.cpuLimit(Tier.APP, 1)).hasValue(0.75);
    assertThat(here.cpuLimit(Tier.APP, 2)).hasValue(2);
    assertThat(here.cpuLimit(Tier.WEB, 1)).isEmpty();
    assertThat(here.topology()).isEqualTo(WRITTEN.topology());
  }

  @Test
  void eachServerHasTheCoresOfItsOwnMachineWhichIsMeasuredOnce() {
    Map<String, ServerHost> hosts =
        Map.of(
            "app1", host("one", "slow", 2),
            "app3", host("two", "quick", 0.5),
            "database1", host("three", "slow", 2));
    List<String> told = new ArrayList<>();

    Map<String, Double> slowdowns = TrialServers.slowdowns(WRITTEN, hosts::get, told::add);
    Experiment here = WRITTEN.on(slowdowns::get);

    assertThat(here.cpuLimit(Tier.APP, 1)).hasValue(1);
    assertThat(here.cpuLimit(Tier.APP, 2)).hasValue(2);
    assertThat(here.cpuLimit(Tier.APP, 3)).hasValue(0.25);
    assertThat(here.cpuLimit(Tier.DATABASE, 1)).hasValue(0.4);
    assertThat(measured).hasValue(2);
    assertThat(told)
        .hasSize(3)
        .contains(
            "limit calibrated: app3 has 0.25 cores, since a core of the host two takes 0.50 times the reference's time");
  }
}
