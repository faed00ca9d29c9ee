package org.terrace.seven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.core.TerraceException;
import org.terrace.seven.application.Application;
import org.terrace.testing.Depth;

/** Replicas and clients as the programs run them, over real sockets and a real database. */
@ExtendWith(SevenDatabase.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class RunTest {
  private static final int CALLS = 200;
  private static final int WARM_UP = 20;

  @TempDir private Path folder;

  static List<String> applications() {
    List<String> names = SevenApplications.all().stream().map(Application::name).toList();
    return names.subList(0, Depth.of(names.size(), 2));
  }

  @ParameterizedTest
  @MethodSource("applications")
  void clientsCallAReplicaAndTheInvariantsHold(String name, SevenDatabase database)
      throws Exception {
    Application<?> application = SevenApplications.named(name);
    Path serverProbes = folder.resolve("server.csv");
    RunSummary summary;
    try (SevenServer server =
        open(database, name, "--reset", "--probes", serverProbes.toString())) {
      summary = run(name, server.endpoint().port(), "--reply", "512");
    }

    assertThat(summary.isWhole()).as(summary.toString()).isTrue();
    assertThat(summary.replied() + summary.refused().values().stream().mapToInt(i -> i).sum())
        .isEqualTo(CALLS);
    assertThat(Files.readAllLines(folder.resolve("clients.csv"))).hasSize(CALLS + 1);
    assertThat(Files.readAllLines(serverProbes))
        .as("a row each, besides the header and the restored sessions")
        .filteredOn(row -> !row.startsWith("server1,restore_session,"))
        .hasSize(CALLS + WARM_UP + 1);
    assertThat(Files.readString(folder.resolve("summary.json"))).contains("\"latencyMicros\"");
    try (var connection = database.connect()) {
      assertThat(ConcurrentRun.broken(application, connection)).isEmpty();
    }
  }

  @Test
  void acknowledgedUpdatesAreInTheDatabaseOnceAndAnyFaultIsSeen(SevenDatabase database)
      throws Exception {
    Application<?> application = SevenApplications.named("park-n-park");
    Path told = folder.resolve("acknowledged.csv");
    RunSummary summary;
    try (SevenServer server = open(database, "park-n-park", "--reset")) {
      summary =
          run(
              "park-n-park",
              server.endpoint().port(),
              "--method",
              "enter,leave",
              "--acknowledged",
              told.toString());
    }
    assertThat(summary.methods()).containsOnlyKeys("enter", "leave");

    List<UpdateReceipt> acknowledged = UpdateReceipt.read(told);
    assertThat(acknowledged)
        .as("those of the warm-up have effects too")
        .hasSize(CALLS + WARM_UP - summary.refused().values().stream().mapToInt(i -> i).sum());
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      assertThat(EffectAudit.of(application.effects(), acknowledged, connection))
          .hasSize(2)
          .allMatch(EffectAudit::holds)
          .allMatch(audit -> audit.effects() == audit.acknowledged());

      statement.execute(
          "DELETE FROM stay WHERE ticket = (SELECT min(ticket) FROM stay WHERE parked = 1)");
      statement.execute("INSERT INTO stay (ticket, lot, parked) VALUES (199999999, 1, 1)");
      statement.execute("INSERT INTO stay (ticket, lot, parked) VALUES (199999998, 1, 1)");
      EffectAudit entered =
          EffectAudit.of(application.effects(), acknowledged, connection).getFirst();
      assertThat(entered.missing()).isEqualTo(1);
      assertThat(entered.tooMany()).isEqualTo(2);
      assertThat(entered.violation()).contains("1 missing, 2 too many");

      List<UpdateReceipt> andOneUnknown = new ArrayList<>(acknowledged);
      andOneUnknown.add(UpdateReceipt.unknown("enter"));
      assertThat(
              EffectAudit.of(application.effects(), andOneUnknown, connection).getFirst().tooMany())
          .as("one of the two may be that of the call whose outcome is unknown")
          .isEqualTo(1);
      List<UpdateReceipt> toldTwice = new ArrayList<>(acknowledged);
      toldTwice.add(
          acknowledged.stream()
              .filter(each -> each.method().equals("leave"))
              .findFirst()
              .orElseThrow());
      assertThat(EffectAudit.of(application.effects(), toldTwice, connection).getLast().missing())
          .as("two calls that were told of one effect")
          .isEqualTo(1);
    }
  }

  @Test
  void clientsEndWhenTheyAreToldTo(SevenDatabase database) throws Exception {
    try (SevenServer server = open(database, "park-n-park", "--reset")) {
      RunSummary summary =
          run(
              new ByteArrayInputStream("end\n".getBytes(StandardCharsets.UTF_8)),
              "park-n-park",
              server.endpoint().port(),
              "--think",
              "100ms",
              "--calls",
              "100000");

      assertThat(summary.isWhole()).isTrue();
      assertThat(summary.calls()).isLessThan(100_000);
    }
  }

  @Test
  void aReplicaWithoutTablesSaysWhatToDo(SevenDatabase database) throws Exception {
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS stay");
    }

    assertThatThrownBy(() -> open(database, "park-n-park"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--reset");
  }

  @Test
  void badArgumentsNameTheFlagAndWhatWasExpected() {
    assertThatThrownBy(() -> ClientArguments.of(new String[] {"--application", "chess"}))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("chess")
        .hasMessageContaining("park-n-park");
    assertThatThrownBy(() ->
            ClientArguments.of(
                new String[] {
                  "--application", "park-n-park", "--servers", "a@127.0.0.1:1", "--think", "1h"
                }))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--think is '1h'");
    assertThatThrownBy(() ->
            ClientArguments.of(
                new String[] {"--application", "park-n-park", "--servers", "nowhere"}))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("NAME@HOST:PORT");
  }

  private static SevenServer open(SevenDatabase database, String application, String... more)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--application",
                application,
                "--address",
                "127.25.2.1",
                "--pool",
                "4",
                "--database-url",
                database.url(),
                "--database-user",
                database.user()));
    arguments.addAll(List.of(more));
    return SevenServer.open(ServerArguments.of(arguments.toArray(new String[0])));
  }

  private RunSummary run(String application, int port, String... more) throws Exception {
    return run(InputStream.nullInputStream(), application, port, more);
  }

  private RunSummary run(InputStream commands, String application, int port, String... more)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--application", application,
                "--servers", "server1@127.25.2.1:" + port,
                "--clients", "3",
                "--warm-up", String.valueOf(WARM_UP),
                "--probes", folder.resolve("clients.csv").toString(),
                "--summary", folder.resolve("summary.json").toString(),
                "--failovers", folder.resolve("failovers.json").toString()));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--calls")) {
      arguments.addAll(List.of("--calls", String.valueOf(CALLS)));
    }
    ClientArguments read = ClientArguments.of(arguments.toArray(new String[0]));
    return SevenClient.run(read, read.application(), commands);
  }
}
