package org.terrace.cluster.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.core.ReadBalancer;
import org.terrace.cluster.core.StatementOutcome;
import org.terrace.testing.Depth;

/**
 * The state that the threads of one process share in a cluster: every operation seems to happen at
 * one moment between its call and its return (Herlihy and Wing, "Linearizability", 1990), as if one
 * thread did them all. More of it: {@code -Dterrace.lincheck.iterations=1000}.
 */
class SharedByThreadsTest {
  private static final StatementOutcome OUTCOME = StatementOutcome.done("1 row");
  private static final int ITERATIONS =
      Integer.getInteger("terrace.lincheck.iterations", Depth.of(10, 1));

  /** A machine that adds up, and of every event makes a second. */
  public static class Steps {
    private final EventSteps<Integer> steps = new EventSteps<>(this::step);
    private final List<Integer> done = new ArrayList<>();

    private void step(int event) {
      if (event > 0) {
        steps.post(-event);
      }
      done.add(event);
    }

    @Operation
    public void post(@Param(gen = IntGen.class, conf = "1:3") int event) {
      steps.post(event);
    }

    @Operation
    public String done() {
      return steps.between(done::toString);
    }
  }

  @Test
  void eventsAreDoneOneByOne() {
    options().check(Steps.class);
  }

  @Test
  void eventThatAnEventBringsAboutComesAfterIt() {
    Steps steps = new Steps();
    steps.post(1);

    assertThat(steps.done()).isEqualTo("[1, -1]");
  }

  /** Reads that begin at three replicas, and how many are under way at each. */
  public static class Reads {
    private final ReadBalancer balancer =
        new ReadBalancer(ReadBalancer.Policy.LEAST_PENDING, List.of(1, 1, 1));

    @Operation
    public int choose() {
      return balancer.choose(List.of(0, 1, 2));
    }

    @Operation
    public void done(@Param(gen = IntGen.class, conf = "0:2") int replica) {
      balancer.done(replica);
    }

    @Operation
    public int pending(@Param(gen = IntGen.class, conf = "0:2") int replica) {
      return balancer.pending(replica);
    }
  }

  @Test
  @Tag("long")
  void readsAreCountedAndTakenInTurn() {
    options().check(Reads.class);
  }

  /** It looks at each candidate in turn, so a list puts another thread between two looks. */
  @Test
  void whoseChoiceIsUnderWayIsCountedBeforeTheNext() {
    ReadBalancer balancer = new ReadBalancer(ReadBalancer.Policy.LEAST_PENDING, List.of(1, 1));
    List<Integer> others = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    List<Integer> candidates =
        new AbstractList<>() {
          @Override
          public Integer get(int index) {
            if (threads.isEmpty()) {
              threads.add(Between.start(() -> others.add(balancer.choose(List.of(0, 0)))));
              threads.add(Between.start(() -> balancer.done(0)));
              assertThat(others).as("chosen within another choice").isEmpty();
              assertThat(balancer.pending(0)).as("done within another choice").isZero();
            }
            return index;
          }

          @Override
          public int size() {
            return 2;
          }
        };

    assertThat(balancer.choose(candidates)).isZero();
    threads.forEach(thread -> Between.until(() -> !thread.isAlive()));
    assertThat(others).containsExactly(0);
    assertThat(balancer.pending(0)).isEqualTo(1);
  }

  /** Attempts of two replicas to return. */
  public static class Attempts {
    private final ReturnAttempts<ReturnAttempts.Attempt> attempts = new ReturnAttempts<>();

    @Operation
    public boolean begin(@Param(gen = IntGen.class, conf = "0:1") int replica) {
      return attempts.begin(replica, () -> {});
    }

    @Operation
    public boolean back(@Param(gen = IntGen.class, conf = "0:1") int replica) {
      return attempts.remove(replica) != null;
    }

    @Operation
    public void end() {
      attempts.end();
    }
  }

  @Test
  void noAttemptBeginsAfterTheEnd() {
    options().check(Attempts.class);
  }

  /** Results of two replicas, of which the first's is chosen. */
  public static class Results {
    private final List<Integer> closed = new CopyOnWriteArrayList<>();
    private final ReplicaResults<Integer> results = new ReplicaResults<>(closed::add);

    /** The first has answered before any is chosen. */
    public Results() {
      results.done(0, OUTCOME, 0);
    }

    @Operation(runOnce = true)
    public void done() {
      results.done(1, OUTCOME, 1);
    }

    @Operation(runOnce = true)
    public int choose() throws SQLException {
      return results.choose(0);
    }

    @Operation
    public String discard() {
      results.discard(1);
      return closed.toString();
    }
  }

  @Test
  @Tag("long")
  void resultsThatAreNotChosenAreClosed() {
    options().check(Results.class);
  }

  private static StressOptions options() {
    return new StressOptions()
        .iterations(ITERATIONS)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1);
  }
}
