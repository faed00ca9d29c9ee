package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.CollectionDestroyedException;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.core.codec.Codecs;
import org.terrace.testing.Await;

class AsyncMapTest {
  private static final long SECOND = SimulatedCluster.SECOND;
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Replicas replicas = new Replicas(2);
  private final ReplicatedMap<String, String> map =
      replicas.get(0).map("m", MapOptions.of(Codecs.string(), Codecs.string()));

  private static <T> CompletableFuture<T> future(CompletionStage<T> stage) {
    return stage.toCompletableFuture();
  }

  private static void assertFails(CompletionStage<?> stage, Class<? extends Exception> type) {
    assertThat(Await.until(SOON, () -> future(stage).isDone())).isTrue();
    assertThat(future(stage).exceptionNow()).isInstanceOf(type);
  }

  private void cutOff() {
    replicas.simulation.partition(Set.of("a"));
  }

  @Test
  void aStageCompletesOnceTheLevelIsReached() {
    var stage = future(map.async().put("k", "1"));

    assertThat(map).containsEntry("k", "1");
    assertThat(stage).isNotDone();
    replicas.simulation.runFor(SECOND / 10);
    assertThat(stage).succeedsWithin(SOON).isNull();
    assertThat(future(map.withLevel(WriteLevel.LOCAL).async().put("k", "2")))
        .isCompletedWithValue("1");
  }

  @Test
  void everyUpdateHasItsStage() {
    var async = map.async();
    var stages =
        List.of(
            async.putIfAbsent("k", "1"),
            async.putIfAbsent("k", "2"),
            async.replace("k", "3"),
            async.replace("k", "3", "4"),
            async.remove("k", "3"),
            async.remove("k"),
            async.remove("k"),
            async.replace("k", "5"));
    replicas.simulation.runFor(SECOND / 10);

    List<Object> results = new ArrayList<>();
    stages.forEach(stage -> results.add(future(stage).orTimeout(20, TimeUnit.SECONDS).join()));
    assertThat(results).containsExactly(null, "1", "1", true, false, "4", null, null);
  }

  @Test
  void callsTakeEffectInTheirOrderAndStagesCompleteInIt() {
    ConcurrentLinkedQueue<Integer> completed = new ConcurrentLinkedQueue<>();
    List<CompletionStage<Void>> stages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      if (i % 3 == 0) {
        map.withLevel(WriteLevel.LOCAL).put("k", "" + i);
      } else {
        stages.add(map.async().put("k", "" + i).thenRun(() -> completed.add(number)));
      }
      assertThat(map).containsEntry("k", "" + i);
    }
    replicas.simulation.runFor(SECOND);

