package org.terrace.experiment;

import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.terrace.core.TimeSource;
import org.terrace.hosts.TrialHosts;
import org.terrace.hosts.TrialHosts.PlacedServer;

/** The visitors who watch the sessions of a trial, if it has any. Confined to one thread. */
final class WatchedSessions implements AutoCloseable {
  private final Experiment experiment;
  private final TrialHosts hosts;
  private final TimeSource time;
  private @Nullable SessionWatch watch;

  WatchedSessions(Experiment experiment, TrialHosts hosts, TimeSource time) {
    this.experiment = experiment;
    this.hosts = hosts;
    this.time = time;
  }

  void start() {
    if (experiment.observe().sessions() == 0) {
      return;
    }
    Tier entrance = experiment.topology().web() > 0 ? Tier.WEB : Tier.APP;
    PlacedServer place = hosts.of(entrance.serverName(1));
    URI site = URI.create("http://" + place.address() + ":" + place.port() + "/");
    InetAddress from = InetAddress.ofLiteral(hosts.userAddress());
    watch = SessionWatch.start(site, from, experiment.observe().sessions(), time);
  }

  Optional<SessionCounts> stop() throws InterruptedException {
    return watch == null ? Optional.empty() : Optional.of(watch.stop());
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
  }
}
