package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;
import org.terrace.load.Bursts;
import org.terrace.nodes.fault.Fault;
import org.terrace.nodes.fault.Fault.Schedule;
import org.terrace.nodes.fault.NetworkEffect;
import org.terrace.nodes.setting.Collector;
import org.terrace.nodes.setting.SoftLimits;

/** Soft limits, collectors, governors, bursts, and the faults of databases and of the network. */
class LimitsAndFaultsTest {
  private static final ExperimentSchema SCHEMA = new ExperimentSchema();

  private static final String TEXT =
      """
      kind: Experiment
      name: limits
      topology: 1/2/0/1
      load: {closed: {users: 100, think: exp(1s)}, bursts: {every: 2s, for: 400ms, factor: 3}}
      phases: {run: 60s}
      faults:
        - {row-lock: database1, at: 1s, for: 500ms}
        - {checkpoint: database1, at: 3s, dirty: 64m}
        - {slow-disk: database1, at: 10s, for: 2s, rate: 512k}
        - {syn-drop: web1, at: 5s, for: 1s}
        - {cpu: database1, at: 20s, for: 2s}
        - {cpu: app2, at: 21s, for: 1s}
        - {memory: database1, at: 24s, for: 2s, share: 0.8}
        - {memory: web1, at: 25s, for: 1s}
        - {delay: app2, at: 27s, for: 2s, by: 20ms, jitter: 5ms}
        - {delay: database1, at: 30s, for: 1s, by: 1500us}
        - {gc-pressure: app1, at: 2s, for: 1s, live: 0.2}
        - {burst: 4, at: 7s, for: 300ms, every: 10s, count: 3}
      limits:
        app: {threads: 30, pool: 8, backlog: 50}
        app2: {cpu: 0.5, threads: 10}
        database: {cpu: 0.4, calibrated: true, governor: 250ms, memory: 512m}
        web: {memory: 1g}
        app1: {disk: 2m, network: 256k}
        web1: {network: 12m}
      collector: {app: parallel, app2: zgc}
      """;

  private static Experiment read(String text) {
    return SpecificationReader.read("limits.yaml", text);
  }

  @Test
  void everyFieldArrivesAndTheSchemaAgrees() {
    Experiment experiment = read(TEXT);

    assertThat(experiment.softLimits(1))
        .isEqualTo(new SoftLimits(OptionalInt.of(30), OptionalInt.of(8), OptionalInt.of(50)));
    assertThat(experiment.softLimits(2))
        .isEqualTo(new SoftLimits(OptionalInt.of(10), OptionalInt.of(8), OptionalInt.of(50)));
    assertThat(experiment.cpuLimit(Tier.APP, 1)).isEmpty();
    assertThat(experiment.cpuLimit(Tier.APP, 2)).hasValue(0.5);
    assertThat(experiment.cpuLimits().get("database").governor()).contains(Duration.ofMillis(250));
    assertThat(experiment.memoryBytes(Tier.DATABASE, 1)).contains(512L << 20);
    assertThat(experiment.memoryBytes(Tier.WEB, 1)).contains(1L << 30);
    assertThat(experiment.memoryBytes(Tier.APP, 1)).isEmpty();
    assertThat(experiment.diskBytesPerSecond(Tier.APP, 1)).contains(2L << 20);
    assertThat(experiment.diskBytesPerSecond(Tier.APP, 2)).isEmpty();
    assertThat(experiment.networkBytesPerSecond(Tier.APP, 1)).contains(256L << 10);
    assertThat(experiment.networkBytesPerSecond(Tier.WEB, 1)).contains(12L << 20);
    assertThat(experiment.networkBytesPerSecond(Tier.APP, 2)).isEmpty();
    assertThat(experiment.collector(Tier.APP, 1)).isEqualTo(Collector.PARALLEL);
    assertThat(experiment.collector(Tier.APP, 2)).isEqualTo(Collector.ZGC);
    assertThat(experiment.collector(Tier.WEB, 1)).isEqualTo(Collector.SERIAL);
    assertThat(experiment.bursts())
        .contains(new Bursts(Duration.ofSeconds(2), Duration.ofMillis(400), 3));
    assertThat(experiment.faults())
        .containsExactly(
            new Fault.RowLock(
                "database1", Schedule.once(Duration.ofSeconds(1)), Duration.ofMillis(500)),
            new Fault.Checkpoint("database1", Schedule.once(Duration.ofSeconds(3)), 64L << 20),
            new Fault.SlowDisk(
                "database1",
                Schedule.once(Duration.ofSeconds(10)),
                Duration.ofSeconds(2),
                512L << 10),
            new Fault.SynDrop("web1", Schedule.once(Duration.ofSeconds(5)), Duration.ofSeconds(1)),
            new Fault.ProcessorPressure(
                "database1", Schedule.once(Duration.ofSeconds(20)), Duration.ofSeconds(2)),
            new Fault.ProcessorLoad(
                "app2", Schedule.once(Duration.ofSeconds(21)), Duration.ofSeconds(1)),
            new Fault.MemoryPressure(
                "database1", Schedule.once(Duration.ofSeconds(24)), Duration.ofSeconds(2), 0.8),
            new Fault.MemoryPressure(
                "web1", Schedule.once(Duration.ofSeconds(25)), Duration.ofSeconds(1), 0.9),
            new Fault.Network(
                "app2",
                Schedule.once(Duration.ofSeconds(27)),
                Duration.ofSeconds(2),
                new NetworkEffect.Delay(Duration.ofMillis(20), Duration.ofMillis(5))),
            new Fault.Network(
                "database1",
                Schedule.once(Duration.ofSeconds(30)),
                Duration.ofSeconds(1),
                new NetworkEffect.Delay(Duration.ofNanos(1_500_000), Duration.ZERO)),
            new Fault.GarbagePressure(
                "app1", Schedule.once(Duration.ofSeconds(2)), Duration.ofSeconds(1), 0.2),
            new Fault.Burst(
                new Schedule(Duration.ofSeconds(7), Duration.ofSeconds(10), 3),
                Duration.ofMillis(300),
                4));
    assertThat(SCHEMA.errors(TEXT)).isEmpty();
  }

