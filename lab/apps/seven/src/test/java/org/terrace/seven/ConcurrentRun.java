package org.terrace.seven;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Padding;
import org.terrace.seven.application.Workload;

/** Several clients' workloads at once on a fresh database, and what must hold afterwards. */
public final class ConcurrentRun {
  private ConcurrentRun() {}

  /** Runs the application's workload and fails unless every invariant holds. */
  public static <S> void check(
      Application<S> application, SevenDatabase database, long seed, int clients, int calls)
      throws Exception {
    try (var connection = database.connect()) {
      Installation.reset(application, connection);
      assertThat(broken(application, connection)).as("before the run").isEmpty();
      try (ExecutorService executor = Executors.newFixedThreadPool(clients)) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
          int client = i;
          running.add(executor.submit(() -> run(application, database, seed, client, calls)));
        }
        for (Future<?> each : running) {
          each.get();
        }
      }
      assertThat(broken(application, connection)).as("after the run").isEmpty();
    }
  }

  /** The names of the invariants that do not hold. */
  public static List<String> broken(Application<?> application, Connection connection) {
    return SevenCheck.verdicts(application, connection).stream()
        .filter(verdict -> !verdict.holds())
        .map(verdict -> verdict.name() + " " + verdict.violations())
        .collect(Collectors.toList());
  }

  private static <S> Void run(
      Application<S> application, SevenDatabase database, long seed, int client, int calls)
      throws Exception {
    try (DirectCalls direct = new DirectCalls(client + 1L, database.connect())) {
      S service = direct.service(application, TimeSource.system());
      Workload<S> workload = application.workload(seed, client, Padding.ORIGINAL);
      for (int i = 0; i < calls; i++) {
        workload.next().perform(service);
      }
    }
    return null;
  }
}