    int[] expected = IntStream.range(0, 100).filter(i -> i % 3 != 0).toArray();
    assertThat(Await.until(SOON, () -> completed.size() == expected.length)).isTrue();
    assertThat(completed).containsExactly(IntStream.of(expected).boxed().toArray(Integer[]::new));
    assertThat(stages).hasSameSizeAs(completed);
  }

  @Test
  void whatIsNotAcknowledgedInTimeFailsAsTheCallDoes() {
    cutOff();
    var stage = map.withLevel(WriteLevel.allOf(2)).async().put("k", "1");
    replicas.simulation.runFor(4 * SECOND);
    assertThat(future(stage)).isNotDone();
    replicas.simulation.runFor(2 * SECOND);

    assertFails(stage, UnacknowledgedWriteException.class);
    assertThat(map).as("it is made").containsEntry("k", "1");
    assertThat(replicas.get(0).metrics().writesWaiting()).isZero();
  }

  @Test
  void toCancelEndsTheWaitingAndNotTheUpdate() {
    cutOff();
    var stage = future(map.withLevel(WriteLevel.allOf(2)).async().put("k", "1"));
    assertThat(replicas.get(0).metrics().writesWaiting()).isOne();

    assertThat(stage.cancel(true)).isTrue();
    assertThat(replicas.get(0).metrics().writesWaiting()).isZero();
    assertThat(map).containsEntry("k", "1");
    replicas.simulation.heal();
    replicas.converge();
    assertThat(replicas.get(1).map("m", MapOptions.of(Codecs.string(), Codecs.string())))
        .containsEntry("k", "1");
  }

  @Test
  void nothingIsLeftOfACancelledCallWhoseLastUpdateAloneIsAcknowledged() {
    cutOff();
    var stage =
        future(
            replicas
                .get(0)
                .submit(() -> {
                  map.withLevel(WriteLevel.allOf(2)).put("k", "1");
                  return map.put("l", "2");
                }));
    replicas.simulation.runFor(4 * SECOND); // alone by now: all members are one
    assertThat(stage).isNotDone();
    stage.cancel(true);

    assertThat(replicas.get(0).metrics().writesWaiting()).isZero();
  }

  @Test
  void theUpdateThatWasNotAcknowledgedIsTheOneNamed() {
    cutOff();
    ReplicatedCounter visits = replicas.get(0).counter("visits", WriteLevel.ALL);
    var stage =
        future(
            replicas
                .get(0)
                .submit(() -> {
                  map.withLevel(WriteLevel.allOf(2)).put("k", "1");
                  visits.add(1);
                  return 1;
                }));
    replicas.simulation.runFor(6 * SECOND);

    assertFails(stage, UnacknowledgedWriteException.class);
    assertThat(stage.exceptionNow()).hasMessageContaining("'m'").hasMessageNotContaining("visits");
  }

  @Test
  void whatHasEndedIsNotKeptBehindACallThatWaits() {
    cutOff();
    var first = future(map.withLevel(WriteLevel.allOf(2)).async().put("k", "1"));
    WeakReference<Object> result = endedBehind();
    replicas.simulation.runFor(SECOND);

    assertThat(first).isNotDone();
    boolean isGone =
        Await.until(
            SOON,
            () -> {
              System.gc();
              return result.get() == null;
            });
    assertThat(isGone).as("the result of a call that has ended").isTrue();
    assertThat(first).as("it waits still").isNotDone();
  }

  private WeakReference<Object> endedBehind() {
    Object result = new Object();
    var ended =
        future(
            replicas
                .get(0)
                .submit(() -> {
                  map.withLevel(WriteLevel.allOf(2)).put("l", "1");
                  return result;
                }));
    ended.cancel(true);
    return new WeakReference<>(result);
  }

  @Test
  void noMoreThanSoManyAreUnderWay() {
    cutOff();
    var async = map.withLevel(WriteLevel.allOf(2)).async();
    for (int i = 0; i < AsyncMap.UNDER_WAY_MAX; i++) {
      assertThat(future(async.put("k", "" + i))).isNotDone();
    }

    assertFails(async.put("k", "refused"), WriteRefusedException.class);
    assertThat(map).as("nothing is made").containsEntry("k", "" + (AsyncMap.UNDER_WAY_MAX - 1));
    replicas.simulation.runFor(6 * SECOND);
    assertThat(Await.until(SOON, () -> !future(async.put("k", "again")).isCompletedExceptionally()))
        .isTrue();
  }

  @Test
  void whatIsRefusedFailsTheStage() {
    assertFails(map.async().put("k", "x".repeat(3 << 20)), WriteRefusedException.class);
    replicas.get(0).destroy("m", Duration.ZERO);
    assertFails(map.async().put("k", "1"), CollectionDestroyedException.class);
  }

  @Test
  void nothingIsLeftOfACallThatThrowsAfterItsUpdate() {
    cutOff();
    ReplicatedMap<String, String> strict = map.withLevel(WriteLevel.allOf(2));
    assertFails(
        replicas
            .get(0)
            .submit(() -> {
              strict.put("k", "1");
              throw new IllegalStateException("after the update");
            }),
        IllegalStateException.class);
    assertThatThrownBy(() ->
            replicas
                .get(0)
                .submit(() -> {
                  throw new AssertionError("an error");
                }))
        .isInstanceOf(AssertionError.class);

    assertThat(replicas.get(0).metrics().writesWaiting()).isZero();
  }

  @Test
  void anyUpdateOfAnyCollectionCanBeSubmitted() {
    ReplicatedCounter visits = replicas.get(0).counter("visits", WriteLevel.ALL);
    var stage =
        future(
            replicas
                .get(0)
                .submit(() -> {
                  visits.add(2);
                  map.put("k", "1");
                  return visits.get();
                }));

    assertThat(stage).isNotDone();
    replicas.simulation.runFor(SECOND / 10);
    assertThat(stage).succeedsWithin(SOON).isEqualTo(2L);
  }

  @Test
  void whatIsUnderWayWhenTheReplicaClosesFails() {
    cutOff();
    var stage = map.withLevel(WriteLevel.allOf(2)).async().put("k", "1");
    replicas.get(0).close();

    assertFails(stage, UnacknowledgedWriteException.class);
  }
}