  @Test
  void anIndexGivesTheFactorThatHasIt() {
    Experiment experiment = read(TEXT.replace("factor: 3", "index: 20"));

    assertThat(experiment.bursts().orElseThrow().index(100)).isCloseTo(20, within(1e-6));
    assertThat(SCHEMA.errors(TEXT.replace("factor: 3", "index: 20"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "factor: 3 | index: 1000000 | index 1000000.0 is out of range",
        "factor: 3 | factor: 3, index: 9 | either a 'factor' or an 'index'",
        "for: 400ms, factor | for: 2s, factor | a time between 0 and 'every'",
        "row-lock: database1 | row-lock: app1 | only database servers",
        "slow-disk: database1 | slow-disk: web1 | only database servers",
        "'for: 2s, rate: 512k' | for: 2s | lacks 'rate'",
        "share: 0.8 | share: 1 | share is '1', expected a number above 0 and at most 0.99",
        "memory: 512m | memory: 1m | memory is '1m', expected a size",
        "{memory: 1g} | {memory: 1g, governor: 1s} | lacks 'cpu'",
        "disk: 2m | disk: 1k | disk is '1k', expected a size such as 128m or 1g, from 64k to 128m",
        "disk: 2m | disk: 1g | disk is '1g', expected a size such as 128m or 1g, from 64k to 128m",
        "memory: 512m} | memory: 512m, disk: 1m} | slow-disk of 'database1' meets its limit of storage",
        "network: 256k | network: 64k | network is '64k', expected a size such as 128m or 1g, from 128k to 128m",
        "network: 12m | network: 129m | network is '129m', expected a size such as 128m or 1g, from 128k to 128m",
        "threads: 10} | threads: 10, network: 1m} | delay of 'app2' meets its limit of the network, whose queue holds all the time",
        "memory: web1 | memory: app1 | memory of 'app1' finds no limit of memory",
        "'by: 20ms, jitter: 5ms' | jitter: 5ms | lacks 'by'",
        "jitter: 5ms | jitter: 21ms | jitter is 21ms, expected at most 'by', which is 20ms",
        "by: 20ms | by: 1us | by is '1us', expected a duration",
        "'delay: app2, at: 27s' | 'clock-step: app2, at: 27s' | clock-step is refused on every host",
        "live: 0.2 | live: 1 | live is '1', expected a number above 0 and at most 0.9",
        "dirty: 64m | dirty: 64 | dirty is '64', expected a size",
        "syn-drop: web1 | syn-drop: web2 | which topology 1/2/0/1 does not have",
        "burst: 4 | burst: 0 | burst is '0', expected a number above 0",
        "exp(1s) | const(0s) | burst of the users would do nothing: they do not think",
        "exp(1s) | const(0s) | bursts would do nothing: the users do not think",
        "count: 3 | count: 30 | after the end of the run",
        "every: 10s | every: 200ms | still holds it",
        "threads: 30 | threads: 0 | threads is '0', expected a whole number from 1",
        "pool: 8 | pool: 80 | 2 application servers with a pool of 80 are 160 connections",
        "database: {cpu: 0.4 | database: {threads: 4, cpu: 0.4 | threads, pool and backlog are of",
        "'{cpu: 0.5, threads: 10}' | '{calibrated: true}' | lacks 'cpu'",
        "governor: 250ms | governor: 1ms | governor is '1ms', expected a duration",
        "parallel | paralell | did you mean 'parallel'?"
      })
  void whatCannotBeIsRefusedWithTheReason(String from, String to, String words) {
    assertThat(TEXT).contains(from);
    assertThatThrownBy(() -> read(TEXT.replace(from, to)))
        .isInstanceOf(SpecificationException.class)
        .hasMessageContaining(words);
  }
}
