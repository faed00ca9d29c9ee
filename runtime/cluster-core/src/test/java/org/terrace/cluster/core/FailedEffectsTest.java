package org.terrace.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Effects that fail as they are carried out, and what the core is told of each. */
class FailedEffectsTest {
  static List<ClusterEffect> ofReplica() {
    return List.of(
        new ClusterEffect.Execute(7, 0, 2),
        new ClusterEffect.Prepare(7, 2, 1),
        new ClusterEffect.CommitAt(7, 2),
        new ClusterEffect.RollBackAt(7, 2),
        new ClusterEffect.Replay(7, 2),
        new ClusterEffect.CatchUp(2, 9),
        new ClusterEffect.Join(2));
  }

  @ParameterizedTest
  @MethodSource("ofReplica")
  void replicaThatWasToActIsLost(ClusterEffect effect) {
    assertThat(effect.failure("planted"))
        .containsExactly(new ClusterEvent.ReplicaFailed(2, "planted"));
  }

  @Test
  void recordMayBeInTheLogAllTheSame() {
    assertThat(new ClusterEffect.Append(7, 1).failure("planted"))
        .containsExactly(new ClusterEvent.LogFailed(7, "planted", true));
  }

  @Test
  void replicasThatWereNotToldOfAViewAreLost() {
    assertThat(new ClusterEffect.RecordView(3, List.of(0, 2)).failure("planted"))
        .containsExactly(
            new ClusterEvent.ReplicaFailed(0, "planted"),
            new ClusterEvent.ReplicaFailed(2, "planted"));
  }

  static List<ClusterEffect> withoutAnEnd() {
    return List.of(
        new ClusterEffect.AnswerDone(7, 2, 0),
        new ClusterEffect.AnswerAborted(7, SqlStates.READ_ONLY, "so"),
        new ClusterEffect.TakeOut(2, "so", false),
        new ClusterEffect.Forget(7));
  }

  @ParameterizedTest
  @MethodSource("withoutAnEnd")
  void coreWaitsForNothingOfTheOthers(ClusterEffect effect) {
    assertThat(effect.failure("planted")).isEmpty();
  }

  /** A write goes on at the replicas that are left when its effect at one of them fails. */
  @Test
  void writeGoesOnWithoutTheReplicaWhoseEffectFailed() {
    ClusterCore core =
        new ClusterCore(
            new ClusterSettings(WriteStrategy.WAIT_ALL, 1, 1_000), List.of(0, 1), 0, 0, 0, 0);
    List<ClusterEffect> begun = core.step(new ClusterEvent.Write(7, List.of()));
    core.step(new ClusterEvent.Executed(7, 0, 1, StatementOutcome.done("1")));

    ClusterEffect first = begun.getFirst();
    assertThat(first).isEqualTo(new ClusterEffect.Execute(7, 0, 0));
    assertThat(first.failure("planted").stream().flatMap(event -> core.step(event).stream()))
        .contains(new ClusterEffect.AnswerDone(7, 1, 0));
  }
}
