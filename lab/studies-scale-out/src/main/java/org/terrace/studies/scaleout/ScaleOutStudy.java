package org.terrace.studies.scaleout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.experiment.TrialRunner;
import org.terrace.nodes.machine.CpuLimits;
import org.terrace.scaling.Mesh;
import org.terrace.studies.design.Parameters;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyDriver;

/**
 * Scaling out an n-tier service: a mesh of trials over numbers of application servers and
 * databases, database systems, types of nodes, ways of replication and mixes, each under rising
 * loads. Interrupted, it goes on with the trials that are there.
 *
 * <p>Source: Malkowski, Hedwig, Jayasinghe, Park, Kanemasa, Pu, "A new perspective on experimental
 * analysis of n-tier systems: evaluating database scalability, multi-bottlenecks, and economical
 * operation", CollaborateCom 2009.
 */
public final class ScaleOutStudy implements StudyDriver {
  @Override
  public List<String> claims() {
    return ScaleOutClaims.IDS;
  }

  @Override
  public boolean resumes() {
    return true;
  }

  @Override
  public Plan plan(Parameters from) {
    return new ScaleOutPlan(ScaleOutParameters.of(from));
  }

  /** The study in one size. */
  private record ScaleOutPlan(ScaleOutParameters parameters) implements Plan {
    @Override
    public StudyFindings run(StudyContext context) throws InterruptedException {
      Optional<String> noNdbLike = TrialRunner.lackingFor(ScaleOutSetting.NDB_LIKE);
      noNdbLike.ifPresent(context.listener()::warning);
      ScaleOutMesh planned = mesh(context.study(), noNdbLike);
      Optional<String> lacking = lacking();
      Mesh mesh;
      if (lacking.isPresent()) {
        context.listener().warning("no trial is run: " + lacking.get());
        mesh = planned.unmeasured();
      } else {
        mesh = ScaleOutRuns.run(planned, context.home(), context.directory(), context.listener());
      }
      ScaleOutResults results =
          ScaleOutResults.of(
              parameters, mesh, lacking.orElse(""), noNdbLike.orElse(""), context.study().seed());
      new ScaleOutFolder(context.directory()).write(results);
      return new ScaleOutFindings(context, results).toStudyFindings();
    }

    @Override
    public List<String> forecast(Study study, Path home, Path directory) {
      Optional<String> lacking = lacking();
      if (lacking.isPresent()) {
        return List.of("no trial would be run: " + lacking.get());
      }
      Optional<String> noNdbLike = TrialRunner.lackingFor(ScaleOutSetting.NDB_LIKE);
      List<String> lines =
          new ArrayList<>(ScaleOutRuns.forecast(mesh(study, noNdbLike), home, directory));
      noNdbLike.ifPresent(lines::add);
      return List.copyOf(lines);
    }

    private ScaleOutMesh mesh(Study study, Optional<String> noNdbLike) {
      return new ScaleOutMesh(parameters, noNdbLike.isEmpty(), study.network(), study.seed());
    }
  }

  /** The reason why servers of two types cannot be told apart on this machine, if there is one. */
  private static Optional<String> lacking() {
    try (CpuLimits limits = CpuLimits.open()) {
      return limits
          .warning()
          .map(why -> "the machine does not limit the processor time of servers (" + why + ")");
    }
  }
}
