package org.terrace.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.terrace.capture.CaptureNamespace;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.hosts.Target;
import org.terrace.specification.HostsFile;
import picocli.CommandLine.Option;

/** The place in which the servers of an experiment run. */
final class TargetOptions {
  /** The words for targets. */
  enum Word {
    LOCAL,
    NAMESPACES,
    SSH
  }

  @Option(
      names = "--target",
      paramLabel = "TARGET",
      defaultValue = "local",
      description =
          "where servers run: local, namespaces (a network namespace each) or ssh (the hosts of"
              + " --hosts); default: ${DEFAULT-VALUE}")
  private Word target = Word.LOCAL;

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description = "the hosts of --target ssh; default: this machine, by ssh localhost")
  private @Nullable Path hosts;

  /**
   * The target that was asked for; where it takes a network namespace, this process is in one
   * afterwards, as {@link CaptureNamespace#enterIfPermitted} says.
   */
  Target enter() {
    Target entered = target();
    if (entered instanceof Target.Namespaces) {
      CaptureNamespace.require();
    }
    return entered;
  }

  /** The target that was asked for, with its hosts as their file names them; nothing is begun. */
  Target target() {
    if (hosts != null && target != Word.SSH) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "--hosts is for --target ssh; add that, or leave --hosts out");
    }
    return switch (target) {
      case LOCAL -> new Target.Local();
      case SSH -> hosts == null ? Target.Ssh.localhost() : HostsFile.read(hosts);
      case NAMESPACES -> new Target.Namespaces();
    };
  }

  /**
   * Refuses targets where there is none to choose.
   *
   * @param what the kind of specification
   */
  void refuse(String what) {
    if (target != Word.LOCAL || hosts != null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--target and --hosts are for experiments and meshes, and this is "
              + what
              + "; leave them out");
    }
  }
}
