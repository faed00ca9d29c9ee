package org.terrace.tracing.stitch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.testing.Seeds;

/** Two requests that are there at once, with calls that may be either's. */
class PairDrawTest {
  private static final int CALLS = 6;
  private static final long MICRO = 1_000;
  private static final int DRAWS = 4_000;

  private final RandomGenerator random = Seeds.generator(Seeds.next("PairDrawTest"));
  private CallerCalls calls;
  private Chains chains;
  private PairDraw pair;

  @BeforeEach
  void twoRequests() {
    RequestTable.Builder builder = new RequestTable.Builder();
    add(builder, "app", "web", 0, 2_000);
    add(builder, "app", "web", 10, 1_990);
    long at = 50;
    for (int call = 0; call < CALLS; call++) {
      at += 20 + random.nextInt(150);
      add(builder, "db", "app", at, at + 10 + random.nextInt(200));
    }
    int[] rows = new int[CALLS];
    Arrays.setAll(rows, call -> call + 2);
    calls = new CallerCalls(builder.build(), new int[] {0, 1}, rows);
    chains = new Chains(calls);
    pair = new PairDraw(calls, chains, random);
    for (int call = 0; call < CALLS; call++) {
      chains.insert(call, 0, call - 1);
    }
    chains.learn(CALLS, 0, true, random);
  }

  /** All 64 ways to share the calls are tried; no more than a few are kept by a draw. */
  @Test
  void sharesAreThoseOfAllAssignmentsTogether() {
    double[] expected = new double[CALLS];
    double sum = 0;
    double[] logs = new double[1 << CALLS];
    for (int part = 0; part < logs.length; part++) {
      logs[part] = log(part);
    }
    double best = Arrays.stream(logs).max().orElseThrow();
    for (int part = 0; part < logs.length; part++) {
      double weight = Math.exp(logs[part] - best);
      sum += weight;
      for (int call = 0; call < CALLS; call++) {
        expected[call] += (part >>> call & 1) == 0 ? weight : 0;
      }
    }

    place(0);
    assertThat(pair.draw(2, 1, 1)).isTrue();

    assertThat(pair.size()).isEqualTo(CALLS);
    for (int call = 0; call < CALLS; call++) {
      assertThat(pair.call(call)).isEqualTo(call);
      assertThat(pair.drew(call)).isTrue();
      // What is not kept may be a little together.
      assertThat(pair.shareOfOne(call)).isCloseTo(expected[call] / sum, within(0.05));
    }
  }

  @Test
  void drawsComeAsOftenAsTheyAreProbable() {
    int[] ofOne = new int[CALLS];
    double[] shares = new double[CALLS];
    place(0);
    for (int i = 0; i < DRAWS; i++) {
      int call = random.nextInt(CALLS);
      assertThat(pair.draw(call, 1 - chains.parent[call], 1)).isTrue();
      for (int at = 0; at < CALLS; at++) {
        double share = pair.shareOfOne(at);
        shares[at] += pair.one() == 0 ? share : 1 - share;
        ofOne[at] += chains.parent[at] == 0 ? 1 : 0;
      }
    }

    assertChainsHold();
    for (int at = 0; at < CALLS; at++) {
      // Six standard deviations of as many independent draws.
      assertThat(ofOne[at] / (double) DRAWS)
          .isCloseTo(shares[at] / DRAWS, within(6 * 0.5 / Math.sqrt(DRAWS)));
    }
  }

  @Test
  void whatIsFixedStaysWithItsRequest() {
    place(0b000010);
    chains.fixed[1] = true;

    for (int i = 0; i < 100; i++) {
      pair.draw(0, 1 - chains.parent[0], 0.1);
      assertThat(chains.parent[1]).isEqualTo(1);
      assertThat(pair.drew(1)).isFalse();
    }
    assertChainsHold();
  }

  @Test
  void aCallThatLiesWithinOneRequestAloneIsNotDrawn() {
    calls.parentEnd[1] = calls.start[0];
    place(0);

    assertThat(pair.draw(2, 1, 1)).isFalse();
  }

  /** Gives the calls whose bit is one to the second request. */
  private void place(int part) {
    for (int call = 0; call < CALLS; call++) {
      chains.remove(call);
    }
    for (int call = 0; call < CALLS; call++) {
      int of = part >>> call & 1;
      chains.insert(call, of, chains.last[of]);
    }
  }

  private double log(int part) {
    place(part);
    double log = 0;
    for (int of = 0; of < 2; of++) {
      int before = -1;
      for (int call = chains.first[of]; call >= 0; call = chains.next[call]) {
        log += chains.step(of, before, call, before);
        before = call;
      }
      log += chains.step(of, before, -1, before);
    }
    return log;
  }

  private void assertChainsHold() {
    int found = 0;
    for (int of = 0; of < 2; of++) {
      int before = -1;
      for (int call = chains.first[of]; call >= 0; call = chains.next[call]) {
        assertThat(chains.parent[call]).isEqualTo(of);
        assertThat(chains.previous[call]).isEqualTo(before);
        assertThat(call).isGreaterThan(before);
        before = call;
        found++;
      }
      assertThat(chains.last[of]).isEqualTo(before);
    }
    assertThat(found).isEqualTo(CALLS);
  }

  private static void add(
      RequestTable.Builder builder, String server, String client, long start, long end) {
    builder.accept(
        new Request(
            server,
            "request",
            client,
            start * MICRO,
            start * MICRO,
            end * MICRO,
            10,
            10,
            Outcome.OK,
            0,
            Exchange.NONE,
            0,
            null));
  }
}
