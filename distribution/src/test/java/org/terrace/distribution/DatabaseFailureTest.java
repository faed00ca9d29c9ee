package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.experiment.Trial;
import org.terrace.experiment.TrialListener;
import org.terrace.experiment.TrialOptions;
import org.terrace.experiment.TrialRunner;
import org.terrace.experiment.ValidityCheck;
import org.terrace.observation.Sample;
import org.terrace.specification.SpecificationReader;

/** {@code experiments/database-failure.yaml} in small: a database of a cluster dies and returns. */
@Timeout(240)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class DatabaseFailureTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: small-database-failure
      topology: 0/1/0/2
      load: {closed: {users: 10, think: exp(300ms)}, mix: read-write}
      phases: {rampUp: 1s, run: 16s, rampDown: 1s}
      faults: [{kill: database2, at: 1s, restart: 500ms}]
      observe: {packets: false, sample: 500ms}
      data: {scale: 0.0005, seed: 1}
      network: 127.16
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
  }

  @Test
  void whoIsKilledIsMissedReturnsAndHasWhatTheOthersHave() throws Exception {
    Trial trial =
        new TrialRunner(TrialOptions.ofHome(HOME), TrialListener.SILENT)
            .run(
                SpecificationReader.read("small.yaml", SPECIFICATION),
                SPECIFICATION,
                directory.resolve("out"));

    for (String check : new String[] {"replicas-returned", "replicas-equal", "servers-alive"}) {
      assertThat(trial.validity())
          .filteredOn(each -> each.check().equals(check))
          .as(trial.validity().toString())
          .singleElement()
          .matches(ValidityCheck::passed);
    }
    for (String kind : new String[] {"replica-lost", "replica-returned"}) {
      assertThat(trial.events())
          .filteredOn(event -> event.kind().equals(kind))
          .singleElement()
          .satisfies(event -> assertThat(event.node()).isEqualTo("database2"));
    }
    assertThat(trial.samples())
        .filteredOn(sample -> sample.node().equals("app1"))
        .extracting(Sample::resource)
        .as("the soft resources of the process that owns the cluster")
        .contains("pool-write-lock", "pool-pending-writes");
  }
}
