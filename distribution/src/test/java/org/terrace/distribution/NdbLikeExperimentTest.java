package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

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
import org.terrace.specification.SpecificationReader;

/** {@code experiments/ndb-like.yaml} in small: the board over SQL nodes before data nodes. */
@Timeout(240)
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class NdbLikeExperimentTest {
  private static final Path HOME = SourceTree.root().resolve("distribution/target/terrace");
  private static final String SPECIFICATION =
      """
      kind: Experiment
      name: small-ndb-like
      topology: 0/1/2/2
      database: ndb-like
      load: {closed: {users: 5, think: exp(300ms)}, mix: read-write}
      phases: {rampUp: 1s, run: 6s, rampDown: 1s}
      observe: {packets: false, sample: 500ms}
      data: {scale: 0.0005, seed: 1}
      network: 127.95
      """;

  @TempDir Path directory;

  @BeforeAll
  static void requireDistribution() {
    Assumptions.assumeTrue(
        Files.isDirectory(HOME.resolve("apps/board")) && Files.isDirectory(HOME.resolve("lib")),
        "the distribution is laid out by ./build or ./terrace, not by a test of one class");
    assumeThat(TrialRunner.lackingFor("ndb-like")).isEmpty();
  }

  @Test
  void pagesAreServedFromPartitionsWithoutAFailure() throws Exception {
    Trial trial =
        new TrialRunner(TrialOptions.ofHome(HOME), TrialListener.SILENT)
            .run(
                SpecificationReader.read("small.yaml", SPECIFICATION),
                SPECIFICATION,
                directory.resolve("out"));

    assertThat(trial.validity())
        .filteredOn(each -> each.check().equals("servers-alive"))
        .singleElement()
        .matches(ValidityCheck::passed);
  }
}
