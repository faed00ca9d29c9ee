package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;
import org.terrace.nodes.Endpoints.Endpoint;
import org.terrace.nodes.Launch;
import org.terrace.nodes.fault.Hold;
import org.terrace.nodes.setting.MetricsPlace;
import org.terrace.testing.Await;

/**
 * Metrics of a server that answers nobody, at the port that real rules of the kernel are about, and
 * at a port of their own.
 */
@Timeout(120)
@Tag("real-processes")
class CutReadingsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final TimeSource TIME = TimeSource.system();
  private static final String NAME = "app1";
  private static final String ADDRESS = "127.94.2.1";

  @TempDir private Path folder;

  private static boolean passes(Duration stretch) {
    long end = TIME.elapsedNanos() + stretch.toNanos();
    return Await.until(SOON, () -> TIME.elapsedNanos() > end);
  }

  private static void requireCut(ServerHost host, HoldPlan plan) {
    try {
      host.requirePermitted(plan);
    } catch (TerraceException e) {
      Assumptions.abort(e.getMessage());
    }
  }

  /** The losses of a run in whose first readings the server is cut off. */
  private List<String> lost(boolean untilTheEnd) throws IOException {
    return lost(HoldPlan.Cut::new, 0, untilTheEnd);
  }

  /**
   * The losses of a run in whose first readings a fault holds the server.
   *
   * @param beside the port of the server, as so many beside that of its metrics
   */
  private List<String> lost(Function<Endpoint, HoldPlan> fault, int beside, boolean untilTheEnd)
      throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.ofLiteral(ADDRESS));
        LocalServerHost host = new LocalServerHost("local", folder, TIME)) {
      Endpoint endpoint = new Endpoint(NAME, ADDRESS, silent.getLocalPort() - beside);
      HoldPlan plan = fault.apply(endpoint);
      requireCut(host, plan);
      host.start(new Launch(NAME, List.of("sleep", "100"), Map.of(), Path.of("/"), false));
      WatchPlan.Watched server =
          new WatchPlan.Watched(
              NAME,
              NAME,
              1,
              Optional.empty(),
              Optional.of(
                  MetricsPlace.own(
                      URI.create("http://" + ADDRESS + ":" + silent.getLocalPort() + "/"))),
              Optional.empty(),
              Optional.empty());
      Hold cut = host.hold(plan);
      cut.begin();
      ServerWatch watch = host.watch(new WatchPlan(List.of(server), INTERVAL));
      watch.enforceLimits();
      assertThat(passes(INTERVAL.multipliedBy(20))).isTrue();
      if (!untilTheEnd) {
        var _ = cut.end();
        for (int asked = 0; asked < 10; asked++) {
          var _ = silent.accept();
        }
      }
      List<String> lost = watch.end().lost();
      var _ = cut.end();
      return lost;
    }
  }

  @Test
  void whatAPlannedCutTakesIsNoLossOfTheMonitors() throws IOException {
    assertThat(lost(true)).isEmpty();
  }

  @Test
  void norIsItAtAnotherPortWhicheverTheFaultOfItsNetwork() throws IOException {
    assertThat(lost(HoldPlan.Cut::new, 1, true)).as("cut").isEmpty();
    assertThat(lost(each -> new HoldPlan.Loss(each, 1), 1, true)).as("loss").isEmpty();
    assertThat(lost(each -> new HoldPlan.Bandwidth(each, 1), 1, true)).as("bandwidth").isEmpty();
  }

  @Test
  void whatLacksOnceTheCutIsOverIsOne() throws IOException {
    assertThat(lost(false))
        .singleElement()
        .asString()
        .startsWith("app1 did not tell how much of its pools was in use");
  }
}
