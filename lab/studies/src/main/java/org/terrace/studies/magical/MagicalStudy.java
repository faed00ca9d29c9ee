package org.terrace.studies.magical;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.studies.design.Parameters;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.design.StudyDriver;
import org.terrace.studies.services.SevenPrograms;

/**
 * Seven applications on fault-tolerant middleware, each in up to 48 configurations: how large the
 * unpredictable part of their latency is, where it comes from, what it depends on, and how it
 * compares with the delay of a crash.
 *
 * <p>Source: Dumitras, Srivastava, Narasimhan, the study of the magical 1 % in seven applications
 * (Carnegie Mellon University, 2006).
 */
public final class MagicalStudy implements StudyDriver {
  private static final int CONFIGURATIONS = 48;
  private static final int CLIENTS_MAX = 100;
  private static final int REPLY_BYTES_MAX = 16_000;
  private static final int CALLS_MAX = 1_000_000;
  private static final int WARM_UP_MAX = 100_000;
  private static final int KILLS_MAX = 100;

  @Override
  public List<String> claims() {
    return MagicalClaims.IDS;
  }

  @Override
  public Plan plan(Parameters parameters) {
    Set<String> middlewares =
        new LinkedHashSet<>(
            List.of(Setting.PUBLISHED, "terrace", Subject.EJB, Subject.CORBA, "grpc", "glassfish"));
    List<Subject> applications =
        parameters
            .words("applications", Set.copyOf(Subject.applications()), Subject.applications())
            .stream()
            .map(Subject::of)
            .toList();
    List<MagicalConfiguration> configurations =
        MagicalConfiguration.balanced(
            parameters.integers("clients", 1, CLIENTS_MAX, List.of(1, 4, 7, 10)),
            parameters.durations(
                "think",
                Duration.ofSeconds(10),
                List.of(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(40))),
            parameters.integers("replyBytes", 0, REPLY_BYTES_MAX, List.of(0, 256, 512, 1_024)),
            parameters.integer("configurations", 1, CONFIGURATIONS, CONFIGURATIONS));
    Setting setting =
        new Setting(
            applications,
            parameters.words("middleware", middlewares, List.of(Setting.PUBLISHED)),
            configurations,
            parameters.integer("calls", 1, CALLS_MAX, 10_000),
            parameters.integer("warmUp", 0, WARM_UP_MAX, 500),
            parameters.integer("kills", 0, KILLS_MAX, 10),
            parameters.duration("killInterval", Duration.ofMinutes(10), Duration.ofSeconds(3)));
    return context -> run(context, setting);
  }

  private static StudyFindings run(StudyContext context, Setting setting)
      throws InterruptedException {
    context.listener().message("starting the database");
    SevenPrograms programs = SevenPrograms.withDatabase(context);
    ApplicationRunner runner = new ApplicationRunner(context, programs, setting);
    AvailableMiddlewares available = new AvailableMiddlewares(context, programs);
    List<ApplicationResult> results = new ArrayList<>();
    for (Subject subject : setting.applications()) {
      for (String middleware : available.of(subject, setting.middlewares())) {
        results.add(runner.run(subject, middleware));
      }
    }
    return new MagicalFindings(context, setting, results, available.missing()).toStudyFindings();
  }
}
