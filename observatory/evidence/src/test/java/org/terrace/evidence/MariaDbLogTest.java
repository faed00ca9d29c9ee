package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Seeds;

class MariaDbLogTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** As MariaDB 11.4 wrote it, in Berlin. */
  private static final String SLOW =
      """
      /usr/sbin/mariadbd, Version: 11.4.5-MariaDB-log (MariaDB Server). started with:
      Tcp port: 54997  Unix socket: /run/s
      Time\t\t    Id Command\tArgument
      # Time: 261123 15:35:35
      # User@Host: u[u] @  [127.0.0.1]
      # Thread_id: 4  Schema:   QC_hit: No
      # Query_time: 1.201086  Lock_time: 0.701276  Rows_sent: 0  Rows_examined: 1
      # Rows_affected: 1  Bytes_sent: 52
      SET timestamp=1795444535;
      update test.t set n=2 where i=1;
      # User@Host: u[u] @  [127.0.0.1]
      # Thread_id: 3  Schema:   QC_hit: No
      # Query_time: 0.400257  Lock_time: 0.000000  Rows_sent: 1  Rows_examined: 0
      # Rows_affected: 0  Bytes_sent: 65
      SET timestamp=1795444536;
      select sleep(0.4);
      """;

  private static final String ERRORS =
      """
      2026-11-23 15:35:35 0 [Note] /usr/sbin/mariadbd: ready for connections.
      Version: '11.4.5-MariaDB-log'  socket: '/run/s'  port: 54997  MariaDB Server
      2026-11-23 15:35:36 3 [Note] InnoDB: Transactions deadlock detected, dumping detailed information.
      2026-11-23 15:35:36 3 [Note] InnoDB:
      *** (1) TRANSACTION:
      2026-11-23 15:35:38 0 [Warning] Aborted connection 0 to db: 'unconnected' user: 'unauthenticated' host: 'connecting host' (Too many connections)
      2026-11-23 15:36:04 0 [Note] /usr/sbin/mariadbd (initiated by: unknown): Normal shutdown
      2026-11-23 15:36:07 0 [Note] /usr/sbin/mariadbd: ready for connections.
      """;

  /** As MySQL 8 dates its slow statements and its page cleaner. */
  private static final String MYSQL_SLOW =
      """
      # Time: 2026-11-23T14:35:35.250000Z
      # User@Host: u[u] @ localhost []  Id:    11
      # Query_time: 0.200000  Lock_time: 0.150000 Rows_sent: 1  Rows_examined: 0
      SET timestamp=1795444535;
      select 1;
      """;

  @TempDir Path directory;

  @Test
  void slowStatementsAreKnownToHalfASecond() throws IOException {
    Evidence read = read(SLOW);

    assertThat(read.notes()).singleElement().asString().contains("half a second");
    assertThat(read.events())
        .extracting(Event::kind)
        .containsExactly(
            EventKinds.SLOW_STATEMENT, EventKinds.LOCK_WAIT, EventKinds.SLOW_STATEMENT);
    Event slow = read.events().getFirst();
    assertThat(slow.endNanos()).isEqualTo(nanos("2026-11-23T14:35:35.500Z"));
    assertThat(slow.endNanos() - slow.startNanos()).isEqualTo(1_201_086_000L);
    assertThat(slow.attributes()).containsEntry("thread", "4").containsKey("within");
    Event wait = read.events().get(1);
    assertThat(wait.startNanos()).isEqualTo(slow.startNanos());
    assertThat(wait.endNanos() - wait.startNanos()).isEqualTo(701_276_000L);
  }

  @Test
  void mysqlTellsTheMicrosecond() throws IOException {
    Evidence read = read(MYSQL_SLOW);

    assertThat(read.notes()).isEmpty();
    Event slow = read.events().getFirst();
    assertThat(slow.endNanos()).isEqualTo(nanos("2026-11-23T14:35:35.250Z"));
    assertThat(slow.attributes()).containsEntry("thread", "11").doesNotContainKey("within");
  }

  @Test
  void errorsAreDatedInTheZoneThatIsNamed() throws IOException {
    Evidence read = read(ERRORS);

    assertThat(read.summary()).contains("Europe/Berlin (UTC+01:00)", "to the second");
    assertThat(read.notes()).isEmpty();
    assertThat(read.events())
        .extracting(Event::kind)
        .containsExactly(
            EventKinds.DEADLOCK, EventKinds.CONNECTION_LIMIT, EventKinds.DATABASE_DOWN);
    Event deadlock = read.events().getFirst();
    assertThat(deadlock.startNanos()).isEqualTo(nanos("2026-11-23T14:35:36Z"));
    assertThat(deadlock.endNanos()).isEqualTo(nanos("2026-11-23T14:35:37Z"));
  }

  @Test
  void thisMachinesZoneIsTakenWhereNoneIsNamedAndSaid() throws IOException {
    Path file = Files.writeString(directory.resolve("error.log"), ERRORS);

    assertThat(EvidenceFile.read(file, "db1", null).notes())
        .singleElement()
        .asString()
        .contains(ZoneId.systemDefault().getId(), "--events-zone");
  }

  @Test
  void packedLogsAreKnownByTheirContent() throws IOException {
    Path file = directory.resolve("error.log.1");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
      packed.write(ERRORS.getBytes(StandardCharsets.UTF_8));
    }

    assertThat(EvidenceFile.read(file, "db1", BERLIN).events()).hasSize(3);
    Damage.cut(directory, Files.readAllBytes(file));
  }

  @Test
  void cutAndDamagedLogsGiveEventsOrAClearError() throws IOException {
    for (String log : new String[] {SLOW, ERRORS, MYSQL_SLOW}) {
      byte[] whole = log.getBytes(StandardCharsets.UTF_8);
      Damage.cut(directory, whole);
      Damage.change(directory, whole, Seeds.generator(Seeds.next("MariaDbLogTest.damaged")));
    }
  }

  private Evidence read(String log) throws IOException {
    return EvidenceFile.read(Files.writeString(directory.resolve("db.log"), log), "db1", BERLIN);
  }

  private static long nanos(String instant) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(instant));
  }
}
