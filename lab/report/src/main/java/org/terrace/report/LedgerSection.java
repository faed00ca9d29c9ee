package org.terrace.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.terrace.analysis.study.Claim;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;

/** The ledger: each claim of the paper, what was published and measured, and how it fared. */
final class LedgerSection {
  private LedgerSection() {}

  static void write(List<Claim> claims, Markup page) {
    if (claims.isEmpty()) {
      return;
    }
    page.open("section", "id", "claims").leaf("h2", "Claims ledger");
    page.leaf("p", counts(claims), "class", "lead");
    page.open("div", "class", "table", "tabindex", "0").open("table", "class", "ledger");
    page.open("thead").open("tr");
    for (String heading : List.of("Verdict", "Claim", "Published", "Measured", "Why")) {
      page.leaf("th", heading, "scope", "col");
    }
    page.close().close().open("tbody");
    for (Claim claim : claims) {
      row(claim, page);
    }
    Tables.close(page);
    page.close();
  }

  /** {@code 3 reproduced, 1 not reproduced}: the verdicts that occur, with their numbers. */
  static String counts(List<Claim> claims) {
    Map<Claim.Verdict, Integer> counts = new EnumMap<>(Claim.Verdict.class);
    claims.forEach(claim -> counts.merge(claim.verdict(), 1, Integer::sum));
    StringBuilder text = new StringBuilder(Quantity.count(claims.size(), "claim")).append(": ");
    counts.forEach((verdict, count) ->
        text.append(text.toString().endsWith(": ") ? "" : ", ")
            .append(count)
            .append(' ')
            .append(word(verdict)));
    return text.append('.').toString();
  }

  private static void row(Claim claim, Markup page) {
    page.open("tr", "id", "claim-" + claim.id());
    page.leaf(
        "td",
        symbol(claim.verdict()) + " " + word(claim.verdict()),
        "class",
        "verdict " + claim.verdict());
    page.open("td").text(claim.claim()).leaf("div", claim.paper(), "class", "muted").close();
    page.leaf("td", claim.published(), "data-name", "Published");
    page.leaf("td", claim.measured(), "data-name", "Measured");
    page.open("td").text(claim.evidence());
    String bound = claim.bound();
    if (bound != null) {
      page.open("div", "class", "bound").leaf("b", "Bound ").text(bound).close();
    }
    page.close().close();
  }

  static String symbol(Claim.Verdict verdict) {
    return switch (verdict) {
      case REPRODUCED -> "✓";
      case NOT_REPRODUCED -> "✕";
      case PARTLY -> "◐";
      case CANNOT_TELL -> "?";
    };
  }

  static String word(Claim.Verdict verdict) {
    return verdict.toString().replace('-', ' ');
  }
}
