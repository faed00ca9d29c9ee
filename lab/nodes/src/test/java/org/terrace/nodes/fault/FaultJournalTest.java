package org.terrace.nodes.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;
import org.terrace.testing.ManualTimeSource;

class FaultJournalTest {
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
}
