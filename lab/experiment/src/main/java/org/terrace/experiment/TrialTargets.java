package org.terrace.experiment;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Node;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.FaultTargets;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.fault.SlowDisk;
import org.terrace.nodes.fault.SynDrop;
import org.terrace.nodes.machine.DiskLimit;

/** The servers of a trial as its faults strike them. Thread-safe. */
final class TrialTargets implements FaultTargets {
  private final Experiment experiment;
  private final Deployment deployment;
  private final Consumer<String> restart;
  private final Map<String, Node> breakers = new ConcurrentHashMap<>();

  /**
   * @param restart starts a server again
   */
  TrialTargets(Experiment experiment, Deployment deployment, Consumer<String> restart) {
    this.experiment = experiment;
    this.deployment = deployment;
    this.restart = restart;
  }

  /**
   * Starts the helpers that disturb databases, and checks that this machine permits what the faults
   * need; the servers run.
   *
   * @throws org.terrace.core.TerraceException if it does not, with the reason
   */
  void prepare() throws InterruptedException {
    boolean dropsChecked = false;
    for (Fault fault : experiment.faults()) {
      String server = fault.server();
      switch (fault) {
        case Fault.RowLock _, Fault.Checkpoint _ -> {
          if (!breakers.containsKey(server)) {
            breakers.put(server, deployment.startBreaker(server));
          }
        }
        case Fault.SynDrop _ -> {
          if (!dropsChecked) {
            SynDrop.requirePermitted();
          }
          dropsChecked = true;
        }
        case Fault.SlowDisk _ -> DiskLimit.of(deployment.node(server).members()).close();
        case Fault.Kill _, Fault.Pause _, Fault.GarbagePressure _, Fault.ProcessorLoad _ -> {}
        case Fault.LockConvoy _, Fault.Burst _ -> {}
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
    return switch (fault) {
      case Fault.SynDrop drop -> new SynDrop(endpoint(drop.server()));
      case Fault.SlowDisk slow ->
          new SlowDisk(() -> deployment.node(slow.server()).members(), slow.bytesPerSecond());
      default -> throw new IllegalArgumentException(fault.word() + " holds nothing from outside");
    };
  }

  private Endpoint endpoint(String server) {
    return Deployment.endpoints(experiment).stream()
        .filter(endpoint -> endpoint.server().equals(server))
        .findFirst()
        .orElseThrow();
  }
}
