package org.terrace.cluster.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Replicas that agree, that lag, that are missing, and that are not to be trusted. */
class MemoryAgreementTest {
  private static final List<String> ALL = List.of("a:1", "b:1", "c:1");

  @Test
  void thoseThatWereActiveLastGoOn() {
    MemoryAgreement agreement =
        MemoryAgreement.of(
            ALL,
            Map.of(
                "a:1", memory(4, List.of("a:1", "b:1", "c:1"), 10, 11L),
                "b:1", memory(5, List.of("b:1", "c:1"), 12, 13L, 15L),
                "c:1", memory(5, List.of("b:1", "c:1"), 10, 11L, 13L, 15L)));

    assertThat(agreement.refusal()).isNull();
    assertThat(agreement.members()).containsExactly("b:1", "c:1");
    assertThat(agreement.out().get("a:1")).contains("taken out", "copy the data");
  }

  @Test
  void oneThatWasActiveLastMustBeThereUnlessTheUserLeavesItOut() {
    Map<String, ReplicaMemory> reached =
        Map.of(
            "a:1", memory(5, ALL, 10),
            "b:1", memory(5, ALL, 10));

    assertThat(MemoryAgreement.of(ALL, reached).refusal()).contains("c:1", "recovery log");
    MemoryAgreement without = MemoryAgreement.of(List.of("a:1", "b:1"), reached);
    assertThat(without.refusal()).isNull();
    assertThat(without.members()).containsExactly("a:1", "b:1");
  }

  @Test
  void whereNobodyRemembersAnythingAllMustBeThere() {
    Map<String, ReplicaMemory> reached =
        Map.of("a:1", memory(0, List.of(), 0), "b:1", memory(0, List.of(), 0));

    assertThat(MemoryAgreement.of(ALL, reached).refusal()).contains("c:1", "no cluster was open");
  }

  @Test
  void whoHasMoreThanAnotherIsNamed() {
    Map<String, ReplicaMemory> reached =
        Map.of(
            "a:1", memory(5, ALL, 10, 11L),
            "b:1", memory(5, ALL, 10, 11L, 12L),
            "c:1", memory(5, ALL, 10, 11L));

    assertThat(MemoryAgreement.of(ALL, reached).refusal())
        .contains("a:1 has 1 transactions after 10, up to 11", "b:1 has 2, up to 12", "copy");
  }

  @Test
  void whoseDataAreNotToBeTrustedIsLeftOut() {
    ReplicaMemory good = memory(5, ALL, 10);
    ReplicaMemory bad =
        new ReplicaMemory(
            1, "me", true, 0, 5, ALL, 10, "", "it answered otherwise", new TreeSet<>());

    MemoryAgreement agreement =
        MemoryAgreement.of(ALL, Map.of("a:1", good, "b:1", bad, "c:1", good));

    assertThat(agreement.members()).containsExactly("a:1", "c:1");
    assertThat(agreement.out().get("b:1")).contains("answered otherwise", "copy");
  }

  private static ReplicaMemory memory(
      long view, List<String> members, long floor, Long... applied) {
    return new ReplicaMemory(
        1, "me", true, 0, view, members, floor, "", "", new TreeSet<>(List.of(applied)));
  }
}
