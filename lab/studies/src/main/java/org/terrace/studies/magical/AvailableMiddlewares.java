package org.terrace.studies.magical;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.terrace.core.TerraceException;
import org.terrace.nodes.Node;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.services.SevenPrograms;

/** The middlewares that replicas here can use, found by starting one. Confined to one thread. */
final class AvailableMiddlewares {
  /** The middleware that every replica has. */
  static final String DEFAULT = "terrace";

  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
  private static final String READY = "ready";

  private final StudyContext context;
  private final SevenPrograms programs;
  private final Map<String, Boolean> known = new HashMap<>(Map.of(DEFAULT, true));
  private final Map<String, String> missing = new TreeMap<>();

  AvailableMiddlewares(StudyContext context, SevenPrograms programs) {
    this.context = context;
    this.programs = programs;
  }

  /** The middlewares to run an application on; the default one where its team's is missing. */
  List<String> of(Subject subject, List<String> wanted) throws InterruptedException {
    Set<String> found = new LinkedHashSet<>();
    for (String each : wanted) {
      String middleware = each.equals(Setting.PUBLISHED) ? subject.middleware() : each;
      found.add(isThere(subject, middleware) ? middleware : DEFAULT);
    }
    return new ArrayList<>(found);
  }

  /** Those that were wanted and are missing, with why. */
  Map<String, String> missing() {
    return missing;
  }

  private boolean isThere(Subject subject, String middleware) throws InterruptedException {
    Boolean before = known.get(middleware);
    if (before != null) {
      return before;
    }
    String application = subject.application();
    programs.setUp(application);
    List<String> more = List.of("--style", subject.style(), "--middleware", middleware);
    Node node =
        context
            .supervisor()
            .start(
                NodeSpecification.of(
                    "try-" + middleware,
                    programs.replica(application, 1, 0, more),
                    new Readiness.Line(READY),
                    READY_WITHIN));
    boolean there = becomesReady(node);
    if (there) {
      node.stop(STOP_WITHIN);
    } else {
      missing.put(
          middleware, node.logTail().lines().findFirst().orElse("it did not start").strip());
      context
          .listener()
          .warning("middleware " + middleware + " is missing here; " + DEFAULT + " stands in");
    }
    known.put(middleware, there);
    return there;
  }

  private boolean becomesReady(Node node) throws InterruptedException {
    try {
      context.supervisor().awaitReady(node);
      return true;
    } catch (TerraceException e) {
      node.kill();
      return false;
    }
  }
}
