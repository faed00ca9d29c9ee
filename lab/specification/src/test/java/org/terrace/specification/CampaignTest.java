package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.experiment.Experiment;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.FaultText;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** Faults that a seed draws: their bounds, their order, and that they never change. */
class CampaignTest {
  private static final ExperimentSchema SCHEMA = new ExperimentSchema();
  private static final int HISTORIES = Depth.of(300, 20);

  private static final String HEAD =
      """
      kind: Experiment
      name: campaign
      topology: 1/2/0/1
      load: {closed: {users: 100, think: exp(1s)}}
      phases: {run: 60s}
      limits: {database: {cpu: 1, memory: 1g}, app: {memory: 1g}, web: {cpu: 1, memory: 1g}}
      seed: 11
      faults:
      """;

  private static List<Fault> faults(String entries) {
    String text = HEAD + entries;
    assertThat(SCHEMA.errors(text)).isEmpty();
    return SpecificationReader.read("campaign.yaml", text).faults();
  }

  private static List<String> lines(List<Fault> faults) {
    return faults.stream().map(FaultText::of).toList();
  }

  /** A campaign that once was drawn is drawn by every later version, on every machine. */
  @Test
  void aCampaignNeverChanges() {
    assertThat(
            lines(
                faults(
                    """
                      - campaign:
                          seed: 7
                          from: 5s
                          to: 45s
                          every: exp(1s)
                          of: [kill, pause, cut, loss, bandwidth, slow-disk, cpu, gc-pressure]
                          on: [app, database1]
                          quiet: 500ms
                    """)))
        .containsExactly(
            "{cut: app2, at: 8698ms, for: 1732ms}",
            "{slow-disk: database1, at: 9778ms, for: 4026ms, rate: 879k}",
            "{loss: app1, at: 10603ms, for: 3619ms, share: 0.0412}",
            "{bandwidth: database1, at: 19301ms, for: 4332ms, rate: 426k}",
            "{cut: app1, at: 19533ms, for: 939ms}",
            "{cut: app2, at: 22911ms, for: 1411ms}",
            "{cut: app1, at: 24041ms, for: 1750ms}",
            "{kill: app2, at: 26102ms, restart: 2304ms}",
            "{cpu: app1, at: 29461ms, for: 2031ms}",
            "{pause: app2, at: 31346ms, for: 483ms}",
            "{kill: database1, at: 31496ms, restart: 2819ms}",
            "{pause: app2, at: 32361ms, for: 954ms}",
            "{cpu: app1, at: 34324ms, for: 3444ms}",
            "{gc-pressure: app2, at: 34896ms, for: 1543ms, live: 0.5}",
            "{slow-disk: database1, at: 35939ms, for: 4707ms, rate: 156k}",
            "{gc-pressure: app2, at: 41159ms, for: 2259ms, live: 0.5}",
            "{gc-pressure: app1, at: 41704ms, for: 3074ms, live: 0.5}");
  }

  @Test
  void whatItDrawsCanBeWrittenByHand() {
    for (long seed : Seeds.histories("a campaign by hand", 20)) {
      List<Fault> drawn =
          faults(
              "  - campaign: {seed: %d, every: exp(1s), for: 20ms..800ms, of: [%s]}\n"
                  .formatted(
                      Math.abs(seed % 1_000_000),
                      "kill, pause, gc-pressure, cpu, lock-convoy, row-lock, slow-disk, syn-drop,"
                          + " cut, loss, bandwidth, delay, memory"));

      String byHand =
          lines(drawn).stream().map(line -> "  - " + line + "\n").collect(Collectors.joining());

      assertThat(faults(byHand)).isEqualTo(drawn);
    }
  }

  @Test
  void theExperimentsSeedHoldsWhereNoneIsGiven() {
    String entry = "  - campaign: {%severy: exp(4s), of: [pause], on: [%s]}\n";

    assertThat(faults(entry.formatted("", "app1")))
        .isEqualTo(faults(entry.formatted("seed: 11, ", "app1")))
        .isNotEqualTo(faults(entry.formatted("seed: 12, ", "app1")));
    assertThat(faults(entry.formatted("", "app1") + entry.formatted("", "app2")))
        .isEqualTo(
            faults(entry.formatted("seed: 11, ", "app1") + entry.formatted("seed: 12, ", "app2")));
  }

