package org.terrace.report.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.FailedTrials;
import org.terrace.scaling.LostCell;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.bottleneck.Bottleneck;
import org.terrace.scaling.bottleneck.BottleneckMap;
import org.terrace.scaling.bottleneck.Confirmation;
import org.terrace.scaling.bottleneck.MappedCell;
import org.terrace.scaling.bottleneck.Migration;
import org.terrace.scaling.bottleneck.ResourceSaturation;
import org.terrace.scaling.bottleneck.ScalabilityLaw;
import org.terrace.scaling.economy.BreakEven;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.Prices;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.ProfitSurface;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.Sensitivity;
import org.terrace.scaling.economy.Terms;
import org.terrace.scaling.economy.Workload;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A plan as JSON, format {@value #FORMAT}; its fields are described by {@code
 * docs/reference/plan.schema.json} and only ever added. Stateless and thread-safe.
 */
public final class PlanFile {
  /** The name of the file in a result directory. */
  public static final String NAME = "plan.json";

  /** The name and version of the format. */
  public static final String FORMAT = "terrace-plan/1";

  static final String CONFIGURATION = "configuration";
  static final String USERS = "users";
  private static final String VARIATION = "variation";

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private PlanFile() {}

  /** The plan as JSON text. */
  public static String toJson(PlannedMesh planned) {
    Mesh mesh = planned.mesh();
    Plan plan = planned.plan();
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("format", FORMAT);
    root.put("mesh", mesh.name());
    root.put("machine", mesh.machine());
    root.put("trials", counts(mesh));
    root.put("search", search(planned.search()));
    root.put("prices", prices(planned));
    root.put("confidence", ProfitSurface.CONFIDENCE);
    root.put("configurations", configurations(planned));
    root.put("loads", plan.choices().stream().map(choice -> load(choice, plan)).toList());
    root.put(
        "unmeasured",
        plan.unmeasured().entrySet().stream()
            .map(each -> unmeasured(each.getKey(), each.getValue()))
            .toList());
    root.put("breakEven", ranges(plan.bestBreakEven()));
    root.put("highestProfit", place(plan.highestProfit()));
    root.put("highestRevenue", place(plan.highestRevenue()));
    root.put("cells", plan.cells().stream().map(cell -> cell(cell, planned.map())).toList());
    root.put("migrations", planned.map().migrations().stream().map(PlanFile::migration).toList());
    root.put(
        "confirmations", planned.map().confirmations().stream().map(PlanFile::confirmed).toList());
    root.put("day", plan.day() == null ? null : DayNodes.of(plan.day()));
    root.put("rules", planned.map().rules());
    return JSON.writeValueAsString(root) + "\n";
  }

