package org.terrace.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionExample;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.analysis.finding.TransactionProfile.TierTime;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;
import org.terrace.report.transaction.CallTable;
import org.terrace.report.transaction.PacketLine;
import org.terrace.report.transaction.TierStyles;
import org.terrace.report.transaction.TransactionClassTable;
import org.terrace.report.transaction.Waterfall;

/** The transactions: where the time of each class goes, its calls, and examples. */
final class TransactionSection {
  /** Columns of figures that only classes have. */
  private static final int FIGURES = 5;

  private final Content content;
  private final Findings.Transactions found;
  private final TierStyles styles;
  private final Markup page;

  private TransactionSection(Content content, Markup page) {
    this.content = content;
    this.page = page;
    found = content.result().findings().transactions();
    styles = new TierStyles(content.result().findings());
  }

  static void write(Content content, Markup page) {
    new TransactionSection(content, page).write();
  }

  private void write() {
    page.open("section", "id", "transactions").leaf("h2", "Where requests spent their time");
    if (found.calls() == 0) {
      String reason = found.reason();
      page.leaf(
          "p",
          reason == null
              ? "Requests were not stitched into transactions. terrace analyze of the result"
                  + " directory, or of a capture, does."
              : reason,
          "class",
          "lead");
      breakdown();
      page.close();
      return;
    }
    page.leaf("p", coverage(), "class", "lead");
    if (found.profiles().isEmpty()) {
      page.leaf(
          "p",
          "This result is of an older version, which told no more of them. terrace analyze of the"
              + " result directory does.",
          "class",
          "note");
      TransactionClassTable.write(found.classes(), page);
      page.close();
      return;
    }
    breakdown();
    boolean first = true;
    for (TransactionProfile profile : found.profiles()) {
      profile(profile, first);
      first = false;
    }
    TransactionClassTable.write(found.classes(), page);
    reading();
    page.close();
  }

  private String coverage() {
    long between = found.calls() + found.callsWithoutParent();
    return Quantity.count(found.count(), "transaction")
        + ", of which "
        + Quantity.count(found.complete())
        + (found.complete() == 1 ? " is" : " are")
        + " complete: no call without a parent could belong to them. "
        + Quantity.count(found.calls(), "call")
        + (found.calls() == 1 ? " has" : " have")
        + " a parent, "
        + Quantity.percent((double) found.calls() / between)
        + " of those between servers, with a median confidence of "
        + Quantity.percent(found.confidence().p50())
        + "; 95 % of them have at least "
        + Quantity.percent(found.confidence().p05())
        + ".";
  }

  private void breakdown() {
    if (styles.tiers().isEmpty()) {
      return;
    }
    page.open("p", "class", "legend", "aria-hidden", "true");
    for (String tier : styles.tiers()) {
      page.open("span");
      page.open("svg", "viewBox", "0 0 12 12", "class", "tier-key");
      page.empty("rect", "width", "12", "height", "12", "class", "fill-" + styles.ofTier(tier));
      page.close().text(" " + tier).close();
    }
    page.close();
    List<String> headings =
        new ArrayList<>(
            List.of(
                "Begins with",
                "#Transactions",
                "#Median",
                "#99 %",
                "#Complete",
                "#Their mean",
                "Waited for each tier"));
    styles.tiers().forEach(tier -> headings.add("#" + tier));
    Tables.open(page, headings.toArray(String[]::new));
    if (!found.tiers().isEmpty()) {
      page.open("tr").leaf("td", "all requests, complete or not");
      for (int column = 0; column < FIGURES; column++) {
        Tables.number(page, "");
      }
      page.open("td", "class", "shares");
      shares(found.tiers());
      page.close();
      styles.tiers().forEach(tier -> time(found.tiers(), tier, null));
      page.close();
    }
    for (TransactionProfile profile : found.profiles()) {
      page.open("tr");
      page.open("td").leaf("code", profile.requestClass()).close();
      Tables.number(page, Quantity.count(profile.count()));
      Tables.number(page, Quantity.time(profile.latencyMicros(), Findings.Latency::p50));
      Tables.number(page, Quantity.time(profile.latencyMicros(), Findings.Latency::p99));
      Tables.number(page, Quantity.count(profile.complete()));
      Tables.number(
          page, profile.complete() == 0 ? "–" : Quantity.micros(profile.completeMicros()));
      page.open("td", "class", "shares");
      shares(profile.tiers());
      page.close();
      styles.tiers().forEach(tier -> time(profile.tiers(), tier, profile));
      page.close();
    }
    Tables.close(page);
  }

