package org.terrace.scaling.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.terrace.scaling.bottleneck.MadeUpCells.USERS;
import static org.terrace.scaling.bottleneck.MadeUpCells.always;
import static org.terrace.scaling.bottleneck.MadeUpCells.configuration;
import static org.terrace.scaling.bottleneck.MadeUpCells.cpu;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;

/** Readings every fifteen seconds, such as Prometheus takes, beside those of each second. */
class CoarseReadingsTest {
  private static final Configuration ONE = configuration(1);
  private static final int SECONDS = 60;

  private static Utilisation disk(double... values) {
    return Utilisation.of("database1", "database", "disk", 15, values);
  }

  /** A processor that is full in one second of so many. */
  private static Utilisation oneIn(int seconds) {
    double[] values = always(0.5, SECONDS);
    for (int i = 0; i < SECONDS; i += seconds) {
      values[i] = 1;
    }
    return cpu("database", 1, values);
  }

  private static Bottleneck bottleneck(int repeats, List<Utilisation> samples) {
    return found(Collections.nCopies(repeats, samples));
  }

  private static Bottleneck found(List<List<Utilisation>> samples) {
    MappedCell cell = new MadeUpCells().carries(ONE, 60, samples).map().at(ONE, USERS.getLast());
    assertThat(cell).isNotNull();
    return cell.bottleneck();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aDiskThatIsFullAllTheTimeIsABottleneckHoweverOftenTrialsAreRepeated(int repeats) {
    Bottleneck found = bottleneck(repeats, List.of(oneIn(15), disk(1, 1, 1, 1)));

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.MIXED);
    assertThat(found.words()).isEqualTo("mixed: disk of database1, cpu of database1");
    assertThat(found.lacking()).isEmpty();
    assertThat(found.union()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aReadingThatARunBeginsOrEndsWithinIsNotMissed(int repeats) {
    Bottleneck found = bottleneck(repeats, List.of(oneIn(15), disk(1, 1, 1)));

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.MIXED);
    assertThat(found.lacking()).isEmpty();
  }

  @Test
  void whatIsSaturatedForSecondsIsSaturatedBesideCoarseReadings() {
    Bottleneck found = bottleneck(1, List.of(oneIn(2), disk(0.3, 0.3, 0.3, 0.3)));

    assertThat(found.kind()).as(found.words()).isEqualTo(Kind.PARTIAL);
    assertThat(found.union()).isEqualTo(0.5);
    assertThat(found.leftOut()).isZero();
  }

  @Test
  void coarseReadingsCountForAsLongAsTheyAreOf() {
    Bottleneck found = bottleneck(2, List.of(oneIn(15), disk(1, 0.3, 0.3, 1)));

    // Half of the time the disk, and one second in each of the two other quarters.
    assertThat(found.union()).isEqualTo(32.0 / SECONDS);
  }

  @Test
  void hardwareThatWasNotSampledThroughoutIsNamedWithEveryClass() {
    double[] half = Arrays.copyOf(always(1, SECONDS), SECONDS / 2);
    List<Utilisation> partly = List.of(oneIn(2), cpu("app", 1, half));
    List<Utilisation> throughout =
        List.of(cpu("database", 1, always(1, SECONDS)), cpu("app", 1, half));

    assertThat(bottleneck(2, partly).words())
        .isEqualTo("partial: cpu of database1; not sampled throughout: cpu of app1");
    assertThat(bottleneck(2, throughout).words())
        .isEqualTo("single: cpu of database1; not sampled throughout: cpu of app1");
  }
}