  private static Map<String, Object> counts(Mesh mesh) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (MeshTrial.Status status : MeshTrial.Status.values()) {
      counts.put(
          status.name().toLowerCase(java.util.Locale.ROOT),
          mesh.trials().stream().filter(trial -> trial.status() == status).count());
    }
    counts.put("laterAttempts", AttemptWords.later(mesh.trials()).size());
    return counts;
  }

  private static @Nullable Map<String, Object> search(@Nullable SearchAnswer answer) {
    if (answer == null) {
      return null;
    }
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("method", answer.method().word());
    node.put("complete", answer.complete());
    node.put("trials", answer.trials());
    node.put("ended", answer.ended());
    node.put("failed", answer.failed());
    node.put("saved", answer.saved());
    return node;
  }

  private static Map<String, Object> prices(PlannedMesh planned) {
    Prices prices = planned.plan().prices();
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("source", planned.priceSource());
    node.put("currency", prices.currency());
    node.put("serverHour", prices.serverHour());
    Map<String, Object> classes = new LinkedHashMap<>();
    prices.classes().forEach((name, terms) -> classes.put(name, terms));
    node.put("classes", classes);
    node.put("unknownClasses", planned.unknownClasses());
    Terms others = prices.others();
    node.put("others", others);
    node.put("serverStart", prices.serverStart());
    return node;
  }

  private static List<Map<String, Object>> configurations(PlannedMesh planned) {
    return planned.mesh().configurations().stream()
        .map(configuration -> configuration(configuration, planned))
        .toList();
  }

  private static Map<String, Object> configuration(Configuration of, PlannedMesh planned) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("name", of.label());
    node.put("topology", of.topology());
    node.put("database", of.database());
    node.put("nodeTypes", of.nodeTypes());
    node.put("variations", of.variations());
    node.put("costPerHour", planned.plan().prices().costPerHour(of));
    node.put("breakEven", ranges(planned.plan().breakEven().getOrDefault(of, List.of())));
    ScalabilityLaw law = planned.map().law(of);
    if (law == null) {
      node.put("scalabilityLaw", null);
    } else {
      Map<String, Object> fitted = new LinkedHashMap<>();
      fitted.put("lambda", law.lambda());
      fitted.put("sigma", law.sigma());
      fitted.put("kappa", law.kappa());
      fitted.put("peakUsers", finite(law.peak()));
      fitted.put("relativeError", law.relativeError());
      node.put("scalabilityLaw", fitted);
    }
    return node;
  }

  private static Map<String, Object> load(LoadChoice choice, Plan plan) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(USERS, choice.users());
    node.put(VARIATION, choice.load().variation());
    node.put("best", place(choice.best()));
    node.put("repeated", choice.repeated());
    node.put("told", choice.told());
    node.put("ties", choice.ties().stream().map(PlanFile::rival).toList());
    node.put(
        "others", choice.rivals().stream().filter(r -> !r.ties()).map(PlanFile::rival).toList());
    node.put("lost", choice.lost().stream().map(PlanFile::lost).toList());
    node.put("notMeasured", choice.unmeasured());
    node.put(
        "sensitivity",
        plan.sensitivities().getOrDefault(choice.load(), List.of()).stream()
            .map(PlanFile::sensitivity)
            .toList());
    node.put(
        "thresholds",
        plan.thresholds().getOrDefault(choice.load(), List.of()).stream()
            .map(PlanFile::threshold)
            .toList());
    return node;
  }

  private static Map<String, Object> unmeasured(Workload load, List<LostCell> lost) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(USERS, load.users());
    node.put(VARIATION, load.variation());
    node.put("lost", lost.stream().map(PlanFile::lost).toList());
    return node;
  }

  private static Map<String, Object> lost(LostCell cell) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(CONFIGURATION, cell.configuration().label());
    node.put("done", cell.done());
    failed(cell.failed(), node);
    return node;
  }

  private static void failed(FailedTrials failed, Map<String, Object> node) {
    node.put("failed", failed.count());
    node.put("failures", failed.reasons());
  }

  private static Map<String, Object> rival(LoadChoice.Rival rival) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(CONFIGURATION, rival.cell().configuration().label());
    node.put("profitPerHour", rival.cell().profitPerHour());
    node.put("behindPerHour", rival.behindPerHour());
    node.put("low", rival.low());
    node.put("high", rival.high());
    node.put("doubtful", rival.doubtful());
    return node;
  }

  private static Map<String, Object> sensitivity(Sensitivity of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("parameter", of.parameter());
    node.put("lowFactor", of.lowFactor());
    node.put("below", label(of.below()));
    node.put("highFactor", finite(of.highFactor()));
    node.put("above", label(of.above()));
    return node;
  }

  private static Map<String, Object> threshold(Sensitivity.ThresholdChange change) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("factor", change.factor());
    node.put("best", change.best().label());
    node.put("profitPerHour", change.profitPerHour());
    return node;
  }

  private static List<Map<String, Object>> ranges(List<BreakEven> stretches) {
    return stretches.stream().map(PlanFile::range).toList();
  }

  private static Map<String, Object> range(BreakEven stretch) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("fromUsers", stretch.fromUsers());
    node.put("risesThere", stretch.measuredFrom());
    node.put("failedBelow", stretch.failedBelow());
    node.put("toUsers", stretch.toUsers());
    node.put("fallsThere", stretch.measuredTo());
    node.put("failedAbove", stretch.failedAbove());
    return node;
  }

  private static Map<String, Object> place(ProfitCell cell) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(CONFIGURATION, cell.configuration().label());
    node.put(USERS, cell.users());
    money(cell, node);
    return node;
  }

  private static void money(ProfitCell cell, Map<String, Object> node) {
    node.put("repeats", cell.repeats());
    failed(cell.failed(), node);
    node.put("profitPerHour", cell.profitPerHour());
    node.put("low", cell.low());
    node.put("high", cell.high());
    node.put("revenuePerHour", cell.revenuePerHour());
    node.put("penaltyPerHour", cell.penaltyPerHour());
    node.put("costPerHour", cell.costPerHour());
    node.put("successPerSecond", cell.successPerSecond());
    node.put("successShare", cell.successShare());
    node.put("doubtfulShare", cell.doubtfulShare());
  }

  private static Map<String, Object> cell(ProfitCell cell, BottleneckMap map) {
    Map<String, Object> node = place(cell);
    MappedCell mapped = map.at(cell.configuration(), cell.users());
    if (mapped != null) {
      Map<String, Object> throughput = new LinkedHashMap<>();
      throughput.put("perSecond", mapped.throughputPerSecond());
      throughput.put("low", mapped.low());
      throughput.put("high", mapped.high());
      node.put("throughput", throughput);
      node.put("errorShare", mapped.errorShare());
      node.put("limited", mapped.limited());
      node.put("bottleneck", bottleneck(mapped.bottleneck()));
    }
    return node;
  }

  private static Map<String, Object> bottleneck(Bottleneck of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("kind", of.kind().toString());
    node.put("tiers", of.tiers());
    node.put("resources", of.resources().stream().map(PlanFile::resource).toList());
    node.put("suspects", of.suspects().stream().map(PlanFile::resource).toList());
    node.put("union", of.union());
    node.put("dependence", of.dependence());
    node.put("finding", of.finding() == null ? null : of.finding().words());
    node.put("saturateTogether", of.comoves());
    node.put("lacking", of.lacking());
    node.put("samplesLeftOut", of.leftOut());
    return node;
  }

  private static Map<String, Object> resource(ResourceSaturation of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("node", of.node());
    node.put("tier", of.tier());
    node.put("resource", of.resource());
    node.put("mean", of.mean());
    node.put("frequency", of.frequency());
    node.put("frequencyAt90", of.frequencyAt90());
    node.put("frequencyAt98", of.frequencyAt98());
    return node;
  }

  private static Map<String, Object> migration(Migration of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put("from", of.from().label());
    node.put("fromUsers", of.fromUsers());
    node.put("to", of.to().label());
    node.put("toUsers", of.toUsers());
    node.put("before", of.before().words());
    node.put("after", of.after().words());
    return node;
  }

  private static Map<String, Object> confirmed(Confirmation of) {
    Map<String, Object> node = new LinkedHashMap<>();
    node.put(CONFIGURATION, of.configuration().label());
    node.put(USERS, of.users());
    node.put("tier", of.tier());
    node.put("added", of.added().label());
    node.put("gain", of.gain());
    node.put("low", of.low());
    node.put("high", of.high());
    node.put("outcome", of.outcome().toString());
    return node;
  }

  static @Nullable String label(@Nullable Configuration configuration) {
    return configuration == null ? null : configuration.label();
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? Double.valueOf(value) : null;
  }
}
