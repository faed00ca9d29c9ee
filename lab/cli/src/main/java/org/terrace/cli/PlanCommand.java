package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.terrace.cli.input.MeshReadings;
import org.terrace.cli.output.PlanText;
import org.terrace.core.CountedNoun;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.dashboard.planning.MeshPlanning;
import org.terrace.evidence.EvidenceFile;
import org.terrace.mesh.MeshFile;
import org.terrace.mesh.MeshResults;
import org.terrace.report.ReportWriter;
import org.terrace.report.plan.PlanFile;
import org.terrace.report.plan.PlanWords;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.Prices;
import org.terrace.specification.PricesFile;
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
      "  terrace plan mesh --readings app.connections=connections.json",
      "",
      "Leaves plan.html and plan.json in the mesh's directory, or in --out.",
      "Prices, for example:",
      "  kind: Prices",
      "  servers: {normal: 0.20, L: 0.05}       # an hour, by type of node",
      "  requests: {others: {within: 1s, revenue: 0.001, penalty: 0.002}}",
      "Exit codes: 0 good; 2 bad input: no mesh, no trial done, a price that is missing."
    })
final class PlanCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "what terrace run has written for a mesh")
  private Path directory = Path.of("");

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description =
          "prices, a YAML file; default: "
              + PricesFile.NAME
              + " in DIR, else those of the mesh, else placeholders")
  private @Nullable Path prices;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where plan.html and plan.json go; default: the mesh's directory")
  private @Nullable Path output;

  @Option(
      names = "--readings",
      paramLabel = "TIER.RESOURCE=FILE",
      description =
          "readings that somebody else took meanwhile, shares from 0 to 1, as a resource of a tier"
              + " or a server: an answer of Prometheus to query_range, or what terrace watch left,"
              + " whose series are named as RESOURCE; repeatable")
  private List<String> readings = List.of();

  @Option(
      names = "--readings-label",
      paramLabel = "LABEL",
      description = "label of Prometheus's series that names the server; default: ${DEFAULT-VALUE}")
  private String label = EvidenceFile.SERVER_LABEL;

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
    MeshResults results = withReadings(MeshFile.readResults(file));
    Path source = source();
    MeshPlanning planning = MeshPlanning.of(results, directory);
    Prices read = source == null ? planning.placeholders() : PricesFile.read(source);
    PlannedMesh planned =
        planning.plan(
            read,
            source == null ? "placeholders" : String.valueOf(source.getFileName()),
            source == null ? file : source);
    write(planned);
    if (source == null) {
      console.message(
          "No prices were given, so these are placeholders: write %s", file("--prices FILE"));
    }
    String unknown = PlanWords.unknownClasses(planned);
    if (!unknown.isEmpty()) {
      console.message("%s", unknown);
    }
    String missing = PlanWords.missing(results.mesh(), planned.search());
    if (json && !missing.isEmpty()) {
      console.message("%s", missing);
    }
    long lost =
        results.mesh().trials().stream()
            .filter(trial -> trial.status() == MeshTrial.Status.FAILED)
            .count();
    if (lost > 0) {
      console.message(
          "%s failed: the plan names %s configuration and load.",
          CountedNoun.of(lost, "trial"), lost == 1 ? "its" : "their");
    }
    return 0;
  }

  private MeshResults withReadings(MeshResults results) {
    Mesh mesh = results.mesh();
    for (MeshReadings each : readings.stream().map(MeshReadings::parse).toList()) {
      mesh = each.addedTo(mesh, directory, label, note -> console.message("%s", note));
    }
    return new MeshResults(
        mesh, results.round(), results.answer(), results.over(), results.failedConditions());
  }

  private @Nullable Path source() {
    return prices == null ? MeshPlanning.ownPrices(directory).orElse(null) : prices;
  }

  private String file(String option) {
    return directory.resolve(PricesFile.NAME) + " or use " + option;
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
