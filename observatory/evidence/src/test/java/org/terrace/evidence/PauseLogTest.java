package org.terrace.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.Seeds;

class PauseLogTest {
  private static final MonotonicClock IDENTITY = new MonotonicClock(0, 0);

  @TempDir Path directory;

  @Test
  void collectionsAloneCountWhereNoSafepointIsTold() throws IOException {
    Path log = directory.resolve("log");
    Files.writeString(
        log,
        """
        [2026-11-22T10:15:00.000+0000][0.003s][info][gc] Using G1
        [2026-11-22T10:15:01.500+0100][1.503s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
        [2026-11-22T10:15:01.512+0100][1.515s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(61M) 12.250ms
        [1795342502000ms][info][gc] GC(1) y: Pause Mark Start (Warmup) 0.010ms
        """);

    List<Event> events = PauseLog.read(log, "app1");

    assertThat(events).hasSize(2);
    assertThat(events.getFirst().endNanos()).isEqualTo(1_795_338_901_512_000_000L);
    assertThat(events.getFirst().startNanos()).isEqualTo(1_795_338_901_499_750_000L);
    assertThat(events.getFirst().attributes())
        .containsEntry("cause", "Young (Normal) (G1 Evacuation Pause)");
    assertThat(events.getLast().endNanos()).isEqualTo(1_795_342_502_000_000_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [0.515s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(61M) 12.250ms|carry no date
          GET / HTTP/1.1|holds no pauses
          [2026-13-45T10:15:01.512+0100][gc] GC(0) Pause Young 12.250ms|carry no date
          """)
  void whatHasNoDatesOrNoPausesIsRefusedWithTheWayOut(String line, String words)
      throws IOException {
    Path log = Files.writeString(directory.resolve("log"), line);

    assertThatThrownBy(() -> PauseLog.read(log, "app1"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining(words)
        .hasMessageContaining(PauseLog.DATED_OPTION);
  }

  @Test
  void damagedLogsGiveEventsOrAClearError() throws IOException {
    byte[] whole =
        """
        [2026-11-22T10:15:01.512+0100][gc ] GC(3) Pause Full (System.gc()) 23M->7M(61M) 12.1ms
        [2026-11-22T10:15:01.513+0100][safepoint] Safepoint "SerialGCCollect", Time since last: 5 ns, Reaching safepoint: 10 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 100 ns
        """
            .getBytes(StandardCharsets.UTF_8);
    RandomGenerator random = Seeds.generator(Seeds.next("damagedLogs"));
    Path log = directory.resolve("damaged");
    for (int round = 0; round < 2_000; round++) {
      byte[] damaged = whole.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      Files.write(log, damaged);
      try {
        assertThat(PauseLog.read(log, "app1"))
            .allMatch(event -> event.endNanos() >= event.startNanos());
      } catch (TerraceException e) {
        assertThat(e).hasMessageContaining(PauseLog.DATED_OPTION);
      }
    }
  }

  @Test
  void everyCollectorsPausesAreToldFromOtherSafepoints() throws IOException {
    Path log = directory.resolve("log");
    Files.writeString(
        log,
        """
        [100ns][gc] Using Serial
        [2000ns][gc       ] GC(3) Pause Full (System.gc()) 23M->7M(61M) 12.1ms
        [2100ns][safepoint] Safepoint "SerialGCCollect", Time since last: 5 ns, Reaching safepoint: 10 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 100 ns, Threads: 0 runnable, 10 total
        [3100ns][safepoint] Safepoint "ZMarkEndYoung", Time since last: 5 ns, Reaching safepoint: 10 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 100 ns, Threads: 1 runnable, 10 total
        [4100ns][safepoint] Safepoint "ThreadDump", Time since last: 5 ns, Reaching safepoint: 7 ns, At safepoint: 80 ns, Leaving safepoint: 10 ns, Total: 97 ns, Threads: 1 runnable, 10 total
        [5000ns][safepoint] Safepoint "G1CollectForAlloc\
        """);

    List<Event> events = PauseLog.read(log, "app1", IDENTITY);

    assertThat(events)
        .extracting(Event::kind)
        .containsExactly(EventKinds.GC_PAUSE, EventKinds.GC_PAUSE, EventKinds.SAFEPOINT);
    assertThat(events.getFirst().startNanos()).isEqualTo(2010);
    assertThat(events.getFirst().endNanos()).isEqualTo(2090);
    assertThat(events.getFirst().attributes())
        .containsEntry("cause", "Full (System.gc())")
        .containsEntry("heap", "23M->7M");
    assertThat(events.getLast().attributes()).doesNotContainKey("cause");
  }
}
