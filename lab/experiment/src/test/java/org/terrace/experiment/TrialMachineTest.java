package org.terrace.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.terrace.hosts.HostFacts;
import org.terrace.hosts.ServerHost;

/** The machines of a trial whose hosts are containers of one box. */
class TrialMachineTest {
  private static final Path THERE = Path.of("there");
  private static final OptionalDouble FREE = OptionalDouble.empty();

  private static ServerHost host(String name, OptionalDouble quota, Integer... processors) {
    HostFacts facts =
        new HostFacts(
            "box",
            name,
            processors.length,
            Set.of(processors),
            quota,
            THERE,
            THERE,
            Optional.empty(),
            List.of(),
            Map.of());
    return (ServerHost)
        Proxy.newProxyInstance(
            ServerHost.class.getClassLoader(),
            new Class<?>[] {ServerHost.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "name" -> name;
                  case "facts" -> facts;
                  case "equals" -> name.equals(((ServerHost) arguments[0]).name());
                  case "hashCode" -> name.hashCode();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static List<TrialMachine> machines(ServerHost runner, Map<String, ServerHost> servers) {
    TreeMap<String, ServerHost> hosts = new TreeMap<>(servers);
    hosts.put("clients", runner);
    return TrialServers.machines(runner, hosts, _ -> 1);
  }

  @Test
  void containersWithProcessorsOfTheirOwnAreJudgedEachByItsOwn() {
    ServerHost runner = host("local", FREE, 0, 1);
    Map<String, ServerHost> servers =
        Map.of(
            "app1", host("left", FREE, 2, 3, 4),
            "app2", host("right", FREE, 5),
            "web1", host("beside", FREE, 0, 1));

    assertThat(machines(runner, servers))
        .containsExactly(
            new TrialMachine("this machine", "machine", 2, Map.of("clients", 1.0, "web1", 1.0)),
            new TrialMachine("the host left", "machine-left", 3, Map.of("app1", 1.0)),
            new TrialMachine("the host right", "machine-right", 1, Map.of("app2", 1.0)));
  }

  /** Else what a container uses would seem to be another program's. */
  @Test
  void aContainerWithSomeOfTheUsersProcessorsCountsAmongTheirsToo() {
    ServerHost runner = host("local", FREE, 0, 1, 2, 3);

    assertThat(machines(runner, Map.of("app1", host("left", FREE, 2, 3))))
        .containsExactly(
            new TrialMachine("this machine", "machine", 4, Map.of("app1", 1.0, "clients", 1.0)),
            new TrialMachine(
                "the host left", "machine-left", 2, FREE, Map.of("app1", 1.0), Set.of("clients")));
  }

  @Test
  void aContainerWithAQuotaIsJudgedByIt() {
    ServerHost runner = host("local", FREE, 0, 1);
    OptionalDouble quota = OptionalDouble.of(0.5);

    assertThat(machines(runner, Map.of("app1", host("left", quota, 0, 1))))
        .extracting(TrialMachine::name, TrialMachine::quota)
        .containsExactly(tuple("this machine", FREE), tuple("the host left", quota));
  }
}
