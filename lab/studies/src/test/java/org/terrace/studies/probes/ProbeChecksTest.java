package org.terrace.studies.probes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.core.RequestIdentity;
import org.terrace.testing.Seeds;

/** Every check passes on good probes and fails on the accident it is there for. */
class ProbeChecksTest {
  private static final int CALLS = 2_000;
  private static final long EPOCH = 1_700_000_000_123_456_789L;

  private final RandomGenerator random = Seeds.generator(Seeds.next("ProbeChecksTest"));
  private final ProbeRows client;
  private final ProbeRows server;

  ProbeChecksTest() {
    List<RequestIdentity> identities = new ArrayList<>();
    long[] p1 = new long[CALLS];
    long[] p2 = new long[CALLS];
    long[] p4 = new long[CALLS];
    long[] p5 = new long[CALLS];
    for (int i = 0; i < CALLS; i++) {
      identities.add(new RequestIdentity(0xC11E, i + 1));
      p1[i] = EPOCH + i * 20_000_003L;
      p4[i] = p1[i] + 100_000 + random.nextInt(50_000);
      p5[i] = p4[i] + 2_000_000 + random.nextInt(1_000_000);
      p2[i] = p5[i] + 100_000 + random.nextInt(50_000);
    }
    client = new ProbeRows(identities, p1, p2);
    server = new ProbeRows(identities, p4, p5);
  }

  @Test
  void goodProbesPassEveryCheck() {
    assertThat(ProbeChecks.enoughCalls(CALLS, 99, 0.99).passed()).isTrue();
    assertThat(ProbeChecks.plannedCalls(CALLS, CALLS).passed()).isTrue();
    assertThat(ProbeChecks.noOverflow("P1", client.startNanos()).passed()).isTrue();
    assertThat(ProbeChecks.sameUnit(client, server).passed()).isTrue();
    assertThat(ProbeChecks.resolved("P1-P2", client).passed()).isTrue();
    assertThat(ProbeChecks.notSwapped("P1-P2", client).passed()).isTrue();
    assertThat(ProbeChecks.matched(Components.of(client, server)).passed()).isTrue();
  }

  @Test
  void tooFewCallsAreCaught() {
    assertThat(ProbeChecks.enoughCalls(100, 99, 0.99).passed()).isFalse();
    assertThat(ProbeChecks.enoughCalls(100, 99, 0.99).detail()).contains("needs 528");
    assertThat(ProbeChecks.plannedCalls(2_243, 10_000).passed()).isFalse();
  }

  @Test
  void aCounterOfMicrosecondsInThirtyTwoBitsIsCaught() {
    long[] slow = new long[CALLS];
    Arrays.setAll(slow, i -> ((EPOCH / 1_000 + i * 10_000_000L) & 0xFFFFFFFFL) * 1_000);

    assertThat(ProbeChecks.noOverflow("P1", slow).passed()).isFalse();
    assertThat(ProbeChecks.noOverflow("P1", slow).detail()).contains("2^32");
  }

  @Test
  void aSignedCounterThatBecameNegativeIsCaught() {
    long[] times = client.startNanos().clone();
    times[7] = (int) times[7] | 0x8000_0000_0000_0000L;

    assertThat(ProbeChecks.noOverflow("P1", times).passed()).isFalse();
  }

  @Test
  void aProbeInMillisecondsAmongNanosecondsIsCaughtByItsResolution() {
    ProbeRows coarse = map(server, nanos -> nanos / 1_000_000 * 1_000_000);

    assertThat(ProbeChecks.sameUnit(client, coarse).passed()).isFalse();
    assertThat(ProbeChecks.sameUnit(client, coarse).detail()).contains("1,000,000 ns");
    assertThat(ProbeChecks.resolved("P4-P5", coarse).passed()).isFalse();
  }

  @Test
  void microsecondsWrittenAsNanosecondsAreCaughtByTheirAge() {
    assertThat(ProbeChecks.sameUnit(client, map(server, nanos -> nanos / 1_000)).passed())
        .isFalse();
  }

  @Test
  void swappedProbesAreCaught() {
    ProbeRows swapped = new ProbeRows(client.identities(), client.endNanos(), client.startNanos());

    assertThat(ProbeChecks.notSwapped("P1-P2", swapped).passed()).isFalse();
    assertThat(ProbeChecks.notSwapped("P1-P2", swapped).detail()).contains("2,000 of 2,000");
  }

  @Test
  void rowsOfTheServerInAnotherOrderAreMatchedByIdentityAndMisnamedOnesAreCaught() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      order.add(i);
    }
    Collections.shuffle(order, java.util.Random.from(random));
    ProbeRows shuffled = order(server, order, true);
    ProbeRows misnamed = order(server, order, false);

    Components parts = Components.of(client, shuffled);
    assertThat(parts.serverNanos()).containsExactly(Components.of(client, server).serverNanos());
    assertThat(ProbeChecks.matched(parts).passed()).isTrue();
    ProbeRows longest = map(misnamed, LongUnaryOperator.identity());
    longest.endNanos()[0] = longest.startNanos()[0] + 1_000_000_000;
    assertThat(ProbeChecks.matched(Components.of(client, longest)).passed()).isFalse();
  }

  @Test
  void callsWithoutAServerAndServersWithoutACallAreCounted() {
    List<Integer> first = List.of(0, 1, 2);
    Components parts = Components.of(order(client, first, true), server);

    assertThat(parts.unmatchedServerRows()).isEqualTo(CALLS - 3);
    assertThat(ProbeChecks.matched(parts).passed()).isFalse();
    assertThat(Components.of(client, order(server, first, true)).unmatchedCalls())
        .isEqualTo(CALLS - 3);
  }

  @Test
  void parametersThatNobodyWroteDownAreCaught() {
    List<StudyDescription.Parameter> given =
        List.of(
            new StudyDescription.Parameter("clients", "1", "1"),
            new StudyDescription.Parameter("think time", " ", null));

    assertThat(ProbeChecks.documented(given, List.of("clients")).passed()).isTrue();
    assertThat(ProbeChecks.documented(given, List.of("clients", "think time", "heap")).detail())
        .isEqualTo("not written down: think time, heap");
  }

  @Test
  void outliersAreSplitByThePartThatMadeThem() {
    ProbeRows slow = map(client, LongUnaryOperator.identity());
    ProbeRows slowServer = map(server, LongUnaryOperator.identity());
    for (int i = 0; i < 40; i++) {
      slow.endNanos()[i * 50] += 900_000_000;
      if (i < 30) {
        slowServer.endNanos()[i * 50] += 900_000_000;
      }
    }
    Components.Split split = Components.of(slow, slowServer).split(100_000_000);

    assertThat(split.outliers()).isEqualTo(40);
    assertThat(split.server()).isEqualTo(30);
    assertThat(split.middleware()).isEqualTo(10);
    assertThat(split.serverShareOfExcess()).isBetween(0.74, 0.76);
  }

  private static ProbeRows map(ProbeRows rows, LongUnaryOperator change) {
    return new ProbeRows(
        rows.identities(),
        Arrays.stream(rows.startNanos()).map(change).toArray(),
        Arrays.stream(rows.endNanos()).map(change).toArray());
  }

  private static ProbeRows order(ProbeRows rows, List<Integer> order, boolean named) {
    List<RequestIdentity> identities =
        named ? order.stream().map(rows.identities()::get).toList() : rows.identities();
    return new ProbeRows(
        identities,
        order.stream().mapToLong(i -> rows.startNanos()[i]).toArray(),
        order.stream().mapToLong(i -> rows.endNanos()[i]).toArray());
  }
}
