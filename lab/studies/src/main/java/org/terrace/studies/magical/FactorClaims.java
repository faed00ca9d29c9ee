package org.terrace.studies.magical;

import static org.terrace.studies.design.Ledger.text;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.terrace.analysis.study.Claim.Verdict;
import org.terrace.studies.design.Correlation;
import org.terrace.studies.design.Ledger;
import org.terrace.studies.magical.Results.Level;

/** Judges what the source says of rates, sizes of replies and numbers of clients. */
final class FactorClaims {
  private static final double EVEN = 1.75;
  private static final double ORDER_OF_MAGNITUDE = 10;
  private static final double NEARLY_ALL = 6.0 / 7;

  private final Ledger ledger;
  private final Results results;

  FactorClaims(Ledger ledger, Results results) {
    this.ledger = ledger;
    this.results = results;
  }

  void judge() {
    sizeWithRate();
    shareWithRate();
    factor(
        "not-with-reply-size", MagicalConfiguration::replyBytes, MagicalConfiguration::replyBytes);
    factor("not-with-clients", MagicalConfiguration::clients, MagicalConfiguration::clients);
    singleClient();
    rate();
    meanWithClients();
  }

  private void sizeWithRate() {
    Correlation found = results.within(Measurement::rate, each -> each.tail().maxZ());
    ledger.judge(
        "outlier-size-not-with-rate",
        Correlations.text(found),
        Correlations.none(found),
        Correlations.RULE_OF_NONE,
        ceiling());
  }

  private String ceiling() {
    return text("No z-score here can exceed %.2f.", results.largest().tail().maxZCeiling());
  }

  private void shareWithRate() {
    int up = 0;
    int down = 0;
    int none = 0;
    StringBuilder measured = new StringBuilder();
    for (ApplicationResult each : results.main()) {
      Correlation found =
          Results.pearson(each.measurements(), Measurement::rate, Measurement::outlierShare);
      measured
          .append(measured.isEmpty() ? "" : "; ")
          .append(each.subject().title())
          .append(' ')
          .append(Correlations.text(found));
      if (!found.isSignificant()) {
        none++;
      } else if (found.coefficient() > 0) {
        up++;
      } else {
        down++;
      }
    }
    Verdict verdict =
        up > 0 && down > 0
            ? Verdict.REPRODUCED
            : up + down > 0 && none > 0
                ? Verdict.PARTLY
                : up + down == 0 ? Verdict.CANNOT_TELL : Verdict.NOT_REPRODUCED;
    ledger.judge(
        "outlier-share-with-rate-differs",
        measured.toString(),
        verdict,
        text(
            "95 %% intervals: %d rise, %d fall, %d hold 0. Reproduced if some rise and some fall;"
                + " partly if only one of these is there besides none.",
            up, down, none));
  }

  private void factor(
      String id,
      ToDoubleFunction<MagicalConfiguration> value,
      Function<MagicalConfiguration, Integer> parameter) {
    Correlation share =
        results.within(
            each -> value.applyAsDouble(each.configuration()), Measurement::outlierShare);
    Correlation size =
        results.within(
            each -> value.applyAsDouble(each.configuration()), each -> each.tail().maxZ());
    List<Level> levels = results.levels(parameter);
    double most = levels.stream().mapToDouble(Level::share).max().orElse(0);
    double least = levels.stream().mapToDouble(Level::share).min().orElse(0);
    Verdict ofShare = Correlations.none(share);
    Verdict ofSize = Correlations.none(size);
    Verdict verdict =
        levels.size() < 2
            ? Verdict.CANNOT_TELL
            : ofShare == Verdict.REPRODUCED && most > EVEN * least ? Verdict.PARTLY : ofShare;
    if (ofSize == Verdict.NOT_REPRODUCED && verdict == Verdict.REPRODUCED) {
      verdict = Verdict.PARTLY;
    }
    ledger.judge(
        id,
        levels.stream()
                .map(level ->
                    text(
                        "%s: %.2f %%, z %.1f",
                        level.value() == 0 ? "original" : Integer.toString(level.value()),
                        100 * level.share(),
                        level.maxZ()))
                .collect(Collectors.joining("; "))
            + "; share "
            + Correlations.text(share)
            + ", size "
            + Correlations.text(size),
        verdict,
        Correlations.RULE_OF_NONE
            + " Partly also if the shares differ by more than the factor 1.75 between the values, as"
            + " they do not in the source, or if the size of outliers is strongly correlated.",
        ceiling());
  }

