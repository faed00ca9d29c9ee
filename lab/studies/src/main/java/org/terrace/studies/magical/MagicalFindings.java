package org.terrace.studies.magical;

import static org.terrace.studies.design.Ledger.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.terrace.analysis.study.Claim;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.analysis.study.StudyDescription.Parameter;
import org.terrace.analysis.study.StudyFindings;
import org.terrace.analysis.study.Validity;
import org.terrace.studies.design.MachineOfStudy;
import org.terrace.studies.design.StudyContext;
import org.terrace.studies.probes.ProbeChecks;
import org.terrace.studies.services.SevenPrograms;

/** Turns what the applications showed into tables, figures and the ledger. */
final class MagicalFindings {
  private static final List<String> NEEDED =
      List.of(
          "applications",
          "middleware",
          "replicas",
          "configurations",
          "clients",
          "think time",
          "size of replies",
          "calls a configuration",
          "warm-up",
          "crashes");

  private final StudyContext context;
  private final Setting setting;
  private final Results results;
  private final Map<String, String> missing;

  MagicalFindings(
      StudyContext context,
      Setting setting,
      List<ApplicationResult> results,
      Map<String, String> missing) {
    this.context = context;
    this.setting = setting;
    this.results = new Results(results);
    this.missing = missing;
  }

  StudyFindings toStudyFindings() {
    List<Claim> claims = MagicalClaims.judge(context.study(), results);
    return new StudyFindings(
        study(claims),
        claims,
        new MagicalTables(results).all(),
        new MagicalFigures(results).all(),
        validity());
  }

  private StudyDescription study(List<Claim> claims) {
    long reproduced = claims.stream().filter(each -> each.verdict() == Verdict.REPRODUCED).count();
    long open = claims.stream().filter(each -> each.verdict() == Verdict.CANNOT_TELL).count();
    long calls = results.measurements().stream().mapToLong(Measurement::calls).sum();
    long outliers =
        results.measurements().stream().mapToLong(m -> m.tail().sigmaOutliers().count()).sum();
    return new StudyDescription(
        context.study().name(),
        context.study().paper(),
        "The magical 1 %",
        text(
            "%.2f %% of %,d calls are outliers beyond 3 sigma. Of %d claims %d are reproduced, and %d"
                + " cannot be told from these calls.",
            100.0 * outliers / Math.max(1, calls), calls, claims.size(), reproduced, open),
        parameters(),
        MachineOfStudy.facts(),
        deviations());
  }

  private static String list(List<?> values) {
    return values.stream().distinct().map(Object::toString).collect(Collectors.joining(", "));
  }

  private List<Parameter> parameters() {
    List<MagicalConfiguration> all = setting.configurations();
    return List.of(
        new Parameter(
            "applications",
            list(results.main().stream().map(r -> r.subject().title()).toList()),
            "seven"),
        new Parameter(
            "middleware",
            list(results.all().stream().map(ApplicationResult::middleware).toList()),
            "EJB (five), CORBA (two)"),
        new Parameter(
            "replicas", "2, warm passive; Ticket Center active", "2, warm passive or active"),
        new Parameter("JVMs of servers and clients", SevenPrograms.flags(), null),
        new Parameter("configurations", Integer.toString(all.size()), "48"),
        new Parameter(
            "clients",
            list(all.stream().map(MagicalConfiguration::clients).sorted().toList()),
            "1, 4, 7, 10"),
        new Parameter(
            "think time",
            list(all.stream().map(c -> c.think().toMillis()).sorted().toList()) + " ms",
            "0, 20, 40 ms"),
        new Parameter(
            "size of replies",
            list(
                    all.stream()
                        .sorted((a, b) -> a.replyBytes() - b.replyBytes())
                        .map(MagicalConfiguration::reply)
                        .toList())
                + " bytes",
            "original, 256, 512, 1024 bytes"),
        new Parameter(
            "calls a configuration",
            text("%,d, of all clients together", setting.calls()),
            "10,000 (teams 5 to 7: 100, 2,243 and 1,000); whether each client's is not said"),
        new Parameter("warm-up", text("%,d calls before each", setting.warmUp()), null),
        new Parameter(
            "crashes",
            text("%d of each application's primary, one client", setting.kills()),
            "10 to 20, one client"));
  }

