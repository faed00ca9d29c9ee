package org.terrace.experiment;

import java.nio.file.Path;
import org.terrace.core.process.JavaCommand;

/**
 * The places in which a trial finds its programs. Immutable.
 *
 * @param java the {@code java} program
 * @param loadClasspath the class path of the load process
 * @param proxyClasspath the class path of the reverse proxy
 * @param boardClasspath the class path of the board
 */
public record TrialOptions(
    Path java, String loadClasspath, String proxyClasspath, String boardClasspath) {

  /** The programs of a distribution, run by the same Java as this process. */
  public static TrialOptions ofHome(Path home) {
    return new TrialOptions(
        JavaCommand.program(),
        home.resolve("lib") + "/*",
        home.resolve("apps/proxy") + "/*",
        home.resolve("apps/board") + "/*");
  }
}
