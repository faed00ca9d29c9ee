package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Seeds;

class MariaDbSlowTableTest {
  /** As MariaDB 10.11 wrote it, in UTC. */
  private static final String TABLE =
      """
      "2026-11-28 16:34:16.905209","[root] @ localhost [127.0.0.1]","00:00:00.000027","00:00:00.000020",0,0,"shop",0,0,1,"LOCK TABLES r WRITE",3,0
      "2026-11-28 16:34:16.906368","[root] @ localhost [127.0.0.1]","00:00:00.251073","00:00:00.000000",1,0,"shop",0,0,1,"SELECT SLEEP(0.25)",3,0
      "2026-11-28 16:34:16.906642","[root] @ localhost [127.0.0.1]","01:02:03.259567","01:02:03.259382",1,1,"shop",0,0,1,"SELECT w FROM r WHERE i = 1 /* \\"q\\", \\\\ \\n x */",4,0
      """;

  @TempDir Path directory;

  @Test
  void statementsAndTheirWaitsAreKnownToTheMicrosecond() throws IOException {
    Evidence read = read(TABLE, ZoneOffset.UTC);

    assertThat(read.notes()).isEmpty();
    assertThat(read.summary()).contains("3 rows");
    assertThat(read.events())
        .filteredOn(event -> event.kind().equals(EventKinds.SLOW_STATEMENT))
        .extracting(Event::startNanos, Event::endNanos)
        .contains(
            tuple(nanos("2026-11-28T16:34:16.906368Z"), nanos("2026-11-28T16:34:17.157441Z")));
    assertThat(read.events())
        .filteredOn(event -> event.kind().equals(EventKinds.LOCK_WAIT))
        .singleElement()
        .satisfies(wait -> {
          assertThat(wait.startNanos()).isEqualTo(nanos("2026-11-28T16:34:16.906642Z"));
          assertThat(wait.endNanos()).isEqualTo(nanos("2026-11-28T17:36:20.166024Z"));
          assertThat(wait.attributes()).containsExactly(Map.entry("thread", "4"));
        });
  }

  @Test
  void datesAreThoseOfTheZoneThatIsNamedOrElseSaidToBeAssumed() throws IOException {
    assertThat(read(TABLE, ZoneId.of("America/Chicago")).events().getFirst().startNanos())
        .isEqualTo(nanos("2026-11-28T22:34:16.905209Z"));
    assertThat(read(TABLE, null).notes())
        .singleElement()
        .asString()
        .contains(ZoneId.systemDefault().getId(), "--events-zone");
  }

  /** A session that has set its own zone writes dates that are hours away from those around it. */
  @Test
  void sessionsOfSeveralZonesAreRefused() {
    List<String> rows = TABLE.lines().toList();
    String ahead = rows.getFirst().replace("16:34:16", "21:34:16");

    assertThatThrownBy(() -> read(ahead + "\n" + rows.get(1) + "\n", ZoneOffset.UTC))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("each session's own zone")
        .hasMessageContaining("slow_log.CSV");
  }

  /** MySQL's table has no column of the rows that were changed; its dates are not known to us. */
  @Test
  void aTableOfMysqlIsNotTakenForOneOfMariaDb() {
    String mysql = TABLE.replaceAll("\",(\\d),0\n", "\",$1\n");

    assertThatThrownBy(() -> read(mysql, ZoneOffset.UTC))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("the columns are");
  }

  @Test
  void aStatementThatIsLongerThanALineMayBeStillCounts() throws IOException {
    String text = TABLE.replace("SELECT SLEEP", "SELECT " + "1 + ".repeat(10_000) + "SLEEP");

    Evidence read = read(text, ZoneOffset.UTC);

    assertThat(read.summary()).contains("3 rows");
  }

  @Test
  void cutAndDamagedTablesGiveEventsOrAClearError() throws IOException {
    byte[] whole = TABLE.getBytes(StandardCharsets.UTF_8);
    Damage.cut(directory, whole);
    Damage.change(directory, whole, Seeds.generator(Seeds.next("MariaDbSlowTableTest.damaged")));
  }

  private Evidence read(String text, @Nullable ZoneId zone) throws IOException {
    return EvidenceFile.read(
        Files.writeString(directory.resolve("slow_log.CSV"), text), "db1", zone);
  }

  private static long nanos(String instant) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(instant));
  }
}
