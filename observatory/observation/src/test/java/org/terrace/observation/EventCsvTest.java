package org.terrace.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;

class EventCsvTest {
  @TempDir Path directory;

  @Test
  void datesAndNanosecondsAreReadAndOtherColumnsAreAttributes() throws IOException {
    List<Event> events =
        read(
            """
            kind,node,start,end,version,ticket
            deploy,app1,1970-01-01T01:00:01.5+01:00,1970-01-01T00:00:02Z,7,
            restart,app2,1970-01-01T00:00:03Z,,,T-1
            """,
            null);

    assertThat(events)
        .containsExactly(
            new Event("app1", "deploy", 1_500_000_000, 2_000_000_000, Map.of("version", "7")),
            new Event("app2", "restart", 3_000_000_000L, 3_000_000_000L, Map.of("ticket", "T-1")));
    assertThat(read("startNanos,endNanos,kind\n5,9,x\n7,,y\n", "db1"))
        .containsExactly(
            new Event("db1", "x", 5, 9, Map.of()), new Event("db1", "y", 7, 7, Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          app1,x,yesterday,|line 2: start is 'yesterday'
          app1,x,2026-11-22T10:15:00,|expected a time with its offset
          app1,x,,|start is empty
          app1,,2026-11-22T10:15:00Z,|kind is empty
          ,x,2026-11-22T10:15:00Z,|node is empty
          app1,x,2026-11-22T10:15:00Z,2026-11-22T10:14:00Z|the end is before the start
          app1,x,+999999999-01-01T00:00:00Z,|expected a time
          app1,x|there are only 2 fields
          """)
  void aWrongLineIsNamedWithWhatWasExpected(String line, String words) {
    assertThatThrownBy(() -> read("node,kind,start,end\n" + line + "\n", null))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(words);
  }

  @Test
  void missingColumnsAreNamedWithAnExample() {
    assertThatThrownBy(() -> read("kind,start\nx,2026-11-22T10:15:00Z\n", null))
        .hasMessageContaining("expected node, kind, start and end");
    assertThatThrownBy(() -> read("", null)).hasMessageContaining("it is empty");
  }

  private List<Event> read(String text, @Nullable String node) throws IOException {
    Path file = Files.writeString(directory.resolve("events.csv"), text);
    return ObservationFiles.readEvents(file, node);
  }
}
