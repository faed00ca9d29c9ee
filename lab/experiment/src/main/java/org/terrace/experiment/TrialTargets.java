package org.terrace.experiment;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.terrace.hosts.HoldPlan;
import org.terrace.hosts.ServerHost;
import org.terrace.hosts.TrialHosts;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.FaultTargets;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.fault.NetworkEffect;

/** The servers of a trial as its faults strike them. Thread-safe. */
final class TrialTargets implements FaultTargets {
  private final Experiment experiment;
  private final Deployment deployment;
  private final TrialHosts hosts;
  private final Consumer<String> restart;
  private final Map<String, Node> breakers = new ConcurrentHashMap<>();

  /**
   * @param restart starts a server again
   */
  TrialTargets(
      Experiment experiment, Deployment deployment, TrialHosts hosts, Consumer<String> restart) {
    this.experiment = experiment;
    this.deployment = deployment;
    this.hosts = hosts;
    this.restart = restart;
  }

  /**
   * Checks that the hosts permit what faults of the network need, which takes no server yet.
   *
   * @throws org.terrace.core.TerraceException if one does not, with the reason
   */
  void requireNetworks() {
    Set<List<Object>> tried = new HashSet<>();
    for (Fault fault : experiment.faults()) {
      if (fault instanceof Fault.SynDrop || fault instanceof Fault.Network) {
        ServerHost host = hosts.of(fault.server()).host();
        HoldPlan plan = plan(fault);
        if (tried.add(List.of(host, plan.getClass()))) {
          host.requirePermitted(plan);
        }
      }
    }
  }

  /**
   * Starts the helpers that disturb databases, and checks that the hosts permit what the other
   * faults need; the servers run.
   *
   * @throws org.terrace.core.TerraceException if one does not, with the reason
   */
  void prepare() throws InterruptedException {
    for (Fault fault : experiment.faults()) {
      String server = fault.server();
      switch (fault) {
        case Fault.RowLock _, Fault.Checkpoint _ -> {
          if (!breakers.containsKey(server)) {
            breakers.put(server, deployment.startBreaker(server));
          }
        }
        case Fault.SlowDisk _, Fault.ProcessorPressure _, Fault.MemoryPressure _ ->
            hosts.of(server).host().requirePermitted(plan(fault));
        case Fault.Kill _, Fault.Pause _, Fault.GarbagePressure _, Fault.ProcessorLoad _ -> {}
        case Fault.LockConvoy _, Fault.Burst _, Fault.SynDrop _, Fault.Network _ -> {}
      }
    }
  }

  @Override
  public Node node(String server) {
    return deployment.node(server);
  }

  @Override
  public void restart(String server) {
    restart.accept(server);
  }

  @Override
  public Node breaker(Fault fault) {
    Node helper = breakers.get(fault.server());
    return switch (fault) {
      case Fault.RowLock _, Fault.Checkpoint _ when helper != null -> helper;
      default -> node(fault.server());
    };
  }

  @Override
  public Hold hold(Fault fault) {
    return hosts.of(fault.server()).host().hold(plan(fault));
  }

  private HoldPlan plan(Fault fault) {
    return switch (fault) {
      case Fault.SynDrop drop -> new HoldPlan.Openings(hosts.of(drop.server()).endpoint());
      case Fault.Network network -> {
        Endpoint endpoint = hosts.of(network.server()).endpoint();
        yield switch (network.effect()) {
          case NetworkEffect.Cut _ -> new HoldPlan.Cut(endpoint);
          case NetworkEffect.Loss(double share) -> new HoldPlan.Loss(endpoint, share);
          case NetworkEffect.Bandwidth(long rate) -> new HoldPlan.Bandwidth(endpoint, rate);
          case NetworkEffect.Delay(Duration by, Duration jitter) ->
              new HoldPlan.Delay(endpoint, by, jitter);
        };
      }
      case Fault.SlowDisk slow -> new HoldPlan.Storage(slow.server(), slow.bytesPerSecond());
      case Fault.MemoryPressure pressure ->
          new HoldPlan.Memory(pressure.server(), pressure.share());
      case Fault.ProcessorPressure pressure -> new HoldPlan.Processor(pressure.server());
      default -> throw new IllegalArgumentException(fault.word() + " holds nothing from outside");
    };
  }
}
