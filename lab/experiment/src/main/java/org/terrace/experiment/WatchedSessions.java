package org.terrace.experiment;

import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The visitors who watch the sessions of a trial, if it has any. Confined to one thread. */
final class WatchedSessions implements AutoCloseable {
  private final Experiment experiment;
  private @Nullable SessionWatch watch;

  WatchedSessions(Experiment experiment) {
    this.experiment = experiment;
  }

  void start() {
    if (experiment.observe().sessions() == 0) {
      return;
    }
    Tier entrance = experiment.topology().web() > 0 ? Tier.WEB : Tier.APP;
    URI site =
        URI.create(
            "http://" + entrance.address(experiment.network(), 1) + ":" + entrance.port() + "/");
    InetAddress from = InetAddress.ofLiteral(LoadDriver.userAddress(experiment));
    watch = SessionWatch.start(site, from, experiment.observe().sessions());
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
