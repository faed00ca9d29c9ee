package org.terrace.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.experiment.web.ApacheServer;
import org.terrace.hosts.TrialHosts;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Supervisor;
import org.terrace.nodes.setting.WebServer;

/**
 * The servers of an experiment without its load and its faults, for a visitor: they run until they
 * are told to end, and however that happens, no process they consist of is left.
 */
public final class Demonstration {
  private final TrialOptions options;
  private final TrialListener listener;

  /** A demonstration with the programs that the options name. */
  public Demonstration(TrialOptions options, TrialListener listener) {
    this.options = options;
    this.listener = new SynchronizedListener(listener);
  }

  /**
   * Starts the servers, tells where they listen, and ends them when the latch opens.
   *
   * @param folder an empty directory for their logs
   * @param ready told once, with the places to visit first
   * @throws TerraceException if the machine lacks something, or a server does not start
   */
  public void run(Experiment experiment, Path folder, Consumer<Visit> ready, CountDownLatch end)
      throws InterruptedException {
    listener.phase(TrialPhase.CHECK);
    if (experiment.web() == WebServer.APACHE) {
      ApacheServer.requireInstalled();
    }
    ResultFolder.prepare(folder);
    String mark = experiment.name() + "-" + ProcessHandle.current().pid();
    Path logs = ResultFolder.logs(folder.toAbsolutePath());
    TimeSource time = TimeSource.system();
    try (TrialHosts hosts = Deployment.openHosts(experiment, options, logs, listener, time);
        Supervisor supervisor = new Supervisor(logs, mark, time);
        var _ = EndingHook.closing(supervisor)) {
      hosts.requireFree();
      serve(experiment, logs, hosts, supervisor, ready, end);
    }
  }

  private void serve(
      Experiment experiment,
      Path logs,
      TrialHosts hosts,
      Supervisor supervisor,
      Consumer<Visit> ready,
      CountDownLatch end)
      throws InterruptedException {
    try (Deployment deployment =
        new Deployment(experiment, logs, supervisor, hosts, (server, line) -> {})) {
      listener.phase(TrialPhase.DATABASE);
      deployment.startDatabase();
      listener.phase(TrialPhase.DATA);
      deployment.loadData();
      listener.phase(TrialPhase.SERVERS);
      deployment.startServers();
      ready.accept(new Visit(deployment.entrances(), deployment.endpoints()));
      end.await();
      listener.phase(TrialPhase.STOP);
      supervisor.close();
    }
  }

  /**
   * The places where the servers listen. Immutable.
   *
   * @param entrances where users go
   * @param all every server's
   */
  public record Visit(List<Endpoint> entrances, List<Endpoint> all) {
    /** Copies the lists. */
    public Visit {
      entrances = List.copyOf(entrances);
      all = List.copyOf(all);
    }
  }
}
