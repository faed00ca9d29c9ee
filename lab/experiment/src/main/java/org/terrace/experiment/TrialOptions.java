package org.terrace.experiment;

import java.nio.file.Path;
import org.terrace.core.process.JavaCommand;
import org.terrace.hosts.ProgramPaths;
import org.terrace.hosts.Target;

/**
 * The places in which a trial finds its programs, and in which it starts servers. Immutable.
 *
 * @param java the {@code java} program
 * @param loadClasspath the class path of the load process
 * @param proxyClasspath the class path of the reverse proxy
 * @param boardClasspath the class path of the board
 * @param target where the servers run
 * @param limitsRequired whether a host that cannot limit processors is refused, not warned of
 */
public record TrialOptions(
    Path java,
    String loadClasspath,
    String proxyClasspath,
    String boardClasspath,
    Target target,
    boolean limitsRequired) {

  /** Programs whose servers run on this machine. */
  public TrialOptions(
      Path java, String loadClasspath, String proxyClasspath, String boardClasspath) {
    this(java, loadClasspath, proxyClasspath, boardClasspath, new Target.Local(), false);
  }

  /** The same with servers elsewhere. */
  public TrialOptions on(Target other) {
    return new TrialOptions(
        java, loadClasspath, proxyClasspath, boardClasspath, other, limitsRequired);
  }

  /** The same for trials whose results say how much each server had. */
  public TrialOptions withLimitsRequired() {
    return new TrialOptions(java, loadClasspath, proxyClasspath, boardClasspath, target, true);
  }

  /** The programs on this machine. */
  ProgramPaths programs() {
    return new ProgramPaths(java, loadClasspath, proxyClasspath, boardClasspath);
  }

  /** The programs of a distribution, run by the same Java as this process. */
  public static TrialOptions ofHome(Path home) {
    return new TrialOptions(
        JavaCommand.program(),
        home.resolve("lib") + "/*",
        home.resolve("apps/proxy") + "/*",
        home.resolve("apps/board") + "/*");
  }
}
