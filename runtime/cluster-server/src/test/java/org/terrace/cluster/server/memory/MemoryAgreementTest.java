package org.terrace.cluster.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
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
                "c:1", memory(5, List.of("b:1", "c:1"), 10, 11L, 13L, 15L)),
            Set.of());

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

    assertThat(MemoryAgreement.of(ALL, reached, Set.of()).refusal())
        .contains("c:1", "recovery log");
    MemoryAgreement without = MemoryAgreement.of(List.of("a:1", "b:1"), reached, Set.of());
    assertThat(without.refusal()).isNull();
    assertThat(without.members()).containsExactly("a:1", "b:1");
  }

  @Test
  void whereNobodyRemembersAnythingAllMustBeThere() {
    Map<String, ReplicaMemory> reached =
        Map.of("a:1", memory(0, List.of(), 0), "b:1", memory(0, List.of(), 0));

    assertThat(MemoryAgreement.of(ALL, reached, Set.of()).refusal())
        .contains("c:1", "no cluster was open");
  }

  @Test
  void whoHasMoreThanAnotherIsNamed() {
    Map<String, ReplicaMemory> reached =
        Map.of(
            "a:1", memory(5, ALL, 10, 11L),
            "b:1", memory(5, ALL, 10, 11L, 12L),
            "c:1", memory(5, ALL, 10, 11L));

    assertThat(MemoryAgreement.of(ALL, reached, Set.of()).refusal())
        .contains("a:1 has 1 transactions after 10, up to 11", "b:1 has 2, up to 12", "copy");
  }

  @Test
  void whoseDataAreNotToBeTrustedIsLeftOut() {
    ReplicaMemory good = memory(5, ALL, 10);
    ReplicaMemory bad =
        new ReplicaMemory(
            1, "me", true, 0, 5, ALL, 10, "", "it answered otherwise", new TreeSet<>());

    MemoryAgreement agreement =
        MemoryAgreement.of(ALL, Map.of("a:1", good, "b:1", bad, "c:1", good), Set.of());

    assertThat(agreement.members()).containsExactly("a:1", "c:1");
    assertThat(agreement.out().get("b:1")).contains("answered otherwise", "copy");
  }

  /** It was alone, often, and then was to become like the others. */
  @Test
  void aPartOfACopyIntoAnothersServerDoesNotOutweighTheOthers() {
    ReplicaMemory good = memory(5, List.of("a:1", "b:1"), 10);
    ReplicaMemory part =
        new ReplicaMemory(1, "me", true, 0, 99, List.of("c:1"), 10, "", "begun", new TreeSet<>());

    MemoryAgreement agreement =
        MemoryAgreement.of(ALL, Map.of("a:1", good, "b:1", good, "c:1", part), Set.of("c:1"));

    assertThat(agreement.members()).containsExactly("a:1", "b:1");
    assertThat(agreement.out()).containsKey("c:1");
  }

  /** The log began in the second opening, and is opened in the fifth. */
  @Test
  void whoWentOnWithoutALogIsNotBroughtBackByIt() {
    long second = Openings.firstViewAfter(Openings.firstViewAfter(0));
    long third = Openings.firstViewAfter(second + 7);
    String log = Openings.identityOfLog(second, UUID.randomUUID()).toString();
    String other = Openings.identityOfLog(third, UUID.randomUUID()).toString();
    List<String> two = List.of("a:1", "c:1");

    assertThat(wentOn(log, logged(third, other, two)))
        .hasValueSatisfying(reason -> assertThat(reason).contains("a:1 went on", "copy=always"));
    assertThat(wentOn(log, logged(third, "", List.of("a:1")))).as("without any").isPresent();
    assertThat(wentOn(log, logged(second + 3, other, two))).as("beside it").isPresent();
    assertThat(wentOn(log, logged(second - 1, other, ALL))).as("before it").isEmpty();
    assertThat(wentOn(log, logged(third, log, two))).as("with it").isEmpty();
    assertThat(wentOn(log, logged(third, other, List.of("a:1", "x:1")))).as("others'").isPresent();
    assertThat(wentOn(log, logged(third, other, List.of("x:1")))).as("renamed").isPresent();
    assertThat(wentOn(log, logged(0, "", List.of()))).as("new").isEmpty();
  }

  /** Nothing tells whose data are wanted. */
  @Test
  void whoWentOnApartIsNotPutTogether() {
    long second = Openings.firstViewAfter(Openings.firstViewAfter(0));
    long third = Openings.firstViewAfter(second);
    String one = Openings.identityOfLog(second, UUID.randomUUID()).toString();
    String other = Openings.identityOfLog(second, UUID.randomUUID()).toString();
    ReplicaMemory later = logged(third, one, List.of("a:1"));

    Map<String, ReplicaMemory> apart =
        Map.of("a:1", later, "b:1", logged(second, other, List.of("b:1", "c:1")));
    assertThat(MemoryAgreement.of(ALL, apart, Set.of()).refusal())
        .contains("a:1 and b:1 went on apart");
    assertThat(MemoryAgreement.of(ALL, apart, Set.of("b:1")).members()).containsExactly("a:1");
    MemoryAgreement behind =
        MemoryAgreement.of(ALL, Map.of("a:1", later, "b:1", logged(second, one, ALL)), Set.of());
    assertThat(behind.members()).containsExactly("a:1");
    assertThat(behind.out()).containsKey("b:1");
  }

  @Test
  void aLogOfAnotherNamingIsTrustedByItsOwnServersAlone() {
    String log = UUID.randomUUID().toString();

    assertThat(wentOn(log, logged(1, log, ALL))).isEmpty();
    assertThat(wentOn(log, logged(1, UUID.randomUUID().toString(), ALL))).isPresent();
    assertThat(Openings.ofLog("no identity")).isZero();
  }

  /** An opening of which no server but one was told is counted once by those who come next. */
  @Test
  void openingsAreCountedByTheGreatestViewThatIsKnown() {
    long first = Openings.firstViewAfter(0);

    assertThat(Openings.of(first)).isEqualTo(1);
    assertThat(Openings.of(Openings.firstViewAfter(first + 1_000))).isEqualTo(2);
    assertThat(Openings.ofLog(Openings.identityOfLog(first + 5, UUID.randomUUID()).toString()))
        .isEqualTo(1);
  }

  private static Optional<String> wentOn(String log, ReplicaMemory a) {
    long later = Openings.firstViewAfter(1L << 30);
    return MemoryAgreement.wentOnWithoutLog(
        ALL, Map.of("a:1", a, "b:1", logged(later, log, ALL)), log);
  }

  private static ReplicaMemory logged(long view, String log, List<String> members) {
    return new ReplicaMemory(1, "me", true, 0, view, members, 10, log, "", new TreeSet<>());
  }

  private static ReplicaMemory memory(
      long view, List<String> members, long floor, Long... applied) {
    return new ReplicaMemory(
        1, "me", true, 0, view, members, floor, "", "", new TreeSet<>(List.of(applied)));
  }
}
