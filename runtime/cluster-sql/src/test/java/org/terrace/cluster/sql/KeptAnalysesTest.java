package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.terrace.cluster.sql.StatementAnalysis.Kind;

/**
 * The hand-over of tables to the threads that judge by them. A statement is parsed by an executor
 * between the other steps of its analysis, so an executor that changes the tables puts the thread
 * that does so there.
 */
class KeptAnalysesTest {
  private static final String INSERT = "INSERT INTO item (id) VALUES (1)";

  /** An executor that does something before each task, on the thread that gives it. */
  private static final class Interposed extends AbstractExecutorService {
    private Runnable before = () -> {};

    @Override
    public void execute(Runnable task) {
      before.run();
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  @Test
  void analysisByTablesThatChangedMeanwhileIsNotKept() throws RefusedStatementException {
    ColumnShape id =
        ColumnShape.of(
            "id", "bigint", null, Optional.empty(), StatementAnalyzer.defaults(Engine.POSTGRESQL));
    TableCatalog tables =
        new TableCatalog(
            List.of(
                new TableShape(
                    "item",
                    List.of(id),
                    List.of("id"),
                    TableShape.Effects.NONE,
                    false,
                    List.of(),
                    false)));
    Interposed executor = new Interposed();
    StatementAnalyzer analyzer =
        new StatementAnalyzer(
            Engine.POSTGRESQL, tables, Set.of(), executor, Duration.ofSeconds(20));
    executor.before = () -> analyzer.use(new TableCatalog(List.of()));

    assertThat(analyzer.analyze(INSERT).kind()).isEqualTo(Kind.WRITE);
    assertThatThrownBy(() -> analyzer.analyze(INSERT))
        .isInstanceOf(RefusedStatementException.class);
    executor.before = () -> {};
    analyzer.use(tables);
    assertThat(analyzer.analyze(INSERT)).isSameAs(analyzer.analyze(INSERT));
  }
}
