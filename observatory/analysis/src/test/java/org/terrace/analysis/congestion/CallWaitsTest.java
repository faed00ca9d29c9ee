package org.terrace.analysis.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that does 100 requests a second in 100 ms each, 80 of them in two calls. */
class CallWaitsTest {
  private static final int BLOCKS = 100;
  private static final int FROM = 40;
  private static final int TO = 50;

  private final double[] load = new double[BLOCKS];
  private final double[] throughput = new double[BLOCKS];
  private final double[] ofDatabase = new double[BLOCKS];
  private final double[] ofCache = new double[BLOCKS];

  CallWaitsTest() {
    Arrays.fill(load, 10);
    Arrays.fill(throughput, 100);
    Arrays.fill(ofDatabase, 7);
    Arrays.fill(ofCache, 1);
  }

  private CallWaits waits() {
    Map<String, double[]> calls = new LinkedHashMap<>();
    calls.put("cache1", ofCache);
    calls.put("db1", ofDatabase);
    return new CallWaits(load, throughput, calls);
  }

  private void during(double[] series, double value) {
    Arrays.fill(series, FROM, TO, value);
  }

  private static int marked(boolean[] blocks) {
    int marked = 0;
    for (boolean each : blocks) {
      marked += each ? 1 : 0;
    }
    return marked;
  }

  @Test
  void whoIsAsUsualWaitsForNobody() {
    assertThat(marked(waits().around())).isZero();
    assertThat(waits().awaitedOften()).isNull();
    assertThat(waits().awaited(0, BLOCKS)).isNull();
  }

  @Test
  void whatIsInExcessInCallsIsAWaitForTheServerThatHasMostOfIt() {
    during(load, 60);
    during(ofDatabase, 45);
    during(ofCache, 5);
    CallWaits waits = waits();

    assertThat(waits.awaited(FROM, TO)).isEqualTo("db1");
    assertThat(waits.awaitedOften()).isEqualTo("db1");
    assertThat(marked(waits.around())).as("and a block on either side").isEqualTo(TO - FROM + 2);
    assertThat(waits.awaitedBeyond(20)).as("of what is left").isNull();
  }

  @Test
  void whatQueuesInItselfIsItsOwn() {
    during(load, 60);
    during(ofDatabase, 9);
    CallWaits waits = waits();

    assertThat(waits.awaited(FROM, TO)).isNull();
    assertThat(waits.awaitedOften()).isNull();
    assertThat(marked(waits.around())).isZero();
  }

  /** The queue is its own, but all connections are in use for three times as long as usual. */
  @Test
  void whoseConnectionsAllWaitWaitsThough() {
    during(load, 200);
    during(ofDatabase, 20);

    assertThat(waits().awaited(FROM, TO)).isEqualTo("db1");
    Arrays.fill(ofDatabase, 0, 10, 60);
    Arrays.fill(load, 0, 10, 200);
    assertThat(waits().awaited(FROM, TO)).as("more could have been called").isNull();
  }

  /** A call that is seldom made is all of them whenever it is made. */
  @Test
  void aSeldomCallHoldsUpNobodyElse() {
    Arrays.fill(ofCache, 0);
    during(load, 60);
    during(ofDatabase, 9);
    during(ofCache, 1);
    assertThat(marked(waits().around())).as("one").isZero();

    during(ofCache, 3);
    assertThat(waits().awaited(FROM, TO)).as("three, of which none is usual").isNull();
  }

  /** Two connections, both of which are in use for ever while the server stands still. */
  @Test
  void whoseFewConnectionsAllWaitWaitsThough() {
    Arrays.fill(ofCache, 0.2);
    during(load, 60);
    during(throughput, 0);
    during(ofDatabase, 0);
    during(ofCache, 2);

    assertThat(waits().awaited(FROM, TO)).isEqualTo("cache1");
  }

  @Test
  void moreThroughputNeedsMoreCalls() {
    during(load, 30);
    during(throughput, 300);
    during(ofDatabase, 21);
    during(ofCache, 3);

    assertThat(marked(waits().around())).isZero();
  }

  @Test
  void aServerThatStandsStillWithItsCallsAnsweredDoesNotWait() {
    during(load, 30);
    during(throughput, 0);
    during(ofDatabase, 0);
    during(ofCache, 0);

    assertThat(waits().awaited(FROM, TO)).isNull();
  }

  @Test
  void aServerWithoutCallsWaitsForNobody() {
    during(load, 60);

    assertThat(new CallWaits(load, throughput, Map.of()).awaited(FROM, TO)).isNull();
    assertThat(new CallWaits(new double[0], new double[0], Map.of()).awaitedOften()).isNull();
  }

  /** Less than a request in excess, and none at all in the times of low load. */
  @Test
  void littleIsNoWait() {
    Arrays.fill(load, 0.1);
    Arrays.fill(throughput, 1);
    Arrays.fill(ofDatabase, 0.07);
    Arrays.fill(ofCache, 0);
    during(load, 0.9);
    during(ofDatabase, 0.8);

    assertThat(marked(waits().around())).isZero();
    assertThat(
            new CallWaits(new double[9], new double[9], Map.of("db1", new double[9])).awaited(0, 9))
        .isNull();
  }
}
