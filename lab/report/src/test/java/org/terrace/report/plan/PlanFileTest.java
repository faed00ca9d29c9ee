package org.terrace.report.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.terrace.report.ReportWriter;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.Utilisation;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.Terms;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A plan's file keeps to its published schema, and its page says what the file does. */
class PlanFileTest {
  private static final Path SCHEMA = Path.of("../../docs/reference/plan.schema.json");

  private static PlannedMesh planned;
  private static Schema schema;

  @BeforeAll
  static void read() throws IOException {
    planned = SyntheticMesh.planned(SyntheticMesh.mesh(2, 3, 4, 2));
    schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
  }

  private static List<String> errors(String plan) {
    return schema.validate(plan, InputFormat.JSON).stream().map(Object::toString).toList();
  }

  @Test
  void aPlanKeepsToTheSchema() {
    assertThat(errors(PlanFile.toJson(planned))).isEmpty();
    PlannedMesh once = SyntheticMesh.planned(SyntheticMesh.mesh(1, 1, 4, 1));
    assertThat(errors(PlanFile.toJson(once))).isEmpty();
  }

  /** All trials failed at the least load, and one of each configuration at the next. */
  @Test
  void aPlanOfTrialsThatFailedKeepsToTheSchema() {
    Mesh mesh = planned.mesh();
    int least = mesh.loads().first();
    int next = mesh.loads().higher(least);
    List<MeshTrial> trials =
        mesh.trials().stream()
            .map(trial ->
                trial.users() == least || (trial.users() == next && trial.repeat() == 0)
                    ? failed(trial)
                    : trial)
            .toList();
    PlannedMesh failing = SyntheticMesh.planned(new Mesh(mesh.name(), mesh.machine(), trials));
    String plan = PlanFile.toJson(failing);

    assertThat(errors(plan)).isEmpty();
    assertThat(errors(plan.replace("\"failures\" :", "\"defeats\" :"))).isNotEmpty();
    JsonNode root = JsonMapper.shared().readTree(plan);
    assertThat(root.path("unmeasured").path(0).path("users").asInt()).isEqualTo(least);
    assertThat(root.path("loads").path(0).path("told").asBoolean()).isFalse();
    assertThat(root.path("loads").path(0).path("others")).isEmpty();
    assertThat(ReportWriter.renderPlan(PlanPages.of(failing)))
        .contains("Trials that failed", "app1 was killed", "none: all");
  }

  static MeshTrial failed(MeshTrial like) {
    return new MeshTrial(
            like.key(),
            MeshTrial.Status.FAILED,
            like.configuration(),
            like.users(),
            like.repeat(),
            0,
            List.of(),
            0,
            List.of(),
            like.folder())
        .withFailure("servers-alive: app1 was killed");
  }

  @Test
  void whatIsNotOfTheFormatIsFound() {
    String plan = PlanFile.toJson(planned);
    assertThat(errors(plan.replace("terrace-plan/1", "terrace-plan/2"))).isNotEmpty();
    assertThat(errors(plan.replace("\"best\" :", "\"worst\" :"))).isNotEmpty();
  }

  @Test
  void theFileSaysWhatThePlanSays() {
    JsonNode root = JsonMapper.shared().readTree(PlanFile.toJson(planned));

    ProfitCell best = planned.plan().highestProfit();
    assertThat(root.path("highestProfit").path("configuration").asString())
        .isEqualTo(best.configuration().label());
    assertThat(root.path("loads")).hasSize(planned.plan().choices().size());
    assertThat(root.path("cells")).hasSize(planned.plan().cells().size());
    assertThat(root.path("cells").get(0).path("bottleneck").path("kind").asString()).isNotEmpty();
    assertThat(root.path("day").path("steps")).hasSize(3);
    assertThat(root.path("search").path("method").asString()).isEqualTo("full");
    assertThat(root.path("search").path("saved").asInt()).isZero();
  }

  @Test
  void thePageNamesTheBestAndEscapesWhatOthersNamed() {
    String page = ReportWriter.renderPlan(PlanPages.of(planned));
    assertThat(page)
        .contains(
            planned.names().of(planned.plan().highestProfit().configuration()) + " earns most")
        .contains("All configurations have postgresql, database=L.")
        .contains("database cpu")
        .contains("Which configuration when")
        .contains("What the mesh was asked for")
        .contains("48 of all 48 trials were run");

    Mesh hostile =
        new Mesh("<script>alert(1)</script>", planned.mesh().machine(), planned.mesh().trials());
    assertThat(ReportWriter.renderPlan(PlanPages.of(SyntheticMesh.planned(hostile))))
        .doesNotContain("<script>alert");
  }