  /** 60 s with a fault each second in the mean: 60 of them, give or take 7.7, in each of 400. */
  @Test
  void faultsComeAsOftenAsSaid() {
    int all = 0;
    for (int seed = 0; seed < 400; seed++) {
      all +=
          faults(
                  "  - campaign: {seed: %d, every: exp(1s), of: [pause], for: 1ms, quiet: 0s}\n"
                      .formatted(seed))
              .size();
    }
    assertThat(all / 400.0).isBetween(59.0, 61.0);
  }

  /** Each stays in its bounds, apart from the others of its server, and the same once more. */
  @Test
  void anyCampaignKeepsToItsBounds() {
    for (long seed : Seeds.histories("campaigns", HISTORIES)) {
      RandomGenerator random = Seeds.generator(seed);
      long from = random.nextLong(0, 20_000);
      long to = random.nextLong(from + 20_000, 60_001);
      long quiet = random.nextLong(0, 3_000);
      long shortest = random.nextLong(1, 500);
      long longest = random.nextLong(shortest, 2_000);
      String entry =
          """
            - {pause: app1, at: 30s, for: 1s}
            - campaign:
                seed: %d
                from: %dms
                to: %dms
                every: %s(%dms)
                of: [kill, pause, loss, slow-disk, row-lock, delay]
                quiet: %dms
                for: %dms..%dms
                share: 0.02..0.07
                rate: 100k..200k
                by: 3ms..4ms
          """
              .formatted(
                  Math.floorMod(seed, 1L << 40),
                  from,
                  to,
                  random.nextBoolean() ? "exp" : "const",
                  random.nextLong(100, 2_000),
                  quiet,
                  shortest,
                  longest);
      List<Fault> faults = faults(entry);

      assertThat(faults(entry)).isEqualTo(faults);
      for (Fault fault : faults.subList(1, faults.size())) {
        Duration at = fault.schedule().at();
        assertThat(at).isBetween(Duration.ofMillis(from), Duration.ofMillis(to));
        assertThat(at.plus(fault.length().orElseThrow()))
            .isLessThanOrEqualTo(Duration.ofMillis(to));
        assertThat(fault.length().orElseThrow())
            .isBetween(Duration.ofMillis(shortest), Duration.ofMillis(longest));
        assertAmount(fault);
      }
      assertApart(faults, Duration.ofMillis(quiet));
    }
  }

  private static void assertAmount(Fault fault) {
    switch (fault) {
      case Fault.Network(_, _, _, NetworkEffect.Loss(double share)) ->
          assertThat(share).isBetween(0.02, 0.07);
      case Fault.Network(_, _, _, NetworkEffect.Delay(Duration by, Duration jitter)) -> {
        assertThat(by).isBetween(Duration.ofMillis(3), Duration.ofMillis(4));
        assertThat(jitter).isZero();
      }
      case Fault.SlowDisk slow -> {
        assertThat(slow.server()).isEqualTo("database1");
        assertThat(slow.bytesPerSecond()).isBetween(100L << 10, 200L << 10);
      }
      case Fault.RowLock lock -> assertThat(lock.server()).isEqualTo("database1");
      default -> assertThat(fault).isInstanceOfAny(Fault.Kill.class, Fault.Pause.class);
    }
  }

  private static void assertApart(List<Fault> faults, Duration quiet) {
    Map<String, Duration> ends = new HashMap<>();
    List<Fault> sorted = new ArrayList<>(faults);
    sorted.sort(Comparator.comparing(fault -> fault.schedule().at()));
    for (Fault fault : sorted) {
      Duration at = fault.schedule().at();
      Duration before = ends.put(fault.server(), at.plus(fault.length().orElseThrow()));
      assertThat(before == null || at.compareTo(before.plus(quiet)) >= 0)
          .as("%s after the one that ended at %s", fault, before)
          .isTrue();
    }
  }

