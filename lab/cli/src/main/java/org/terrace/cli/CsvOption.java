package org.terrace.cli;

import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import picocli.CommandLine.Option;

/** The option of a command that leaves tables: some of them as CSV too. */
final class CsvOption {
  @Option(
      names = "--csv",
      description =
          "the tables of requests and connections as CSV too: "
              + ObservationFiles.REQUESTS_CSV
              + ", "
              + ObservationFiles.CONNECTIONS_CSV)
  private boolean csv;

  /** Whether CSV was asked for. */
  boolean asked() {
    return csv;
  }

  /** Writes the tables into the directory of the result, if they were asked for. */
  void write(Path directory, Observation observation) {
    if (csv) {
      ObservationFiles.writeCsv(directory, observation);
    }
  }

  /** Refuses CSV where a command leaves no tables of one observation. */
  void refuse() {
    if (csv) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--csv is for experiments and captures; of a study or a mesh, give it to terrace report"
              + " with the directory of one trial");
    }
  }
}
