package org.terrace.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.report.PendingResult;
import picocli.CommandLine.Option;

/** The place where a command leaves its result, and whether an earlier one may go. */
final class ResultOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "the result directory, new or empty; default: named after the input, numbered")
  private @Nullable Path output;

  @Option(names = "--replace", description = "replace an earlier result in --out")
  private boolean replace;

  /**
   * The directory: what was asked for, or the first free one that begins with the default.
   *
   * @throws org.terrace.core.TerraceException if what was asked for holds what must not be lost, so
   *     that nobody waits for a result that cannot be written
   */
  Path directory(Path otherwise) {
    if (output == null) {
      return PendingResult.firstFree(otherwise);
    }
    PendingResult.requireFree(output, replace);
    return output;
  }

  /**
   * The directory of a mesh or a study that goes on with what is there: what was asked for, or the
   * default.
   *
   * @param what the mesh or study, for a message
   * @throws TerraceException if an earlier result was to be replaced
   */
  Path resumable(Path otherwise, String what) {
    if (replace) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          what
              + " goes on with the trials that are there, and --replace would remove them: leave it"
              + " out, or name another directory with --out");
    }
    return output == null ? otherwise : output;
  }

  /** Begins a result, which takes its name when it is complete. */
  PendingResult begin(Path directory, Console console) {
    return PendingResult.begin(
        directory,
        replace,
        () -> {
          boolean discarding = !Terrace.interruptEndsInput();
          if (discarding) {
            console.last("Interrupted: no result was written to %s", directory);
          }
          return discarding;
        });
  }
}
