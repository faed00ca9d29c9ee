package org.terrace.report.page;

import java.util.List;
import java.util.function.Consumer;
import org.terrace.analysis.finding.Findings.Cause;

/** Tables that scroll sideways within themselves where the window is narrow. */
public final class Tables {
  private Tables() {}

  /** Opens a table up to its rows; a heading that starts with '#' is a column of numbers. */
  public static void open(Markup page, String... headings) {
    page.open("div", "class", "table", "tabindex", "0").open("table").open("thead").open("tr");
    for (String heading : headings) {
      if (heading.startsWith("#")) {
        page.leaf("th", heading.substring(1), "scope", "col", "class", "n");
      } else {
        page.leaf("th", heading, "scope", "col");
      }
    }
    page.close().close().open("tbody");
  }

  public static void close(Markup page) {
    page.close().close().close();
  }

  /** The cell with the events that overlap a stall or an episode. */
  public static void causes(List<Cause> causes, Markup page) {
    page.open("td");
    if (causes.isEmpty()) {
      page.leaf("span", "nothing that was recorded", "class", "muted");
    }
    for (Cause cause : causes) {
      page.open("div", "class", "cause");
      page.leaf("span", Glyph.of(cause.kind()).symbol(), "class", Glyph.of(cause.kind()).style());
      page.text(" " + Glyph.words(cause.kind()) + " on " + cause.node());
      Double p = cause.adjustedP() == null ? cause.p() : cause.adjustedP();
      page.leaf(
          "span",
          "  "
              + (cause.significant() ? "likely, " : "possible, ")
              + Quantity.percent(cause.share())
              + (p == null ? "" : ", p " + Quantity.probability(p)),
          "class",
          "muted");
      page.close();
    }
    page.close();
  }

  /** A cell with a number. */
  public static void number(Markup page, String value) {
    page.leaf("td", value, "class", "n");
  }

  /**
   * Shows the first rows of a list, the next ones when they are unfolded, and says how many shorter
   * ones are left out.
   *
   * @param shown how many are shown at once
   * @param limit how many are listed at all
   * @param noun a row in the singular
   * @param table writes a table of some rows
   */
  public static <T> void unfolding(
      Markup page, List<T> rows, int shown, int limit, String noun, Consumer<List<T>> table) {
    table.accept(rows.subList(0, Math.min(shown, rows.size())));
    if (rows.size() > shown) {
      int end = Math.min(limit, rows.size());
      page.open("details");
      page.leaf("summary", "The other " + Quantity.count(end - shown, noun));
      table.accept(rows.subList(shown, end));
      page.close();
    }
    if (rows.size() > limit) {
      page.leaf(
          "p",
          "✂ "
              + Quantity.count(rows.size() - limit, "shorter " + noun)
              + " left out; findings.json lists all.",
          "class",
          "note");
    }
  }
}
