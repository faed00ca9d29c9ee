package org.terrace.studies.magical;

import static org.terrace.studies.design.Ledger.text;

import java.util.List;
import java.util.stream.Collectors;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Ledger;

/** Judges what the source says of where outliers come from, and of recovery from crashes. */
final class OriginClaims {
  private static final double NEARLY_ALL = 6.0 / 7;
  private static final double ALL_BUT_NONE = 0.95;
  private static final double COMPARABLE = 3;
  private static final int FEW = 20;

  private final Ledger ledger;
  private final Results results;

  OriginClaims(Ledger ledger, Results results) {
    this.ledger = ledger;
    this.results = results;
  }

  void judge() {
    bothParts();
    mostFrequentPart();
    parkNPark();
    detection();
    likeMaxima();
    beyondRecovery();
  }

  private static double serverShare(ApplicationResult result) {
    int all = result.serverOutliers() + result.middlewareOutliers();
    return all == 0 ? 0 : (double) result.serverOutliers() / all;
  }

  private String shares() {
    return results.main().stream()
        .map(each ->
            text(
                "%s %d of server, %d of middleware",
                each.subject().title(), each.serverOutliers(), each.middlewareOutliers()))
        .collect(Collectors.joining("; "));
  }

  private void bothParts() {
    List<ApplicationResult> main = results.main();
    int both =
        (int)
            main.stream()
                .filter(each -> each.serverOutliers() > 0 && each.middlewareOutliers() > 0)
                .count();
    ledger.judge(
        "outliers-from-both-parts",
        shares(),
        Ledger.atLeast(both, (int) Math.ceil(NEARLY_ALL * main.size() - 1e-9)),
        text(
            "An outlier is of the part that exceeds its own median by more. %d of %d applications"
                + " have outliers of both; reproduced from six in seven on, partly from one.",
            both, main.size()));
  }

  private void mostFrequentPart() {
    List<ApplicationResult> told =
        results.main().stream()
            .filter(each -> each.serverOutliers() + each.middlewareOutliers() >= FEW)
            .toList();
    long server = told.stream().filter(each -> serverShare(each) > 0.5).count();
    ledger.judge(
        "most-frequent-part-differs",
        text(
            "most are of the server in %d applications, of the middleware in %d",
            server, told.size() - server),
        told.size() < 2
            ? Verdict.CANNOT_TELL
            : server > 0 && server < told.size() ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
        "Reproduced if both occur; of applications with at least 20 outliers.");
  }

  private void parkNPark() {
    ApplicationResult own =
        results.main().stream()
            .filter(each -> each.subject() == Subject.PARK_N_PARK)
            .findFirst()
            .orElse(null);
    int all = own == null ? 0 : own.serverOutliers() + own.middlewareOutliers();
    if (own == null || all < FEW) {
      ledger.judge(
          "park-n-park-from-middleware",
          all + " outliers",
          Verdict.CANNOT_TELL,
          "Needs at least 20 outliers of Park'n Park.");
      return;
    }
    double middleware = 1 - serverShare(own);
    ledger.judge(
        "park-n-park-from-middleware",
        text("%.1f %% of %d outliers", 100 * middleware, all),
        middleware >= ALL_BUT_NONE
            ? Verdict.REPRODUCED
            : middleware > 0.5 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        "Reproduced from 95 % on, partly if more than half.");
  }

  private List<ApplicationResult> recovered() {
    return results.main().stream()
        .filter(each -> each.recovery().filter(r -> !r.delaysNanos().isEmpty()).isPresent())
        .toList();
  }

  private static Recovery recovery(ApplicationResult result) {
    return result.recovery().orElseThrow();
  }

  private void detection() {
    List<ApplicationResult> logged =
        recovered().stream().filter(each -> !recovery(each).calls().isEmpty()).toList();
    int largest = (int) logged.stream().filter(each -> recovery(each).isDetectionLargest()).count();
    ledger.judge(
        "detection-largest",
        logged.stream()
            .map(each -> {
              double[] parts = recovery(each).partsMillis();
              return text(
                  "%s %.2f + %.2f + %.2f ms", each.subject().title(), parts[0], parts[1], parts[2]);
            })
            .collect(Collectors.joining("; ")),
        logged.isEmpty()
            ? Verdict.CANNOT_TELL
            : 2 * largest > logged.size()
                ? Verdict.REPRODUCED
                : largest > 0 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        text(
            "Detection + fail-over + processing, means of the calls that took more than one attempt."
                + " Detection is largest in %d of %d applications; reproduced if in most.",
            largest, logged.size()));
  }

  /** Recovery over the largest latency without a fault, with one client as in the source. */
  private static double ratio(ApplicationResult result) {
    return recovery(result).meanMillis() * 1e6 / result.largestWithOneClientNanos();
  }

  private List<ApplicationResult> compared() {
    return recovered().stream().filter(each -> each.largestWithOneClientNanos() > 0).toList();
  }

  private static String comparison(List<ApplicationResult> compared) {
    return compared.stream()
        .map(each ->
            text(
                "%s %.1f ms against %.1f ms",
                each.subject().title(),
                recovery(each).meanMillis(),
                each.largestWithOneClientNanos() / 1e6))
        .collect(Collectors.joining("; "));
  }

  private void likeMaxima() {
    List<ApplicationResult> compared = compared();
    int like =
        (int)
            compared.stream()
                .filter(each -> ratio(each) <= COMPARABLE && ratio(each) >= 1 / COMPARABLE)
                .count();
    ledger.judge(
        "recovery-like-fault-free-maxima",
        comparison(compared),
        compared.isEmpty()
            ? Verdict.CANNOT_TELL
            : 2 * like >= compared.size()
                ? Verdict.REPRODUCED
                : like > 0 ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        text(
            "Mean delay by a crash against the largest latency of one client without one: within a"
                + " factor of 3 in %d of %d applications; reproduced from half on. The source has 3 of"
                + " 5. More calls make the maximum larger.",
            like, compared.size()));
  }

  private void beyondRecovery() {
    List<ApplicationResult> compared = compared();
    int beyond = (int) compared.stream().filter(each -> ratio(each) < 1).count();
    ledger.judge(
        "fault-free-beyond-recovery",
        text(
            "in %d of %d applications the largest fault-free latency of one client exceeds the mean"
                + " delay by a crash",
            beyond, compared.size()),
        compared.isEmpty()
            ? Verdict.CANNOT_TELL
            : beyond > 0 ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
        "Reproduced if it does in at least one.");
  }
}