  private void singleClient() {
    int smaller = 0;
    int compared = 0;
    for (ApplicationResult each : results.main()) {
      double one = meanZ(each, true);
      double more = meanZ(each, false);
      if (one > 0 && more > 0) {
        compared++;
        smaller += one < more ? 1 : 0;
      }
    }
    List<Level> levels = results.levels(MagicalConfiguration::clients);
    boolean first =
        levels.size() > 1
            && levels.getFirst().value() == 1
            && levels.stream().skip(1).allMatch(level -> level.maxZ() > levels.getFirst().maxZ());
    boolean nearlyAll = compared > 0 && smaller >= Math.ceil(NEARLY_ALL * compared - 1e-9);
    ledger.judge(
        "single-client-smaller",
        text(
            "in %d of %d applications the mean of the largest z is smaller with one client; largest"
                + " of all: %s",
            smaller,
            compared,
            levels.stream()
                .map(level -> text("%d clients %.1f", level.value(), level.maxZ()))
                .collect(Collectors.joining(", "))),
        compared < 2
            ? Verdict.CANNOT_TELL
            : first && nearlyAll
                ? Verdict.REPRODUCED
                : first || nearlyAll ? Verdict.PARTLY : Verdict.NOT_REPRODUCED,
        "Reproduced if the largest z of one client is below that of every other number, and so on"
            + " average in six of seven applications; partly with one of the two.",
        ceiling());
  }

  private static double meanZ(ApplicationResult result, boolean single) {
    return result.measurements().stream()
        .filter(each -> (each.configuration().clients() == 1) == single)
        .mapToDouble(each -> each.tail().maxZ())
        .average()
        .orElse(0);
  }

  private void rate() {
    double own = 0;
    double others = 0;
    for (ApplicationResult each : results.main()) {
      double peak = each.measurements().stream().mapToDouble(Measurement::rate).max().orElse(0);
      if (each.subject() == Subject.PARK_N_PARK) {
        own = peak;
      } else {
        others = Math.max(others, peak);
      }
    }
    Verdict verdict =
        own == 0 || others == 0
            ? Verdict.CANNOT_TELL
            : own >= ORDER_OF_MAGNITUDE * others
                ? Verdict.REPRODUCED
                : own > others ? Verdict.PARTLY : Verdict.NOT_REPRODUCED;
    ledger.judge(
        "rate-of-park-n-park",
        text("%,.0f requests a second; the next application %,.0f", own, others),
        verdict,
        "Reproduced if ten times that of the next, partly if only the largest; needs others to"
            + " compare with. All run here on one machine and one database.");
  }

  private void meanWithClients() {
    int up = 0;
    int down = 0;
    int open = 0;
    for (ApplicationResult each : results.main()) {
      Correlation found =
          Results.spearman(each, one -> one.configuration().clients(), Measurement::meanMillis);
      if (!found.isSignificant()) {
        open++;
      } else if (found.coefficient() > 0) {
        up++;
      } else {
        down++;
      }
    }
    Correlation all =
        results.within(each -> each.configuration().clients(), Measurement::meanMillis);
    Verdict verdict =
        all.isSignificant()
            ? all.coefficient() > 0
                ? (down == 0 ? Verdict.REPRODUCED : Verdict.PARTLY)
                : Verdict.NOT_REPRODUCED
            : Verdict.CANNOT_TELL;
    ledger.judge(
        "mean-grows-with-clients",
        text(
            "all: %s; it rises in %d, falls in %d, and %d cannot tell",
            Correlations.text(all), up, down, open),
        verdict,
        "Ranks within each application, pooled. Reproduced if the 95 % interval lies above 0 and no"
            + " single application's below.");
  }
}
