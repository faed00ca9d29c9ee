package org.terrace.dashboard.pages;

import java.util.List;
import java.util.Optional;
import org.terrace.dashboard.comparison.ComparedSides;
import org.terrace.dashboard.results.Catalogue.Listing;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.dashboard.results.ResultSummary.Kind;
import org.terrace.dashboard.results.ResultSummary.State;
import org.terrace.details.comparison.ComparedMetric;
import org.terrace.details.comparison.ComparedMetric.Verdict;
import org.terrace.details.comparison.MissingFigure;
import org.terrace.report.page.Markup;

/** The page that compares two results, or two directories of repeats. Stateless. */
public final class ComparisonPage {
  private ComparisonPage() {}

  /**
   * The choice of a reader.
   *
   * @param before the paths of the results before, each with a slash in front
   * @param after those after
   * @param marginPercent the change that does not matter
   */
  public record Choice(List<String> before, List<String> after, double marginPercent) {
    /** Copies the lists. */
    public Choice {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  /**
   * The page.
   *
   * @param compared what came of it; empty where there is nothing to compare yet
   * @param problem why the two cannot be compared; empty if they can
   */
  public static String page(
      Listing listing, Choice choice, Optional<ComparedSides> compared, String problem) {
    return PageFrame.page(
        "Compare",
        page -> {
          page.open("section", "id", "verdict");
          heading(compared, problem, page);
          form(listing, choice, page);
          page.close();
          compared.ifPresent(sides -> table(sides, page));
        });
  }

  private static void heading(Optional<ComparedSides> compared, String problem, Markup page) {
    if (compared.isPresent()) {
      Verdict verdict = compared.get().comparison().verdict();
      page.open("p", "class", "state-line");
      page.leaf("span", mark(verdict) + " " + verdict, "class", "state " + style(verdict)).close();
      page.leaf("h1", compared.get().sentence());
    } else {
      page.leaf("h1", problem.isEmpty() ? "Compare two results" : "These cannot be compared");
    }
    page.leaf(
        "p",
        problem.isEmpty()
            ? "Figure by figure, as terrace compare has it. What users saw decides; what each server"
                + " did is told beside it."
            : problem,
        "class",
        "deck");
  }

  private static void form(Listing listing, Choice choice, Markup page) {
    page.open("form", "method", "get", "action", "/compare", "class", "compare");
    side("before", "Before", listing, choice.before(), page);
    side("after", "After", listing, choice.after(), page);
    page.open("div").leaf("label", "Margin, %", "for", "margin");
    page.empty(
        "input",
        "id",
        "margin",
        "name",
        "margin",
        "type",
        "number",
        "min",
        "0.1",
        "max",
        "100",
        "step",
        "any",
        "value",
        Double.toString(choice.marginPercent()).replaceAll("\\.0$", ""));
    page.close().leaf("button", "Compare", "type", "submit", "class", "main-button");
    page.close();
  }

  private static void side(
      String name, String label, Listing listing, List<String> chosen, Markup page) {
    page.open("div", "class", "side").leaf("label", label, "for", name);
    page.open("select", "id", name, "name", name, "required", "");
    option("", "choose one", chosen.isEmpty(), page);
    if (!listing.groups().isEmpty()) {
      page.open("optgroup", "label", "Directories of repeats");
      for (ResultPlace group : listing.groups()) {
        option(group.path(), group.name() + "/ (all in it)", chosen.contains(group.path()), page);
      }
      page.close();
    }
    page.open("optgroup", "label", "Results");
    for (ResultSummary result : listing.results()) {
      boolean whole = result.state() != State.RUNNING && result.kind() != Kind.MESH;
      if (whole) {
        String path = result.place().path();
        option(
            path,
            result.place().name() + ", " + IndexPage.date(result.epochMillis()),
            chosen.contains(path),
            page);
      }
    }
    page.close().close().close();
  }

  private static void option(String value, String text, boolean chosen, Markup page) {
    page.open(
            "option",
            chosen ? new String[] {"value", value, "selected", ""} : new String[] {"value", value})
        .text(text)
        .close();
  }

  private static void table(ComparedSides sides, Markup page) {
    page.open("section", "id", "figures").leaf("h2", "Figure by figure");
    page.open("div", "class", "table", "tabindex", "0").open("table", "class", "compared");
    page.open("thead").open("tr");
    for (String heading :
        List.of("Figure", "#Before", "#After", "#Change", "99 % interval", "Verdict")) {
      boolean number = heading.startsWith("#");
      page.leaf(
          "th",
          number ? heading.substring(1) : heading,
          "scope",
          "col",
          "class",
          number ? "n" : "");
    }
    page.close().close().open("tbody");
    for (ComparedMetric row : sides.comparison().metrics()) {
      String unit = row.metric().unit();
      page.open("tr", "class", row.metric().decides() ? "decides" : "told");
      page.leaf("th", row.metric().name(), "scope", "row");
      page.leaf("td", ComparedSides.value(row.before(), unit), "class", "n");
      page.leaf("td", ComparedSides.value(row.after(), unit), "class", "n");
      page.leaf("td", ComparedSides.change(row), "class", "n");
      page.leaf("td", ComparedSides.interval(row));
      page.leaf(
          "td",
          mark(row.verdict()) + " " + ComparedSides.verdict(row),
          "class",
          "state " + style(row.verdict()));
      page.close();
    }
    page.close().close().close();
    for (MissingFigure lacking : sides.comparison().missing()) {
      page.leaf(
          "p",
          mark(lacking.verdict()) + " " + sides.sentence(lacking),
          "class",
          "state " + style(lacking.verdict()));
    }
    page.leaf(
        "p",
        "A figure is worse when its whole interval lies beyond the margin. One result a side has no"
            + " interval: repeat each side at least twice.",
        "class",
        "note");
    page.close();
  }

  private static String mark(Verdict verdict) {
    return switch (verdict) {
      case BETTER -> "▲";
      case SAME -> "=";
      case WORSE -> "▼";
      case UNKNOWN -> "?";
    };
  }

  private static String style(Verdict verdict) {
    return switch (verdict) {
      case BETTER, SAME -> "complete";
      case WORSE -> "failed";
      case UNKNOWN -> "unread";
    };
  }
}
