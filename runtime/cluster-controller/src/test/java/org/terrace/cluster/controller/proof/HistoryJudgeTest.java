package org.terrace.cluster.controller.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Transfer;
import org.terrace.testing.isolation.AnomalyCounts;

/** The judge, asked of short histories in which one thing is wrong, and of one that is right. */
class HistoryJudgeTest {
  private static final List<String> RIGHT =
      List.of(
          "committing 1 transfer 1 2 10",
          "acknowledged 1",
          "committing 2 lists 1+2 2+2",
          "acknowledged 2",
          "committing 3 lists 1=2 2+3",
          "acknowledged 3",
          "committing 4 register 0",
          "acknowledged 4",
          "committing 5 transfer 2 1 1",
          "refused 5 40001",
          "committing 6 transfer 1 2 2",
          "committing 7 lists 1=2, 2=2,3",
          "acknowledged 7");

  private static final ServerContent CONTENT =
      content(Map.of(1L, new Transfer(1, 2, 10)), 990, List.of(2L), List.of(2L, 3L), 4);

  private static ServerContent content(
      Map<Long, Transfer> transfers, long balance, List<Long> one, List<Long> two, long register) {
    return new ServerContent(
        Map.of(1, balance, 2, 2_000 - balance),
        transfers,
        Map.of(1, one, 2, two),
        Map.of(0, register));
  }

  private static List<String> violations(List<String> told, ServerContent... servers) {
    return HistoryJudge.violations(
        told.stream().map(ClientTransactionLine::parse).toList(), List.of(servers));
  }

  private static List<String> with(String... more) {
    List<String> all = new ArrayList<>(RIGHT);
    all.addAll(List.of(more));
    return all;
  }

  @Test
  void nothingIsFoundWhereNothingIsWrong() {
    assertThat(violations(RIGHT, CONTENT, CONTENT, CONTENT)).isEmpty();
  }

  @Test
  void whatEndedUnknownMayBeThereOrNot() {
    Map<Long, Transfer> both = Map.of(1L, new Transfer(1, 2, 10), 6L, new Transfer(1, 2, 2));
    ServerContent kept = content(both, 988, List.of(2L), List.of(2L, 3L), 4);

    assertThat(violations(RIGHT, kept, kept)).isEmpty();
  }

  @Test
  void aServerThatDiffersIsNamed() {
    ServerContent other =
        content(Map.of(1L, new Transfer(1, 2, 10)), 990, List.of(2L), List.of(3L, 2L), 4);

    assertThat(violations(RIGHT, CONTENT, CONTENT, other))
        .containsExactly("server 3 differs from server 1");
  }

  @Test
  void aLostAKeptAndAHalfTransferAreFound() {
    assertThat(violations(RIGHT, content(Map.of(), 1_000, List.of(2L), List.of(2L, 3L), 4)))
        .containsExactly("lost: the acknowledged transfer 1");
    Map<Long, Transfer> refused = Map.of(1L, new Transfer(1, 2, 10), 5L, new Transfer(2, 1, 1));
    assertThat(violations(RIGHT, content(refused, 991, List.of(2L), List.of(2L, 3L), 4)))
        .containsExactly("kept: the refused transfer 5");
    assertThat(
            violations(
                RIGHT,
                content(Map.of(1L, new Transfer(1, 2, 10)), 980, List.of(2L), List.of(2L, 3L), 4)))
        .singleElement()
        .asString()
        .startsWith("in part or twice");
  }

  @Test
  void aRegisterThatWentBackIsFound() {
    ServerContent back =
        content(Map.of(1L, new Transfer(1, 2, 10)), 990, List.of(2L), List.of(2L, 3L), 0);

    assertThat(violations(RIGHT, back)).containsExactly("lost: register 0 is 0, 4 was set");
    assertThat(violations(with("stale client 0 wrote 4 and read 3"), CONTENT))
        .containsExactly("stale: client 0 wrote 4 and read 3");
  }

  @Test
  void anElementThatIsTwiceOrMissingIsFound() {
    Map<Long, Transfer> transfers = Map.of(1L, new Transfer(1, 2, 10));

    assertThat(violations(RIGHT, content(transfers, 990, List.of(2L), List.of(2L, 3L, 3L), 4)))
        .contains("twice: 3 in list 2");
    assertThat(violations(RIGHT, content(transfers, 990, List.of(2L), List.of(3L), 4)))
        .contains("lost: the acknowledged 2 in list 2");
  }

  @Test
  void whatEndedUnknownIsNotThereInPart() {
    Map<Long, Transfer> transfers = Map.of(1L, new Transfer(1, 2, 10));
    List<String> told = with("committing 8 lists 1+8 2+9", "unknown 8");

    assertThat(violations(told, CONTENT)).isEmpty();
    assertThat(violations(told, content(transfers, 990, List.of(2L, 8L), List.of(2L, 3L, 9L), 4)))
        .isEmpty();
    assertThat(violations(told, content(transfers, 990, List.of(2L), List.of(2L, 3L, 9L), 4)))
        .containsExactly("in part: of 8 some of [8, 9]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "committing 8 lists 2=2,9; G1a", // of nobody
        "committing 8 lists 2=3; version order", // not a beginning of what it became
        "committing 8 lists 1=2,2; version order", // more than it became
        "committing 8 snapshot 1=2 2=; G-single" // one half of the second alone
      })
  void aReadThatItsLevelExcludesIsFound(String read, String kind) {
    assertThat(violations(with(read, "acknowledged 8"), CONTENT))
        .singleElement()
        .asString()
        .startsWith("anomaly: " + kind);
  }

  @Test
  void aReadThatItsLevelAllowsIsCountedAlone() {
    AnomalyCounts anomalies = new AnomalyCounts();
    List<ClientTransactionLine> told = new ArrayList<>();
    for (String line : with("committing 8 lists 1=2 2=", "acknowledged 8")) {
      told.add(ClientTransactionLine.parse(line));
    }

    assertThat(HistoryJudge.violations(told, List.of(CONTENT), anomalies)).isEmpty();
    assertThat(anomalies.facts())
        .containsEntry("transactions looked at for anomalies", 4L)
        .containsEntry("found of G-single (single anti-dependency cycle) where it is allowed", 1L)
        .containsEntry("found of G-single (single anti-dependency cycle) where it is excluded", 0L);
  }

  @Test
  void circlesOfWritesAndOfReadsAreFound() {
    Map<Long, Transfer> transfers = Map.of(1L, new Transfer(1, 2, 10));
    List<String> writes = with("committing 8 lists 1+8 2+9", "acknowledged 8");
    assertThat(violations(writes, content(transfers, 990, List.of(2L, 8L), List.of(9L, 2L, 3L), 4)))
        .anyMatch(violation -> violation.startsWith("anomaly: G0 (write cycle): "));

    List<String> reads =
        with(
            "committing 8 lists 2=2,3,10 1+8",
            "acknowledged 8",
            "committing 9 lists 1=2,8 2+10",
            "acknowledged 9");
    assertThat(violations(reads, content(transfers, 990, List.of(2L, 8L), List.of(2L, 3L, 10L), 4)))
        .singleElement()
        .asString()
        .startsWith("anomaly: G1c (circular information flow): 8 -> 9");
  }
}
