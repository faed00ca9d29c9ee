package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Seeds;

class PostgresLogTest {
  /** As PostgreSQL 15 wrote it, in Berlin. */
  private static final String LOG =
      """
      2026-11-23 15:34:34.573 CET [24911] LOG:  database system is ready to accept connections
      2026-11-23 15:34:35.100 CET [24925] LOG:  process 24925 still waiting for ShareLock on transaction 725 after 200.305 ms
      2026-11-23 15:34:35.100 CET [24925] DETAIL:  Process holding the lock: 24923. Wait queue: 24925.
      2026-11-23 15:34:35.100 CET [24925] CONTEXT:  while updating tuple (0,1) in relation "t"
      2026-11-23 15:34:35.100 CET [24925] STATEMENT:  update t set n=2 where i=1
      2026-11-23 15:34:35.580 CET [24926] LOG:  automatic vacuum of table "postgres.public.t": index scans: 0
      \tpages: 0 removed, 89 remain, 89 scanned (100.00% of total)
      \tsystem usage: CPU: user: 0.01 s, system: 0.00 s, elapsed: 0.07 s
      2026-11-23 15:34:35.599 CET [24923] LOG:  duration: 902.939 ms  statement: begin; update t set n=1
      2026-11-23 15:34:35.600 CET [24925] LOG:  process 24925 acquired ShareLock on transaction 725 after 700.309 ms
      2026-11-23 15:34:36.117 CET [24929] ERROR:  deadlock detected
      2026-11-23 15:34:36.117 CET [24929] DETAIL:  Process 24929 waits for ShareLock on transaction 729; blocked by process 24930.
      \tProcess 24930 waits for ShareLock on transaction 728; blocked by process 24929.
      2026-11-23 15:34:36.190 CET [24913] LOG:  checkpoint starting: immediate force wait
      2026-11-23 15:34:36.219 CET [24913] LOG:  checkpoint complete: wrote 344 buffers (2.1%); 0 WAL file(s) added, 0 removed, 0 recycled; write=0.010 s, sync=0.014 s, total=0.029 s; sync files=42, longest=0.002 s, average=0.001 s; distance=7020 kB, estimate=7020 kB
      2026-11-23 15:34:36.291 CET [25180] FATAL:  sorry, too many clients already
      2026-11-23 15:34:39.302 CET [24911] LOG:  received fast shutdown request
      2026-11-23 15:34:39.400 CET [24988] LOG:  database system is ready to accept connections
      2026-11-23 15:34:40.000 CET [24990] LOG:  process 24990 still waiting for AccessShareLock on relation 16384 of database 5 after 1000.001 ms
      """;

  @TempDir Path directory;

  @Test
  void theEventsOfARealLogAreTold() throws IOException {
    Evidence read = read(LOG, null);

    assertThat(read.summary()).contains("PostgreSQL", "CET (UTC+01:00)");
    assertThat(read.notes()).isEmpty();
    assertThat(read.events())
        .extracting(Event::kind)
        .containsExactly(
            EventKinds.AUTOVACUUM,
            EventKinds.SLOW_STATEMENT,
            EventKinds.LOCK_WAIT,
            EventKinds.DEADLOCK,
            EventKinds.CHECKPOINT,
            EventKinds.CHECKPOINT_SYNC,
            EventKinds.CONNECTION_LIMIT,
            EventKinds.DATABASE_DOWN,
            EventKinds.LOCK_WAIT);
    Event wait = read.events().get(2);
    assertThat(wait.endNanos()).isEqualTo(nanos("2026-11-23T14:34:35.600Z"));
    assertThat(wait.endNanos() - wait.startNanos()).isEqualTo(700_309_000L);
    assertThat(wait.attributes())
        .containsEntry("holders", "24923")
        .containsEntry("lock", "ShareLock")
        .containsEntry("object", "transaction 725");
    Event checkpoint = read.events().get(4);
    assertThat(checkpoint.startNanos()).isEqualTo(nanos("2026-11-23T14:34:36.190Z"));
    assertThat(checkpoint.endNanos()).isEqualTo(nanos("2026-11-23T14:34:36.219Z"));
    assertThat(checkpoint.attributes())
        .containsEntry("buffers", "344")
        .containsEntry("reason", "immediate force wait");
    Event vacuum = read.events().getFirst();
    assertThat(vacuum.endNanos() - vacuum.startNanos()).isEqualTo(70_000_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-11-23 15:34:35.600 CET [25] LOG:  |2026-11-23T14:34:35.600Z",
        "2026-11-23 15:34:35 UTC [25-1] shop@orders LOG:  |2026-11-23T15:34:35Z",
        "2026-11-23 15:34:35 UTC:10.0.0.1(5432):shop@orders:[25]:LOG:  |2026-11-23T15:34:35Z",
        "2026-11-23 15:34:35.600 +0530 [25] LOG:  |2026-11-23T10:04:35.600Z",
        "2026-11-23 15:34:35.600 -03 [25] shop LOG:  |2026-11-23T18:34:35.600Z",
        "1795448075.600 [25] LOG:  |2026-11-23T15:34:35.600Z",
      })
  void usualPrefixesAreKnown(String prefix, String end) throws IOException {
    Evidence read = read(prefix.strip() + "  duration: 12.5 ms  execute s1: select 1\n", null);

    assertThat(read.events())
        .singleElement()
        .satisfies(event -> {
          assertThat(event.kind()).isEqualTo(EventKinds.SLOW_STATEMENT);
          assertThat(event.endNanos()).isEqualTo(nanos(end));
          assertThat(event.endNanos() - event.startNanos()).isEqualTo(12_500_000L);
        });
  }

  @Test
  void aZoneThatMeansSeveralIsAskedFor() throws IOException {
    String log = LOG.replace("CET", "CST");

    assertThatThrownBy(() -> read(log, null))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("line 1: the zone 'CST' means several")
        .hasMessageContaining("--events-zone");
    Evidence read = read(log, ZoneId.of("Asia/Shanghai"));
    assertThat(read.events().get(4).endNanos()).isEqualTo(nanos("2026-11-23T07:34:36.219Z"));
    assertThat(read.summary()).contains("Asia/Shanghai (UTC+08:00)");
  }

  @Test
  void aLogWithoutEventsTellsWhatToAskTheServerFor() throws IOException {
    assertThat(read(LOG.lines().findFirst().orElseThrow(), null).notes())
        .singleElement()
        .asString()
        .contains("log_lock_waits = on");
  }

  @Test
  void aNodeIsAskedFor() throws IOException {
    Path file = Files.writeString(directory.resolve("db.log"), LOG);

    assertThatThrownBy(() -> EvidenceFile.read(file, null, null))
        .hasMessageContaining("--events app1=" + file);
  }

  @Test
  void cutAndDamagedLogsGiveEventsOrAClearError() throws IOException {
    byte[] whole = LOG.getBytes(StandardCharsets.UTF_8);
    Damage.cut(directory, whole);
    Damage.change(directory, whole, Seeds.generator(Seeds.next("PostgresLogTest.damaged")));
  }

  private Evidence read(String log, @Nullable ZoneId zone) throws IOException {
    return EvidenceFile.read(Files.writeString(directory.resolve("db.log"), log), "db1", zone);
  }

  private static long nanos(String instant) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(instant));
  }
}