  /** Two servers earn more by requests than one, and less after their price. */
  @Test
  void theHighestRevenueIsSaidToBeThatOfTheBest() {
    Mesh mesh = SyntheticMesh.mesh(1, 3, 1, 2);
    Prices dear =
        new Prices(
            "EUR",
            Map.of("normal", 300.0, "L", 3_000.0),
            Map.of(),
            new Terms(1_000, 0.01, 0),
            List.of(),
            0);
    Plan plan = Plan.of(mesh, dear);
    assertThat(plan.cells().stream().mapToDouble(ProfitCell::revenuePerHour).max().orElseThrow())
        .isGreaterThan(plan.highestRevenue().revenuePerHour());

    assertThat(PlanPages.of(with(plan, mesh)).figures())
        .filteredOn(figure -> figure.name().equals("Highest revenue of the best"))
        .hasSize(1);
  }

  @Test
  void aSmallPriceOfAServerKeepsItsDigits() {
    Mesh mesh = SyntheticMesh.mesh(1, 1, 1, 1);
    Prices cheap =
        new Prices(
            "EUR",
            Map.of("normal", 0.0042, "L", 1_234.5),
            Map.of(),
            new Terms(1_000, 0.01, 0),
            List.of(),
            0.00075);

    assertThat(ReportWriter.renderPlan(PlanPages.of(with(Plan.of(mesh, cheap), mesh))))
        .contains("0.0042", "1,234.50", "0.00075");
  }

  private static PlannedMesh with(Plan plan, Mesh mesh) {
    return new PlannedMesh(mesh, planned.map(), plan, null, "prices.yaml", Path.of("mesh"));
  }

  /** Two databases that are full and half idle at the same times, and an application server. */
  @Test
  void thePageSaysWhatIsSaturatedTogetherAndWhatWasNotSampledThroughout() {
    Mesh mesh = SyntheticMesh.mesh(1, 2, 4, 2);
    List<MeshTrial> trials =
        mesh.trials().stream()
            .map(
                trial -> trial.withUtilisation(together(trial.configuration().servers("database"))))
            .toList();
    PlannedMesh together = SyntheticMesh.planned(new Mesh("together", mesh.machine(), trials));

    assertThat(ReportWriter.renderPlan(PlanPages.of(together)))
        .contains("database cpu; saturated together; not sampled throughout: cpu of app1");
    JsonNode root = JsonMapper.shared().readTree(PlanFile.toJson(together));
    assertThat(root.path("cells").findValuesAsString("finding")).contains("saturated together");
    assertThat(errors(PlanFile.toJson(together))).isEmpty();
  }

  private static List<Utilisation> together(int databases) {
    List<Utilisation> samples = new ArrayList<>();
    for (int number = 1; number <= databases; number++) {
      double[] values = new double[60];
      Arrays.setAll(values, i -> i / 3 % 2 == 0 ? 1 : 0.5);
      samples.add(Utilisation.of("database" + number, "database", "cpu", 1, values));
    }
    samples.add(Utilisation.of("app1", "app", "cpu", 1, new double[20]));
    return samples;
  }

  /**
   * The cost of a change of price is printed, and judged by nobody: other programs share the
   * machine.
   */
  @Test
  void aThousandTrialsArePricedAgain() {
    Mesh mesh = SyntheticMesh.mesh(3, 9, 13, 3);
    PlannedMesh first = SyntheticMesh.planned(mesh);
    Plan.of(mesh, first.plan().prices());
    long before = cpuNanos();
    Plan again = Plan.of(mesh, first.plan().prices());
    long priced = cpuNanos() - before;
    before = cpuNanos();
    int characters =
        ReportWriter.renderPlan(PlanPages.of(first)).length() + PlanFile.toJson(first).length();
    long rendered = cpuNanos() - before;
    System.out.printf(
        "%d trials: priced again in %.1f ms of CPU, page and file of %d characters in %.1f ms%n",
        mesh.trials().size(), priced / 1e6, characters, rendered / 1e6);

    assertThat(again).isEqualTo(first.plan());
    assertThat(mesh.trials()).hasSizeGreaterThan(1_000);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
