package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.experiment.mesh.MeshFile;
import org.terrace.report.ReportWriter;
import org.terrace.report.plan.PlanFile;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.bottleneck.SaturationRules;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.Terms;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code terrace plan}: which configuration of a mesh earns most, and what holds each back. */
@Command(
    name = "plan",
    description = {
      "Says which configuration of a mesh earns most at each load, and what holds each back.",
      "Prices and thresholds may be changed as often as you like: no trial is run again."
    },
    footer = {
      "",
      "Examples:",
      "  terrace plan mesh",
      "  terrace plan mesh --prices prices.yaml",
      "  terrace plan mesh --prices prices.yaml --json >plan.json",
      "  terrace plan mesh --prices prices.yaml --out plan-of-may",
      "",
      "Leaves plan.html and plan.json in the mesh's directory, or in --out.",
      "Prices, for example:",
      "  kind: Prices",
      "  servers: {normal: 0.20, L: 0.05}       # an hour, by type of node",
      "  requests: {others: {within: 1s, revenue: 0.001, penalty: 0.002}}",
      "Exit codes: 0 good; 2 bad input: no mesh, no trial done, a price that is missing."
    })
final class PlanCommand implements Callable<Integer> {
  /** The seed of permutations: a plan of the same mesh is the same plan. */
  private static final long SEED = 1;

  private static final Terms PLACEHOLDER = new Terms(1_000, 0.001, 0.001);

  @Parameters(paramLabel = "DIR", description = "what terrace run has written for a mesh")
  private Path directory = Path.of("");

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description =
          "prices, a YAML file; default: " + PricesFile.NAME + " in DIR, else placeholders")
  private @Nullable Path prices;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where plan.html and plan.json go; default: the mesh's directory")
  private @Nullable Path output;

  @Option(names = "--json", description = "as JSON, format " + PlanFile.FORMAT)
  private boolean json;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Path file = directory.resolve(MeshFile.NAME);
    if (!Files.isRegularFile(file)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file
              + ": there is no such file; expected the directory of a mesh, as terrace run leaves");
    }
    Mesh mesh = MeshFile.read(file);
    Path source = source();
    Prices read = source == null ? placeholders(mesh) : PricesFile.read(source);
    PlannedMesh planned =
        new PlannedMesh(
            mesh,
            BottleneckMap.of(mesh, SaturationRules.DEFAULT, SEED),
            plan(mesh, read, source == null ? file : source),
            source == null ? "placeholders" : String.valueOf(source.getFileName()),
            directory);
    write(planned);
    if (source == null) {
      console.message(
          "No prices were given, so these are placeholders: write %s", file("--prices FILE"));
    }
    long lost = mesh.trials().stream().filter(t -> t.status() == MeshTrial.Status.FAILED).count();
    if (lost > 0) {
      console.message("%d trials failed and are left out.", lost);
    }
    return 0;
  }

  private static Plan plan(Mesh mesh, Prices prices, Path blamed) {
    try {
      return Plan.of(mesh.cells(), prices);
    } catch (IllegalArgumentException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, blamed + ": " + e.getMessage(), e);
    }
  }

  private @Nullable Path source() {
    if (prices != null) {
      return prices;
    }
    Path own = directory.resolve(PricesFile.NAME);
    return Files.isRegularFile(own) ? own : null;
  }

  private String file(String option) {
    return directory.resolve(PricesFile.NAME) + " or use " + option;
  }

  /** One of each server type an hour, and a thousandth a request within a second. */
  private static Prices placeholders(Mesh mesh) {
    Map<String, Double> servers = new LinkedHashMap<>();
    mesh.configurations()
        .forEach(each -> each.nodes().keySet().forEach(type -> servers.put(type, 1.0)));
    return new Prices("units", servers, Map.of(), PLACEHOLDER, List.of(), 0);
  }

  private void write(PlannedMesh planned) {
    Path target = output == null ? directory : output;
    try {
      Files.createDirectories(target);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "--out " + target + " is no directory: " + e.getMessage(), e);
    }
    ReportWriter.writePlan(planned, target);
    System.out.print(json ? PlanFile.toJson(planned) : PlanText.of(planned));
    System.out.flush();
    console.message("Plan: %s", target.resolve(ReportWriter.PLAN_NAME));
  }
}
