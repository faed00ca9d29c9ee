package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.ManualTimeSource;

class FaultJournalTest {
  private static final String UNTOLD =
      "row-lock of database1 began, and its end was not told, so that nobody knows how long it lasted; what makes it has died, failed or is still at it, which its log may tell";

  private final FaultJournal journal = new FaultJournal(new ManualTimeSource(0));

  private void prints(String server, String... lines) {
    for (String line : lines) {
      journal.serverPrinted(server, line);
    }
  }

  @Test
  void aServerIsBelievedOfTheFaultsAloneThatItWasToldToMake() {
    journal.told("app2", "cpu");
    prints("app2", "gc-pressure start 50", "gc-pressure end 90", "cpu start 100");
    prints("app1", "cpu start 110", "cpu end 120", "cpu start soon");
    prints("app2", "cpu end 300");

    assertThat(journal.events())
        .containsExactly(new Event("app2", EventKinds.FAULT_CPU, 100, 300, Map.of()));
    assertThat(journal.problems()).isEmpty();
  }

  @Test
  void beforeACheckpointPagesAreMadeDirty() {
    journal.told("database1", "checkpoint");
    prints("database1", "dirty-pages start 1", "dirty-pages end 2");
    prints("database1", "checkpoint start 3", "checkpoint end 4");

    assertThat(journal.events())
        .extracting(Event::kind)
        .containsExactly(EventKinds.FAULT_DIRTY_PAGES, EventKinds.FAULT_CHECKPOINT);
  }

  /** Whoever held the rows died, or lost its connection: they may have been free for long. */
  @Test
  void aFaultWhoseEndWasNotToldIsAProblem() {
    journal.told("database1", "row-lock");
    prints("database1", "row-lock start 100");

    journal.end(Duration.ZERO);

    assertThat(journal.events()).hasSize(1);
    assertThat(journal.events().getFirst().attributes()).containsEntry("end", "not seen");
    assertThat(journal.problems()).singleElement().asString().isEqualTo(UNTOLD);
  }

  @Test
  void aFaultThatBeginsAgainBeforeItsEndWasToldIsAProblem() {
    journal.told("database1", "row-lock");
    prints("database1", "row-lock start 100", "row-lock start 200", "row-lock end 300");

    assertThat(journal.events()).extracting(Event::startNanos).containsExactly(100L, 200L);
    assertThat(journal.events().getFirst().attributes()).containsEntry("end", "not seen");
    assertThat(journal.problems()).containsExactly(UNTOLD);
  }

  @Test
  void anEndThatIsToldAfterTheLastStrikeIsAwaited() {
    journal.told("database1", "checkpoint");
    prints("database1", "checkpoint start 100");
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(() -> journal.end(Duration.ofSeconds(50)));

    prints("database1", "checkpoint end 300");

    assertThat(ended).succeedsWithin(Duration.ofSeconds(20));
    assertThat(journal.events())
        .containsExactly(new Event("database1", EventKinds.FAULT_CHECKPOINT, 100, 300, Map.of()));
    assertThat(journal.problems()).isEmpty();
  }
}
