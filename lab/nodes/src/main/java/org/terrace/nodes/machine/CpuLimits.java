package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ShortCommand;

/**
 * The CPU limits of one run's servers, by control groups of version 1 or 2, whichever this machine
 * has. Where they are not permitted, the warning says why, no group is made, and the run goes on
 * without limits.
 *
 * <p>Opening also removes the groups of runs that died. Thread-safe.
 */
public final class CpuLimits implements AutoCloseable {
  private static final Pattern SERVER_NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
  private static final Path SELF = Path.of("/proc/self");

  /** The number of the last set of groups, which those of memory may lie beside. */
  static final AtomicInteger NUMBER = new AtomicInteger();

  private static final Duration PROBE_WITHIN = Duration.ofSeconds(5);
  private static final String RUN = "./terrace run SPECIFICATION";
  private static final String DELEGATE =
      "sudo systemd-run --scope --uid=$(id -u) -p Delegate=yes " + RUN;
  private static final String AS_ROOT = "sudo " + RUN;

  private final @Nullable CpuController controller;
  private final @Nullable Path run;
  private final Optional<String> warning;
  private final Optional<String> remedy;
  private final List<String> leftovers;

  private CpuLimits(
      @Nullable CpuController controller,
      @Nullable Path run,
      Optional<String> warning,
      Optional<String> remedy,
      List<String> leftovers) {
    this.controller = controller;
    this.run = run;
    this.warning = warning;
    this.remedy = remedy;
    this.leftovers = List.copyOf(leftovers);
  }

  /** Finds out what this machine permits and prepares it. Never fails: see {@link #warning}. */
  public static CpuLimits open() {
    return open(SELF, true);
  }

  /**
   * As {@link #open()} for another process folder.
   *
   * @param probe whether a short-lived process tries to join
   */
  static CpuLimits open(Path self, boolean probe) {
    List<String> leftovers = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    Optional<String> remedy = Optional.empty();
    try {
      for (CpuController candidate : CpuControllers.candidates(self)) {
        // Version 1 cannot be delegated to a user by systemd.
        remedy = Optional.of(candidate instanceof CpuController.Version2 ? DELEGATE : AS_ROOT);
        Path run = candidate.parent().resolve(GroupFolders.runName(NUMBER.incrementAndGet()));
        try {
          removeLeftovers(candidate.parent(), leftovers);
          Files.createDirectory(run);
          candidate.permitChildren(candidate.parent());
          candidate.permitChildren(run);
          CpuLimits limits =
              new CpuLimits(candidate, run, Optional.empty(), Optional.empty(), leftovers);
          if (probe) {
            limits.tryToJoin();
          }
          return limits;
        } catch (IOException | TerraceException e) {
          GroupFolders.remove(run);
          refusals.add(KernelFile.why(e));
        }
      }
    } catch (IOException e) {
      refusals.add(KernelFile.why(e));
    }
    return new CpuLimits(null, null, Optional.of(warning(refusals, remedy)), remedy, leftovers);
  }

  /**
   * The reason why there are no limits, with the command that permits them; empty when there are.
   */
  public Optional<String> warning() {
    return warning;
  }

  /**
   * The one command that runs an experiment with limits; empty when they are permitted, and where
   * no command of a user helps.
   */
  public Optional<String> remedy() {
    return remedy;
  }

  /** The clause that says where limits are set. */
  String description() {
    return switch (controller) {
      case CpuController.Version1 one -> "control groups of version 1 in " + one.parent();
      case CpuController.Version2 two -> "control groups of version 2 in " + two.parent();
      case null -> "none";
    };
  }

  /** The folder with the groups of this run, made already; empty where limits are not permitted. */
  Optional<Path> folder() {
    return Optional.ofNullable(run);
  }

  /** The remains that were found of runs that died, one sentence each; usually empty. */
  public List<String> leftovers() {
    return leftovers;
  }

  /**
   * Makes the group of a server.
   *
   * @param server letters, digits, dots, dashes and underscores
   * @param cores the processor time it gets, 0.001 to 1024; 0.5 is half of one core
   * @return empty when this machine does not permit limits
   * @throws TerraceException when the name or the number is wrong, or the kernel refuses
   */
  public Optional<ControlGroup> limit(String server, double cores) {
    if (!SERVER_NAME.matcher(server).matches() || server.startsWith(".")) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "'%s' cannot name a control group: expected letters, digits, '.', '-' and '_'"
              .formatted(server));
    }
    CpuLimit limit = CpuLimit.cores(cores);
    if (controller == null || run == null) {
      return Optional.empty();
    }
    Path folder = run.resolve(server);
    try {
      Files.createDirectory(folder);
      controller.limit(folder, limit);
      return Optional.of(new ControlGroup(controller, folder, limit));
    } catch (IOException e) {
      GroupFolders.remove(folder);
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the CPU limit of %s cannot be set in %s: %s".formatted(server, folder, e.getMessage()),
          e);
    }
  }

  /** Removes all groups of this run that have no processes any more. */
  @Override
  public void close() {
    if (run != null) {
      GroupFolders.remove(run);
    }
  }

  /** Shows that a process of this user gets in, by the very command servers are started with. */
  private void tryToJoin() throws IOException {
    try (ControlGroup group = limit("probe", 1).orElseThrow()) {
      ShortCommand.Result result =
          ShortCommand.of(group.command(List.of("true"))).withWithin(PROBE_WITHIN).run();
      if (result.status().isEmpty()) {
        throw new IOException("a process that joins " + group.folder() + " does not come back");
      }
      if (!result.isSuccess()) {
        throw new IOException("a process may not join " + group.folder());
      }
    }
  }

  private static void removeLeftovers(Path parent, List<String> leftovers) throws IOException {
    for (Path group : GroupFolders.ofDeadRuns(parent)) {
      List<Long> processes = GroupFolders.processes(group);
      if (GroupFolders.remove(group)) {
        leftovers.add("removed the control group %s of an earlier run".formatted(group));
      } else if (!processes.isEmpty()) {
        leftovers.add(
            "processes %s of an earlier run still run in %s: end them with 'kill %s'"
                .formatted(
                    processes,
                    group,
                    String.join(" ", processes.stream().map(String::valueOf).toList())));
      }
    }
  }

  private static String warning(List<String> refusals, Optional<String> remedy) {
    String reasons = String.join("; ", refusals.stream().distinct().toList());
    String why =
        refusals.isEmpty()
            ? "no control group hierarchy with the cpu controller is mounted; whoever runs this"
                + " machine or container can mount one"
            : reasons;
    return "servers run without CPU limits (%s)%s"
        .formatted(why, remedy.map(command -> "; permit it with: " + command).orElse(""));
  }
}
