package org.terrace.invocation.client;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Depth;

/**
 * The state that the calling threads of one client share: every operation seems to happen at one
 * moment between its call and its return (Herlihy and Wing, "Linearizability", 1990), as if one
 * thread did them all. More of it: {@code -Dterrace.lincheck.iterations=1000}.
 */
class SharedByCallersTest {
  private static final int ITERATIONS =
      Integer.getInteger("terrace.lincheck.iterations", Depth.of(15, 2));

  /** Numbers of requests that threads take and give back. */
  @Param(name = "sequence", gen = IntGen.class, conf = "1:4")
  public static class Numbers {
    private final RequestNumbers numbers = new RequestNumbers();

    @Operation
    public String take() {
      return numbers.take(0).toString();
    }

    @Operation
    public void release(@Param(name = "sequence") int sequence) {
      numbers.release(sequence);
    }
  }

  @Test
  void numbersAreLinearizable() {
    options().check(Numbers.class);
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
