package org.terrace.invocation.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.control.Naming;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.invocation.client.ClientOptions;
import org.terrace.invocation.client.ServiceClient;
import org.terrace.invocation.retention.PostgresDatabase;
import org.terrace.middleware.Endpoint;
import org.terrace.testing.Await;

/** The first call of a replica, which is what a client waits for when the primary has crashed. */
@Tag("real-processes")
@Tag("long")
class FirstCallTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The collector of replies works beside calls, on a thread of its own. */
  private static final List<String> BESIDE_CALLS = List.of("ReplyCollector", "Watermark");

  @TempDir Path directory;

  @Test
  void theFirstCallFindsTheCodeOfItsWayLoaded() throws Exception {
    Path log = directory.resolve("classes");
    try (PostgresDatabase postgres = PostgresDatabase.start();
        ChildProcess replica = start(log, postgres)) {
      List<String> words = replica.awaitReady();
      Endpoint endpoint =
          new Endpoint("backup", "terrace", words.get(0), Integer.parseInt(words.get(1)), "");
      ServiceReference reference =
          new ServiceReference(
              FirstCallReplica.SERVICE, Style.WARM_PASSIVE, 1, 1, List.of(endpoint));
      try (ServiceClient client = ServiceClient.open(ClientOptions.of(Naming.fixed(reference)))) {
        FirstCallReplica.Adding adding =
            client.stub(FirstCallReplica.Adding.class, FirstCallReplica.SERVICE);
        assertThat(Await.until(LIMIT, () -> isConnected(loaded(log))))
            .as("the client is connected")
            .isTrue();
        long before = Files.readAllLines(log).size();

        assertThat(adding.add(2, 3)).isEqualTo(5);

        assertThat(ofTheWay(Files.readAllLines(log).stream().skip(before).toList())).isEmpty();
      }
    }
  }

  private static ChildProcess start(Path log, PostgresDatabase postgres) throws IOException {
    List<String> options =
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load=info:file=" + log,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    return ChildProcess.start(
        new ProcessBuilder(
                JavaCommand.of(options, FirstCallReplica.class, postgres.url(), postgres.user()))
            .redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** The session of a client takes a type of action when it is restored, and then one of them. */
  private static boolean isConnected(String classes) {
    int type = classes.indexOf("ClientSession$OnFresh");
    return type >= 0 && classes.indexOf("ClientSessions$$Lambda", type) >= 0;
  }

  private static String loaded(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> ofTheWay(List<String> lines) {
    return lines.stream()
        .filter(line -> line.contains("org.terrace.invocation"))
        .filter(line -> BESIDE_CALLS.stream().noneMatch(line::contains))
        .toList();
  }
}
