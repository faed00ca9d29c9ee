package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.terrace.cluster.sql.KnownTables;

/**
 * The hand-over of tables from the session that changes them to those that judge by them: what is
 * done between the two steps of a change is done by another thread.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class KnownTablesTest {
  /** One that saw the new number first would take the old tables for the new ones. */
  @Test
  void numberOfAChangeIsSeenWhenItsTablesAreInUse() {
    List<String> seen = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    List<KnownTables<String>> shared = new ArrayList<>();
    List<String> inUse = new ArrayList<>(List.of("old"));
    KnownTables<String> tables =
        new KnownTables<>(
            "old",
            next -> {
              readers.add(
                  Between.start(
                      () -> seen.add(shared.getFirst().changes() + " " + inUse.getFirst())));
              inUse.set(0, next);
            });
    shared.add(tables);

    assertThat(tables.change("new")).isEqualTo(new KnownTables.Change<>(1, "old"));
    Between.until(() -> !readers.getFirst().isAlive());
    assertThat(seen).isSubsetOf("0 old", "1 new");
  }

  /** Checks that the undoing of a change brings nothing back that was seen before another's. */
  @Test
  void tablesThatWereLearnedMeanwhileStay() {
    List<String> inUse = new ArrayList<>();
    KnownTables<String> tables = new KnownTables<>("first", inUse::add);
    long mine = tables.change("mine").number();
    tables.changeUnlessChanged(mine, "committed");
    long again = tables.change("mine again").number();
    tables.change("another's");
    tables.changeUnlessChanged(again, "committed");

    assertThat(inUse).containsExactly("mine", "committed", "mine again", "another's");
    assertThat(tables.changes()).isEqualTo(4);
  }
}
