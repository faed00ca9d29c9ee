package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.Figure.Kind;
import org.terrace.analysis.study.Figure.Point;
import org.terrace.analysis.study.Figure.Series;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;

/** The drawings of a plan join no points over a load of which nothing is known. */
class PlanFiguresTest {
  private static final Mesh MESH = SyntheticMesh.mesh(2, 2, 4, 2);
  private static final int SECOND = 1_000;

  /** The figures of the mesh in which some trials failed. */
  private static List<Figure> figures(Predicate<MeshTrial> failed) {
    List<MeshTrial> trials =
        MESH.trials().stream()
            .map(each -> failed.test(each) ? PlanFileTest.failed(each) : each)
            .toList();
    return PlanFigures.of(SyntheticMesh.planned(new Mesh(MESH.name(), MESH.machine(), trials)));
  }

  private static List<Double> loads(Series series) {
    return series.points().stream().map(Point::x).toList();
  }

  @Test
  void profitIsALineWhereNoTrialFailed() {
    List<Figure> figures = figures(_ -> false);

    for (Figure figure : figures.subList(0, 2)) {
      assertThat(figure.series()).isNotEmpty().allMatch(each -> each.kind() == Kind.LINE);
      assertThat(figure.note()).isEmpty();
    }
  }

  @Test
  void profitIsNoLineOverALoadAtWhichAllTrialsFailed() {
    List<Figure> figures = figures(each -> each.users() == SECOND);

    for (Figure figure : figures.subList(0, 2)) {
      assertThat(figure.series()).isNotEmpty();
      for (Series series : figure.series()) {
        assertThat(loads(series)).containsExactly(500.0, 1_500.0, 2_000.0);
        assertThat(series.kind()).as(series.name()).isEqualTo(Kind.POINTS);
      }
      assertThat(figure.note()).contains("most trials failed");
    }
  }

  @Test
  void onlyTheConfigurationWhoseTrialsFailedIsDrawnWithoutALine() {
    Configuration one = MESH.planned().getLast();
    List<Figure> figures =
        figures(each -> each.users() == SECOND && each.configuration().equals(one));

    assertThat(figures.getFirst().series()).allMatch(each -> each.kind() == Kind.LINE);
    assertThat(figures.get(1).series())
        .filteredOn(each -> each.kind() == Kind.POINTS)
        .singleElement()
        .satisfies(each -> assertThat(loads(each)).containsExactly(500.0, 1_500.0, 2_000.0));
  }

  @Test
  void failuresAtTheLeastOrMostLoadBreakNoLine() {
    List<Figure> figures = figures(each -> each.users() == 500);

    for (Figure figure : figures.subList(0, 2)) {
      assertThat(figure.series()).isNotEmpty().allMatch(each -> each.kind() == Kind.LINE);
    }
  }
}
