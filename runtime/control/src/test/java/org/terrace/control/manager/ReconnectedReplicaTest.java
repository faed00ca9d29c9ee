package org.terrace.control.manager;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;
import org.terrace.control.naming.Addresses;
import org.terrace.control.naming.NamingProcess;
import org.terrace.core.TimeSource;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** A replica whose earlier connection ends after it has connected again. */
@Tag("real-processes")
class ReconnectedReplicaTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Longer than the end of a connection takes to be noticed and told. */
  private static final Duration LATER = Duration.ofMillis(300);

  @TempDir private Path directory;

  @Test
  void theEndOfAnEarlierConnectionDeclaresNobodyFailed() throws Exception {
    try (Processes processes = new Processes()) {
      String naming =
          processes.start(
              "naming",
              Processes.java(
                  NamingProcess.class,
                  "--listen",
                  "127.63.5.1:0",
                  "--directory",
                  directory.resolve("names").toString()),
              directory.resolve("naming.log"));
      InetSocketAddress manager =
          Addresses.parseOne(
              "manager",
              processes.start(
                  "manager",
                  Processes.java(
                      ManagerProcess.class,
                      "--managers",
                      "127.63.5.2:0",
                      "--naming",
                      naming,
                      "--service",
                      "seats",
                      "--degree",
                      "1",
                      "--directory",
                      directory.resolve("replicas").toString(),
                      "--command",
                      "false {name}"),
                  directory.resolve("manager.log")));
      byte[] hello =
          ManagerMessage.encode(
              new ManagerMessage.ReplicaHello(
                  "seats", new Endpoint("seats-9-1", "terrace", "127.0.0.1", 1, ""), 1L << 40));
      byte[] beat = ManagerMessage.encode(new ManagerMessage.Beat(0));
      try (ReferenceWatch watch = new ReferenceWatch(naming, "seats");
          Link second = connectTwiceAndEndTheFirst(manager, hello, beat, watch)) {
        long end = TimeSource.system().elapsedNanos() + LATER.toNanos();
        assertThat(
                Await.until(
                    LIMIT,
                    () -> {
                      second.send(beat);
                      return TimeSource.system().elapsedNanos() > end;
                    }))
            .isTrue();
        assertThat(processes.ask("services")).contains("seats-9-1").doesNotContain("crashed");
        assertThat(watch.newest().endpoints()).hasSize(1);
      }
    }
  }

  private static Link connectTwiceAndEndTheFirst(
      InetSocketAddress manager, byte[] hello, byte[] beat, ReferenceWatch watch) throws Exception {
    Link first = Link.connect(manager, LIMIT, ControlSecret.none());
    first.send(hello);
    // One that says nothing more while the manager does not lead yet is taken for dead.
    try (var beating = Executors.newSingleThreadScheduledExecutor()) {
      var _ = beating.scheduleWithFixedDelay(() -> first.send(beat), 0, 20, MILLISECONDS);
      watch.awaitDegree(1);
      beating.shutdownNow();
    }
    Link second = Link.connect(manager, LIMIT, ControlSecret.none());
    second.send(hello);
    for (int i = 0; i < 10; i++) {
      second.send(beat);
      Await.until(Duration.ofMillis(20), () -> false);
    }
    first.close();
    return second;
  }
}
