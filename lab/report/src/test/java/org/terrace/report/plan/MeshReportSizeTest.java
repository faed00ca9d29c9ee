package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.Figure;
import org.terrace.report.ReportWriter;
import org.terrace.report.plan.PlanPage.Section;
import org.terrace.scaling.Mesh;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The report of a large mesh is one file under 20 MB, and where its page shows less than all it
 * says so, and how much: the file of the plan has all.
 */
class MeshReportSizeTest {
  private static final long MOST_BYTES = 20_000_000;

  @TempDir Path folder;

  /** Application servers at most, database servers, loads, repeats. */
  static Stream<Arguments> shapes() {
    return Stream.of(
        Arguments.of("usual", 3, 9, 13, 3),
        Arguments.of("many configurations", 25, 10, 4, 1),
        Arguments.of("many loads", 3, 9, 37, 1),
        Arguments.of("one configuration, loads alone", 1, 1, 150, 1),
        Arguments.of("27 configurations with many servers each", 9, 3, 4, 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void aLargeMeshIsASmallReportThatTellsWhatItLeavesOut(
      String shape, int apps, int databases, int loads, int repeats) throws IOException {
    Mesh mesh = SyntheticMesh.mesh(apps, databases, loads, repeats);
    PlannedMesh planned = SyntheticMesh.planned(mesh);

    ReportWriter.writePlan(planned, folder);

    long page = Files.size(folder.resolve(ReportWriter.PLAN_NAME));
    long file = Files.size(folder.resolve(PlanFile.NAME));
    System.out.printf(
        "%s: %d trials, page of %,d bytes, file of %,d%n", shape, mesh.trials().size(), page, file);
    assertThat(page).isLessThan(MOST_BYTES);
    assertThat(file).isLessThan(MOST_BYTES);
    assertFileHasAll(planned);
    assertPageTellsWhatItLeavesOut(planned);
  }

  private void assertFileHasAll(PlannedMesh planned) throws IOException {
    JsonNode root = JsonMapper.shared().readTree(Files.readString(folder.resolve(PlanFile.NAME)));
    int configurations = planned.mesh().configurations().size();
    assertThat(root.path("trials").path("done").asInt()).isEqualTo(planned.mesh().trials().size());
    assertThat(root.path("configurations")).hasSize(configurations);
    assertThat(root.path("cells")).hasSize(configurations * planned.mesh().loads().size());
    assertThat(root.path("migrations")).hasSize(planned.map().migrations().size());
    assertThat(root.path("confirmations")).hasSize(planned.map().confirmations().size());
    for (JsonNode load : root.path("loads")) {
      assertThat(load.path("ties").size() + load.path("others").size())
          .isEqualTo(configurations - 1);
    }
  }

  private static void assertPageTellsWhatItLeavesOut(PlannedMesh planned) {
    PlanPage page = PlanPages.of(planned);
    int all = planned.mesh().configurations().size();
    int loads = planned.mesh().loads().size();
    Set<String> configurations =
        planned.mesh().configurations().stream()
            .map(planned.names()::of)
            .collect(Collectors.toSet());
    for (Section section : page.sections()) {
      for (HeatMap map : section.maps()) {
        tellsShown(map.title(), map.caption(), map.rows().size(), all);
        assertThat(map.columns()).hasSize(loads);
      }
      for (DataTable table : section.tables()) {
        switch (table.title()) {
          case "Best configuration at each load" -> assertThat(table.rows()).hasSize(loads);
          case "Moves of the bottleneck" ->
              tellsShown(
                  table.title(),
                  table.note(),
                  table.rows().size(),
                  planned.map().migrations().size());
          case "One server more" ->
              tellsShown(
                  table.title(),
                  table.note(),
                  table.rows().size(),
                  planned.map().confirmations().size());
          default -> {}
        }
      }
      for (Figure figure : section.figures()) {
        long drawn =
            figure.series().stream().filter(each -> configurations.contains(each.name())).count();
        if (figure.title().equals("Profit of configurations")
            || figure.title().equals("Throughput")) {
          tellsShown(figure.title(), figure.caption(), Math.toIntExact(drawn), all);
        }
      }
    }
  }

  private static void tellsShown(String what, String words, int shown, int all) {
    if (shown < all) {
      assertThat(words).as(what).contains("%d of %d ".formatted(shown, all), "plan.json has all");
    } else {
      assertThat(shown).as(what).isEqualTo(all);
    }
  }
}