  private List<String> deviations() {
    List<String> said = new ArrayList<>();
    if (!context.full()) {
      said.add(
          text(
              "A short run: %d of 48 configurations, in a balanced fraction, of %,d calls each;"
                  + " --full repeats all with 10,000.",
              setting.configurations().size(), setting.calls()));
    }
    missing.forEach((middleware, why) ->
        said.add(
            "Middleware "
                + middleware
                + " is missing here, and Terrace's own transport stands in for it: "
                + why));
    results.main().stream()
        .filter(each -> !each.middleware().equals(each.subject().middleware()))
        .filter(each -> !missing.containsKey(each.subject().middleware()))
        .findFirst()
        .ifPresent(
            _ -> said.add("The specification chooses another middleware than that of the teams."));
    said.add("All processes share one machine and its loopback network; the source had a cluster.");
    said.add(
        "The database is PostgreSQL, where the source had MySQL; the seven applications are rewritten"
            + " after their descriptions, with workloads of our own.");
    said.add(
        "Every configuration begins with calls that are not measured, in a client's program of its"
            + " own; the source tells of no warm-up, so the start of its programs may be among its"
            + " outliers.");
    return said;
  }

  private List<Validity> validity() {
    List<Validity> checks = new ArrayList<>();
    checks.add(ProbeChecks.documented(parameters(), NEEDED));
    for (ApplicationResult each : results.all()) {
      checks.add(
          new Validity(
              "invariants-hold",
              each.invariantsHold(),
              each.invariantsHold()
                  ? "the data of " + each.label() + " are whole"
                  : "the data of " + each.label() + " are damaged: see the log of its check"));
      checks.addAll(probes(each));
      each.recovery().ifPresent(recovery -> checks.add(crashes(each, recovery)));
    }
    return checks;
  }

  private record Checked(MagicalConfiguration configuration, Validity check) {}

  /** One line a check and application: how many configurations pass, and the first that fails. */
  private static List<Validity> probes(ApplicationResult result) {
    Map<String, List<Checked>> byName = new LinkedHashMap<>();
    for (Measurement each : result.measurements()) {
      for (Validity check : each.checks()) {
        byName
            .computeIfAbsent(check.check(), _ -> new ArrayList<>())
            .add(new Checked(each.configuration(), check));
      }
    }
    List<Validity> checks = new ArrayList<>();
    byName.forEach((name, all) -> checks.add(summary(result, name, all)));
    int unanswered = result.measurements().stream().mapToInt(Measurement::unanswered).sum();
    checks.add(
        new Validity(
            "answered",
            unanswered == 0,
            text(
                "%s: %,d of %,d calls came to no reply",
                result.label(), unanswered, result.calls())));
    checks.add(
        new Validity(
            "probes-kept",
            result.dropped() == 0,
            text("%s: %,d calls found no room for probes", result.label(), result.dropped())));
    return checks;
  }

  private static Validity summary(ApplicationResult result, String name, List<Checked> all) {
    List<Checked> failed = all.stream().filter(each -> !each.check.passed()).toList();
    Checked shown = failed.isEmpty() ? all.getFirst() : failed.getFirst();
    return new Validity(
        name,
        failed.isEmpty(),
        text(
            "%s: %d of %d pass; %s, %s: %s",
            result.label(),
            all.size() - failed.size(),
            all.size(),
            failed.isEmpty() ? "for example" : "not",
            shown.configuration.label(),
            shown.check.detail()));
  }

  private static Validity crashes(ApplicationResult result, Recovery recovery) {
    return new Validity(
        "crashes-happened",
        recovery.kills().size() == recovery.planned() && recovery.unanswered() == 0,
        text(
            "%s: %d of %d crashes happened; %d calls came to no reply",
            result.label(), recovery.kills().size(), recovery.planned(), recovery.unanswered()));
  }
}
