package org.terrace.studies.scaleout;

import java.nio.file.Path;
import java.util.Locale;
import org.terrace.experiment.ResultFolder;
import org.terrace.mesh.MeshFile;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.specification.PricesFile;

/**
 * The result directory of the study: the folder of its trials, and what {@code terrace plan} reads.
 */
final class ScaleOutFolder {
  private static final String TRIALS = "mesh";

  private final Path directory;

  ScaleOutFolder(Path directory) {
    this.directory = directory;
  }

  /** The folder in which the trials run, and from which they go on. */
  static Path ofTrials(Path directory) {
    return directory.resolve(TRIALS);
  }

  /** Writes the trials whose profits can be compared, and the prices. */
  void write(ScaleOutResults results) {
    Mesh earning = results.earning();
    MeshFile.write(
        directory.resolve(MeshFile.NAME),
        new Mesh(
            earning.name(),
            earning.machine(),
            earning.trials().stream().map(ScaleOutFolder::fromAbove).toList()));
    ResultFolder.write(
        directory.resolve(PricesFile.NAME),
        String.format(
            Locale.ROOT,
            """
            # The prices by which the study judges. Change them, and terrace plan prices its trials anew.
            kind: Prices
            currency: %s
            servers: {normal: %.2f, %s: %.2f}
            requests:
              others: {within: %.0fms, revenue: %.6f, penalty: %.6f}
            """,
            ScaleOutResults.PRICES.currency(),
            ScaleOutResults.NORMAL_NODE,
            ScaleOutSetting.LOW_COST,
            ScaleOutResults.LOW_COST_NODE,
            ScaleOutResults.WITHIN_MILLIS,
            ScaleOutResults.REVENUE,
            ScaleOutResults.REVENUE / 2));
  }

  private static MeshTrial fromAbove(MeshTrial trial) {
    return trial.withFolder(TRIALS + "/" + trial.folder());
  }
}
