package org.terrace.studies;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.core.TimeSource;
import org.terrace.experiment.EndingHook;
import org.terrace.experiment.ResultFolder;
import org.terrace.experiment.Trial;
import org.terrace.nodes.Supervisor;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyListener;

/** Runs one study once. However it ends, no process it started is left. */
public final class StudyRunner {
  private final Path home;
  private final StudyListener listener;
  private final List<String> javaOptions;
  private final TimeSource time = TimeSource.system();

  /** A runner of the applications in a distribution. */
  public StudyRunner(Path home, StudyListener listener) {
    this(home, listener, List.of());
  }

  /**
   * A runner that starts the applications with more options of the JVM, which overrule the study's
   * own. Figures measured so are of those options.
   */
  public StudyRunner(Path home, StudyListener listener, List<String> javaOptions) {
    this.home = home;
    this.listener = listener;
    this.javaOptions = List.copyOf(javaOptions);
  }

  /**
   * Runs the study, with its specification, logs and rows left in the directory.
   *
   * @throws org.terrace.core.TerraceException if the machine lacks something, or a part fails
   */
  public StudyFindings run(Study study, String specification, boolean full, Path directory)
      throws InterruptedException {
    Path folder = directory.toAbsolutePath();
    ResultFolder.prepare(folder);
    ResultFolder.write(folder.resolve(Trial.SPECIFICATION_FILE), specification);
    String mark = study.name() + "-" + ProcessHandle.current().pid();
    Supervisor supervisor = new Supervisor(ResultFolder.logs(folder), mark, time);
    try (supervisor;
        var _ = EndingHook.closing(supervisor)) {
      StudyContext context =
          new StudyContext(study, full, home, folder, supervisor, listener, javaOptions, time);
      StudyFindings findings = (full ? study.asPublished() : study.briefly()).run(context);
      requireEveryClaimJudged(study, findings);
      return findings;
    }
  }

  private static void requireEveryClaimJudged(Study study, StudyFindings findings) {
    Set<String> judged = findings.claims().stream().map(Claim::id).collect(Collectors.toSet());
    for (PublishedClaim claim : study.claims()) {
      if (!judged.contains(claim.id())) {
        throw new IllegalStateException(
            study.name() + " ended without judging the claim " + claim.id());
      }
    }
  }
}
