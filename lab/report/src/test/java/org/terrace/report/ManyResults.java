package org.terrace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.terrace.core.TerraceException;

/** A process that writes results of one name, one after another, as others do beside it. */
final class ManyResults {
  private static final String OWNER = "owner";

  private ManyResults() {}

  /**
   * Writes results, each in place of the one before, and fails at the first in which it is not
   * alone.
   *
   * @param arguments the directory of the results, and how many are written
   */
  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[0]);
    int left = Integer.parseInt(arguments[1]);
    while (left > 0) {
      try (PendingResult result = PendingResult.begin(target, true, () -> false)) {
        Path owner = result.directory().resolve(OWNER);
        String self = ProcessHandle.current().pid() + " " + left;
        Files.writeString(owner, self, StandardOpenOption.CREATE_NEW);
        Files.writeString(result.directory().resolve(FindingsFile.NAME), self);
        if (!Files.readString(owner).equals(self)) {
          throw new IllegalStateException("the directory has two owners");
        }
        result.finish();
        left--;
      } catch (TerraceException e) {
        if (!String.valueOf(e.getMessage()).startsWith("another command is writing")) {
          throw e;
        }
      }
    }
  }
}
