package org.terrace.studies.scaleout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.Judgement;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.bottleneck.Bottleneck.Kind;
import org.terrace.scaling.bottleneck.KindJudge;
import org.terrace.scaling.bottleneck.PeakJudge;
import org.terrace.scaling.bottleneck.SaturationJudge;
import org.terrace.scaling.economy.PlanJudge;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.design.Study;

/** Judges each claim of the study by a rule that the claim's evidence states. Stateless. */
final class ScaleOutClaims {
  private static final String DATABASE = "database";

  /** The tier of the middleware, and of the SQL nodes. */
  private static final String MIDDLEWARE = "middleware";

  static final List<String> IDS =
      List.of(
          "mysql-one-database",
          "mysql-one-application-server",
          "mysql-both-scaled",
          "mysql-third-group",
          "mysql-strategies-alike",
          "mysql-processors-only",
          "mysql-middleware-last",
          "browsing-gains-more",
          "postgres-two-thirds",
          "postgres-wait-all-costs",
          "postgres-idle-processors",
          "postgres-servers-do-not-help",
          "postgres-without-middleware",
          "ndb-below-middleware",
          "ndb-four-data-nodes",
          "ndb-sql-nodes-idle",
          "low-cost-shifting",
          "low-cost-replicas-help",
          "low-cost-wait-all-stops",
          "low-cost-oscillatory",
          "low-cost-hidden",
          "low-cost-wait-first-grows",
          "low-cost-wait-first-concurrent",
          "low-cost-wait-first-more",
          "low-cost-growth-diminishes",
          "low-cost-below-normal",
          "profit-before-revenue",
          "size-depends-on-load",
          "size-depends-on-model");

  private ScaleOutClaims() {}

  static List<Claim> judge(Study study, ScaleOutResults results) {
    Ledger ledger = new Ledger(study);
    Map<String, Supplier<Judgement>> judges = judges(results);
    Optional<String> untold = results.untold();
    String rule = results.lacking().isEmpty() ? "no trial counts" : "no trial was run";
    for (String id : IDS) {
      Judgement found =
          untold
              .map(reason -> Judgement.cannotTell(reason, rule))
              .orElseGet(Objects.requireNonNull(judges.get(id)));
      ledger.judge(id, found.measured(), verdict(found.verdict()), found.rule());
    }
    return ledger.claims();
  }

  private static Verdict verdict(Judgement.Verdict verdict) {
    return switch (verdict) {
      case HOLDS -> Verdict.REPRODUCED;
      case PARTLY -> Verdict.PARTLY;
      case FAILS -> Verdict.NOT_REPRODUCED;
      case CANNOT_TELL -> Verdict.CANNOT_TELL;
    };
  }

  private static Map<String, Supplier<Judgement>> judges(ScaleOutResults results) {
    Map<String, Supplier<Judgement>> judges = new LinkedHashMap<>();
    addNormal(judges, results);
    addPostgres(judges, results);
    addLowCost(judges, results);
    addNdbLike(judges, results);
    judges.put("profit-before-revenue", plan(results, PlanJudge::profitPeaksBeforeRevenue));
    judges.put("size-depends-on-load", plan(results, PlanJudge::bestDependsOnLoad));
    judges.put("size-depends-on-model", plan(results, PlanJudge::bestDependsOnModel));
    return judges;
  }

  private static Supplier<Judgement> plan(
      ScaleOutResults results, Function<PlanJudge, Judgement> judge) {
    Mesh earning = results.earning();
    return () ->
        earning.done().isEmpty()
            ? Judgement.cannotTell("no valid trial", "nothing was measured")
            : ScaleOutResults.mostFailed(earning)
                ? Judgement.cannotTell(ScaleOutResults.failures(earning), "no trial counts")
                : judge.apply(new PlanJudge(earning, ScaleOutResults.PRICES));
  }

  private static void addNormal(Map<String, Supplier<Judgement>> judges, ScaleOutResults results) {
    PeakJudge peaks = new PeakJudge(results.mesh(), results.map());
    KindJudge kinds = new KindJudge(results.mesh(), results.map());
    SaturationJudge saturation = new SaturationJudge(results.mesh(), results.map());
    int most = results.parameters().mostDatabases();
    Configuration largest = of(ScaleOutSetting.mariaDb(2, most));
    Configuration one = of(ScaleOutSetting.mariaDb(2, 1));
    judges.put(
        "mysql-one-database",
        () ->
            peaks.reachAlike(
                List.of(one, of(ScaleOutSetting.mariaDb(results.parameters().mostApps(), 1)))));
    judges.put(
        "mysql-one-application-server",
        () ->
            peaks.reachAlike(
                List.of(of(ScaleOutSetting.mariaDb(1, 1)), of(ScaleOutSetting.mariaDb(1, 2)))));
    judges.put(
        "mysql-both-scaled",
        () ->
            peaks.reachesMore(
                of(ScaleOutSetting.mariaDb(2, 2)), of(ScaleOutSetting.mariaDb(1, 2))));
    judges.put(
        "mysql-third-group",
        () -> peaks.reachAlike(List.of(of(ScaleOutSetting.mariaDb(2, 2)), largest)));
    judges.put(
        "mysql-strategies-alike",
        () -> peaks.reachAlike(List.of(largest, of(ScaleOutSetting.mariaDb(2, most).first()))));
    judges.put("mysql-processors-only", () -> kinds.areProcessors(normal(results)));
    judges.put("mysql-middleware-last", () -> saturation.isHeldBackBy(largest, MIDDLEWARE));
    judges.put(
        "browsing-gains-more",
        () ->
            peaks.gainsMore(
                List.of(
                    of(ScaleOutSetting.mariaDb(2, 1).browsed()),
                    of(ScaleOutSetting.mariaDb(2, most).browsed())),
                List.of(one, largest)));
  }

