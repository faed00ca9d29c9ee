package org.terrace.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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

  /** Begins a result, which takes its name when it is complete. */
  PendingResult begin(Path directory, Console console) {
    return PendingResult.begin(
        directory,
        replace,
        () -> {
          boolean discarding = !Terrace.interruptEndsInput();
          if (discarding) {
            console.message("Interrupted: no result was written to %s", directory);
          }
          return discarding;
        });
  }
}
