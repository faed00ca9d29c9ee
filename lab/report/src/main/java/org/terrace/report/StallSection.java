package org.terrace.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.terrace.analysis.Findings.Behaviour;
import org.terrace.analysis.Findings.Cause;
import org.terrace.analysis.Findings.ServerFindings;
import org.terrace.analysis.Findings.Stall;
import org.terrace.analysis.finding.PooledEvents;

/** The table of stalls with what overlaps them. */
final class StallSection {
  /** Stalls shown at once; the rest unfold. */
  private static final int SHOWN = 20;

  /** Stalls listed at all. */
  static final int LIMIT = 500;

  private record Row(String server, int number, Stall stall) {
    long nanos() {
      return stall.endNanos() - stall.startNanos();
    }
  }

  private StallSection() {}

  static void write(Content content, Markup page) {
    List<Row> rows = new ArrayList<>();
    for (ServerFindings server : content.servers()) {
      int number = 0;
      for (Stall stall : server.stalls()) {
        rows.add(new Row(server.name(), ++number, stall));
      }
    }
    rows.sort(Comparator.comparingLong(Row::nanos).reversed());
    page.open("section", "id", "stalls").leaf("h2", "Stalls");
    shortest(content, page);
    if (rows.isEmpty()) {
      boolean watched = content.servers().stream().anyMatch(server -> server.requests() > 0);
      page.leaf(
          "p",
          watched
              ? "No stall: whenever requests waited at a server, it went on answering some."
              : "The servers' requests were not observed: nothing can be said of stalls.",
          "class",
          "lead");
      page.close();
      return;
    }
    page.leaf(
        "p",
        "Stretches in which requests waited at a server and few or none were answered, the longest"
            + " first. A server stood still when it had something in hand and neither answered nor"
            + " called; its host or network was silent when not even an acknowledgement came; it"
            + " waited when its calls of another server were unanswered. An event that"
            + " overlaps a stall is evidence of its cause, not proof; p is the probability of so much"
            + " overlap if the two were unrelated, adjusted for all that were tried.",
        "class",
        "lead");
    Tables.unfolding(page, rows, SHOWN, LIMIT, "stall", some -> table(content, some, page));
    page.close();
  }

  /** The limits of what was looked for, and what is known of shorter stalls. */
  private static void shortest(Content content, Markup page) {
    page.open("ul", "class", "muted");
    for (ServerFindings server : content.servers()) {
      Double shortest = server.shortestStallMillis();
      page.leaf(
          "li",
          server.name()
              + (shortest == null
                  ? ": too few messages to tell any stall from chance"
                  : ": the shortest stall that its rate of messages shows is "
                      + Quantity.nanos(shortest * 1e6)));
      Double lost = server.lostMillis();
      if (lost != null && lost > 0) {
        page.leaf(
            "li",
            server.name()
                + ": in "
                + Quantity.nanos(lost * 1e6)
                + " the capture lost packets; they count neither as stalled nor as idle");
      }
      for (PooledEvents pooled : server.pooled()) {
        if (pooled.significant()) {
          page.leaf("li", server.name() + ": " + words(pooled));
        }
      }
    }
    page.close();
  }

  private static String words(PooledEvents pooled) {
    return "in "
        + Quantity.count(pooled.events())
        + " shorter events of the kind "
        + Content.words(pooled.kind())
        + ", of "
        + Quantity.nanos(pooled.meanMillis() * 1e6)
        + " each, it gave "
        + Quantity.count(pooled.seen())
        + " messages where "
        + Quantity.number(pooled.expected())
        + " are usual, p "
        + Quantity.probability(pooled.p());
  }

  private static void table(Content content, List<Row> rows, Markup page) {
    Tables.open(
        page,
        "Server",
        "#Start",
        "#Length",
        "#Peak load",
        "What it did",
        "Overlapped by",
        "#Unexplained");
    for (Row row : rows) {
      Stall stall = row.stall();
      page.open("tr").leaf("td", row.server());
      page.open("td", "class", "n");
      page.leaf(
          "button",
          Quantity.moment(content.seconds(stall.startNanos())),
          "class",
          "jump",
          "data-from",
          String.valueOf(content.seconds(stall.startNanos())),
          "data-to",
          String.valueOf(content.seconds(stall.endNanos())),
          "title",
          "Show on the time line");
      page.close();
      Tables.number(page, Quantity.nanos((double) row.nanos()));
      Tables.number(page, Quantity.number(stall.peakLoad()));
      page.leaf("td", behaviour(stall));
      causes(stall.causes(), page);
      Tables.number(page, Quantity.percent(stall.unexplainedShare()));
      page.close();
    }
    Tables.close(page);
  }

  private static String behaviour(Stall stall) {
    Behaviour behaviour = stall.behaviour();
    return switch (behaviour) {
      case null -> "cannot be told";
      case STOOD_STILL -> "stood still";
      case HOST_SILENT -> "host or network silent";
      case WAITED -> "waited for " + stall.waitedFor();
    };
  }

  static void causes(List<Cause> causes, Markup page) {
    page.open("td");
    if (causes.isEmpty()) {
      page.leaf("span", "nothing that was recorded", "class", "muted");
    }
    for (Cause cause : causes) {
      page.open("div", "class", "cause");
      page.leaf("span", Glyph.of(cause.kind()).symbol(), "class", Glyph.of(cause.kind()).style());
      page.text(" " + Content.words(cause.kind()) + " on " + cause.node());
      String detail = "  " + Quantity.percent(cause.share());
      Double p = cause.adjustedP() == null ? cause.p() : cause.adjustedP();
      page.leaf(
          "span", p == null ? detail : detail + ", p " + Quantity.probability(p), "class", "muted");
      page.close();
    }
    page.close();
  }
}