  /** The configurations of MariaDB on normal nodes that are read and written. */
  private static List<Configuration> normal(ScaleOutResults results) {
    return results.earning().configurations().stream()
        .filter(
            each -> each.database().equals(ScaleOutSetting.MARIADB) && each.nodeTypes().isEmpty())
        .toList();
  }

  private static void addPostgres(
      Map<String, Supplier<Judgement>> judges, ScaleOutResults results) {
    PeakJudge peaks = new PeakJudge(results.mesh(), results.map());
    SaturationJudge saturation = new SaturationJudge(results.mesh(), results.map());
    Configuration two = of(ScaleOutSetting.postgres(2, 2));
    judges.put(
        "postgres-two-thirds",
        () -> peaks.reachesPart(two, of(ScaleOutSetting.mariaDb(2, 2)), 0.5, 0.85));
    judges.put(
        "postgres-wait-all-costs",
        () -> peaks.reachesMore(of(ScaleOutSetting.postgres(2, 2).first()), two));
    judges.put("postgres-idle-processors", () -> saturation.isHeldBackByNoProcessor(two));
    judges.put(
        "postgres-servers-do-not-help",
        () -> peaks.reachesNoMore(two, of(ScaleOutSetting.postgres(2, 1))));
    judges.put(
        "postgres-without-middleware",
        () -> saturation.isHeldBackBy(of(ScaleOutSetting.postgres(2, 1).direct()), DATABASE));
  }

  private static void addLowCost(Map<String, Supplier<Judgement>> judges, ScaleOutResults results) {
    PeakJudge peaks = new PeakJudge(results.mesh(), results.map());
    SaturationJudge saturation = new SaturationJudge(results.mesh(), results.map());
    KindJudge kinds = new KindJudge(results.mesh(), results.map());
    int most = results.parameters().mostDatabases();
    Configuration one = of(ScaleOutSetting.lowCost(2, 1));
    Configuration two = of(ScaleOutSetting.lowCost(2, 2));
    Configuration all = of(ScaleOutSetting.lowCost(2, most));
    Configuration first = of(ScaleOutSetting.lowCost(2, most).first());
    judges.put(
        "low-cost-shifting", () -> saturation.shiftsBetween(one, "database1", "cpu", "disk"));
    judges.put("low-cost-replicas-help", () -> peaks.reachesMore(two, one));
    judges.put("low-cost-wait-all-stops", () -> beyondThree(peaks, most));
    judges.put(
        "low-cost-oscillatory", () -> kinds.isOfKind(all, DATABASE, Set.of(Kind.OSCILLATORY)));
    judges.put("low-cost-hidden", () -> saturation.isHiddenInMaximum(all, DATABASE));
    judges.put("low-cost-wait-first-grows", () -> peaks.reachesMore(first, one));
    judges.put(
        "low-cost-wait-first-concurrent", () -> kinds.areSaturatedIndependently(first, DATABASE));
    judges.put("low-cost-wait-first-more", () -> peaks.reachesMore(first, all));
    judges.put(
        "low-cost-growth-diminishes",
        () ->
            most < 3
                ? Judgement.cannotTell(
                    "at most " + most + " databases were run", "three are needed")
                : peaks.gainsMore(
                    List.of(one, of(ScaleOutSetting.lowCost(2, 2).first())),
                    List.of(of(ScaleOutSetting.lowCost(2, 2).first()), first)));
    judges.put(
        "low-cost-below-normal", () -> peaks.reachesMore(of(ScaleOutSetting.mariaDb(2, 2)), two));
  }

  private static void addNdbLike(Map<String, Supplier<Judgement>> judges, ScaleOutResults results) {
    PeakJudge peaks = new PeakJudge(results.mesh(), results.map());
    SaturationJudge saturation = new SaturationJudge(results.mesh(), results.map());
    Configuration two = of(ScaleOutSetting.ndbLike(2, 2));
    Configuration four = of(ScaleOutSetting.ndbLike(2, 4));
    Map<String, Supplier<Judgement>> own = new LinkedHashMap<>();
    own.put(
        "ndb-below-middleware", () -> peaks.reachesMore(of(ScaleOutSetting.mariaDb(2, 2)), two));
    own.put("ndb-four-data-nodes", () -> peaks.reachesMore(four, two));
    own.put(
        "ndb-sql-nodes-idle",
        () -> saturation.areHeldBackElsewhere(List.of(two, four), MIDDLEWARE));
    own.forEach((id, judge) ->
        judges.put(
            id,
            results.noNdbLike().isEmpty()
                ? judge
                : () -> Judgement.cannotTell(results.noNdbLike(), "nothing was measured")));
  }

  private static Judgement beyondThree(PeakJudge peaks, int most) {
    if (most < 4) {
      return Judgement.cannotTell(
          "at most " + most + " databases were run",
          "the third and the last database are compared, of four or more");
    }
    List<Configuration> group = new ArrayList<>();
    group.add(of(ScaleOutSetting.lowCost(2, 3)));
    group.add(of(ScaleOutSetting.lowCost(2, most)));
    return peaks.reachAlike(group);
  }

  private static Configuration of(ScaleOutSetting setting) {
    return setting.configuration();
  }
}