  /** Else a fault that is added would change all that come after it. */
  @Test
  void aFaultThatIsAddedTakesAwayOnlyWhatMeetsIt() {
    String campaign = "  - campaign: {seed: 5, every: exp(500ms), of: [pause], quiet: 0s}\n";
    List<Fault> without = faults(campaign);
    List<Fault> with = faults("  - {cut: app1, at: 20s, for: 10s}\n" + campaign);

    assertThat(with.subList(1, with.size()))
        .containsAll(
            without.stream()
                .filter(fault ->
                    !fault.server().equals("app1")
                        || fault.schedule().at().compareTo(Duration.ofSeconds(18)) < 0)
                .toList())
        .noneMatch(fault ->
            fault.server().equals("app1")
                && fault.schedule().at().compareTo(Duration.ofSeconds(20)) >= 0
                && fault.schedule().at().compareTo(Duration.ofSeconds(30)) < 0);
  }

  /** Whatever the seed: a campaign that is refused with one of them alone is a trap. */
  @Test
  void faultsThatNeedALimitStrikeOnlyServersThatHaveIt() {
    for (int seed = 0; seed < 100; seed++) {
      String text =
          HEAD.replaceFirst("limits: .*\n", "limits: {database: {memory: 1g}, web: {cpu: 1}}\n")
              + "  - campaign: {seed: %d, every: exp(1s), of: [memory, cpu], for: 100ms}\n"
                  .formatted(seed);

      assertThat(SpecificationReader.read("campaign.yaml", text).faults())
          .isNotEmpty()
          .allMatch(fault ->
              fault instanceof Fault.MemoryPressure
                  ? fault.server().equals("database1")
                  : !fault.server().equals("database1"));
    }
  }

  @Test
  void aFaultForWhichNoServerHasTheLimitIsRefused() {
    String text =
        HEAD.replaceFirst("limits: .*\n", "")
            + "  - campaign: {every: exp(1s), of: [pause, memory], on: [app]}\n";

    assertThatThrownBy(() -> SpecificationReader.read("campaign.yaml", text))
        .isInstanceOf(SpecificationException.class)
        .hasMessageContaining("no server of the campaign has the limit within which memory")
        .hasMessageContaining("limits: {app1: {memory: 512m}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "every: exp(8s) | every: exp(10ms) | draws at most 1000 faults: 'every' has to be 60ms",
        "every: exp(8s) | every: const(0s) | 'every' has to be",
        "\"every: exp(8s), \" | \"\" | a campaign lacks 'every'",
        "of: [pause] | of: [] | but 'of' names none",
        "of: [pause] | of: [burst] | cannot draw a burst",
        "of: [pause] | of: [clock-step] | clock-step is refused on every host",
        "of: [pause] | of: [pasue] | did you mean 'pause'?",
        "of: [pause] | of: [row-lock], on: [app1] | no server of the campaign can be struck by row",
        "of: [pause] | of: [row-lock], on: [app1, database] | no fault of the campaign can strike"
            + " app1",
        "of: [pause] | of: [pause], on: [app3] | unknown server or tier 'app3' in a campaign",
        "of: [pause] | of: [pause], share: 0.1 | unknown key 'share' in a campaign",
        "of: [pause] | of: [pause], for: 2s..1s | expected the lesser value first",
        "of: [pause] | of: [pause], for: 1s..x | for is 'x', expected a duration",
        "of: [pause] | of: [pause], from: 61s | from is '61s', expected a duration",
        "of: [pause] | of: [pause], from: 9s, to: 8s | a campaign from 9s to 8s has no time",
        "of: [pause] | of: [pause], for: 60s..61s | draws no fault between 0s and 1m",
        "of: [pause]} | of: [pause]}, at: 3s | unknown key 'at' in a fault"
      })
  void whatCannotBeIsRefusedWithTheReason(String from, String to, String words) {
    String text = HEAD + "  - {campaign: {every: exp(8s), of: [pause]}}\n";
    Experiment right = SpecificationReader.read("campaign.yaml", text);

    assertThat(right.faults()).isNotEmpty();
    assertThat(text).contains(from);
    assertThatThrownBy(() -> SpecificationReader.read("campaign.yaml", text.replace(from, to)))
        .isInstanceOf(SpecificationException.class)
        .hasMessageContaining(words);
  }
}