  private void shares(List<TierTime> times) {
    if (times.isEmpty()) {
      page.leaf("span", "none is complete", "class", "muted");
      return;
    }
    page.open(
        "svg",
        "viewBox",
        "0 0 1000 14",
        "preserveAspectRatio",
        "none",
        "class",
        "span-bar",
        "aria-hidden",
        "true");
    double at = 0;
    for (String tier : styles.tiers()) {
      for (TierTime time : times) {
        if (time.tier().equals(tier)) {
          page.empty(
              "rect",
              "x",
              Quantity.coordinate(at),
              "width",
              Quantity.coordinate(time.share() * 1_000),
              "height",
              "14",
              "class",
              "fill-" + styles.ofTier(tier));
          at += time.share() * 1_000;
        }
      }
    }
    page.close();
  }

  /** The time at one tier; below it, of a class, its interval or how many there were. */
  private void time(List<TierTime> times, String tier, @Nullable TransactionProfile profile) {
    page.open("td", "class", "n");
    TierTime time =
        times.stream().filter(each -> each.tier().equals(tier)).findFirst().orElse(null);
    if (time == null) {
      page.text("–");
    } else {
      page.text(Quantity.micros(time.micros()));
      Double low = time.low();
      Double high = time.high();
      String range =
          low != null && high != null
              ? Quantity.micros(low) + " to " + Quantity.micros(high)
              : profile == null
                  ? Quantity.percent(time.share())
                  : "n = " + Quantity.count(profile.complete());
      page.leaf("span", range, "class", "range");
    }
    page.close();
  }

  private void profile(TransactionProfile profile, boolean open) {
    if (open) {
      page.open("details", "class", "profile", "open", "");
    } else {
      page.open("details", "class", "profile");
    }
    page.open("summary").leaf("code", profile.requestClass());
    page.leaf(
        "span",
        " on "
            + String.join(", ", profile.servers())
            + ", "
            + Quantity.percent(profile.timeShare())
            + " of all time"
            + (profile.failed() == 0 ? "" : ", " + Quantity.count(profile.failed()) + " failed"),
        "class",
        "muted");
    page.close();
    if (profile.complete() == 0) {
      page.leaf(
          "p",
          "None of these is complete, so neither their calls nor their self-times are summed up.",
          "class",
          "note");
    } else {
      CallTable.write(profile, page);
    }
    for (TransactionExample example : profile.examples()) {
      example(example);
    }
    page.close();
  }

  private void example(TransactionExample example) {
    page.open("details", "class", "example");
    page.open("summary").leaf("b", title(example));
    page.text(" " + Quantity.micros(example.micros()) + " ");
    page.leaf(
        "span",
        "at "
            + Quantity.moment(content.seconds(example.startNanos()))
            + ", "
            + Quantity.count(example.spans().size() + (long) example.spansLeftOut(), "request")
            + (example.outcome().equals("ok") ? "" : ", " + Waterfall.outcome(example.outcome()))
            + (example.complete() ? "" : "; calls of it may be missing"),
        "class",
        "muted");
    page.close();
    Waterfall.write(example, styles, page);
    page.open("p", "class", "moment");
    page.leaf(
        "a",
        "Show the moment on the time line",
        "class",
        "jump",
        "href",
        ViewLink.of(
            content,
            content.seconds(example.startNanos()),
            content.seconds(example.startNanos()) + example.micros() / 1e6,
            example.spans().isEmpty() ? "" : example.spans().getFirst().server()));
    page.close();
    PacketLine.write(example.firstFrame(), example.lastFrame(), example.displayFilter(), page);
    page.close();
  }

  private static String title(TransactionExample example) {
    return switch (example.choice()) {
      case "slowest" -> "Slowest";
      case "slowest_complete" -> "Slowest complete";
      case "typical" -> "Typical";
      case "failed" -> "Failed";
      default -> example.choice();
    };
  }

  private void reading() {
    page.open("details").leaf("summary", "How to read this");
    page.leaf(
        "p",
        "A transaction is a request of a user with all calls that it caused. Self-time is that in"
            + " which none of a request's own calls was open; what a transaction waited for at each"
            + " moment is its critical path, and adds up to its time. Both, and the call trees, are"
            + " of complete transactions, which are the quieter ones under much load; compare their"
            + " mean with the median of all. For all requests, complete or not, the time of a tier is"
            + " what requests spent there less what its calls took, which no parent is needed for. Below a mean"
            + " is its 95 % interval by batch means, or the number of transactions where there are"
            + " too few for one. Confidence is the probability that a request's place is right.",
        "class",
        "muted");
    page.close();
  }
}
