package org.terrace.dashboard.pages;

import java.util.List;
import java.util.Locale;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.report.ReportWriter;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.plan.AttemptWords;
import org.terrace.report.plan.PlanPages;
import org.terrace.report.plan.PlannedMesh;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.scaling.economy.Prices;

/** The page of a mesh: prices as sliders, what follows of them, and every trial. Stateless. */
public final class MeshPage {
  /** Trials up to which their table is unfolded. */
  private static final int FEW = 60;

  private MeshPage() {}

  /** The page, under some prices. */
  public static String page(ResultSummary summary, PlannedMesh planned, Prices base) {
    ResultPlace place = summary.place();
    return PageFrame.page(
        place.name(),
        "wide",
        page -> {
          head(summary, page);
          page.open("div", "class", "mesh");
          page.open("aside", "aria-label", "Prices");
          page.open("details", "open", "", "id", "prices-fold").leaf("summary", "Prices");
          PriceForm.write(base, planned.plan().prices(), "/result" + place.path(), page);
          page.close();
          page.leaf(
              "p",
              "The plan here has the mesh's own readings alone: those that terrace plan --readings"
                  + " adds are in its plan.html.",
              "class",
              "muted");
          page.close();
          page.open("div", "id", "plan", "data-plan", "/plan" + place.path());
          page.add(plan(planned)).close().close();
          trials(place, planned.mesh(), page);
        });
  }

  /** The page of a mesh of which nothing can be planned, with why. */
  public static String page(ResultSummary summary, Mesh mesh, String why) {
    return PageFrame.page(
        summary.place().name(),
        page -> {
          head(summary, page);
          page.open("section", "id", "verdict").leaf("h1", "There is no plan yet");
          page.leaf("p", why, "class", "deck").close();
          trials(summary.place(), mesh, page);
        });
  }

  /** The plan alone, which is what the prices change. */
  public static Markup plan(PlannedMesh planned) {
    return ReportWriter.planSections(PlanPages.of(planned));
  }

  private static void head(ResultSummary summary, Markup page) {
    page.open("p", "class", "state-line above");
    IndexPage.state(summary, page);
    page.leaf("span", "mesh, " + IndexPage.date(summary.epochMillis()) + " UTC", "class", "muted");
    page.leaf("a", "Trials", "href", "#trials");
    page.leaf("a", "mesh.json", "href", "/files" + summary.place().path() + "?name=mesh.json");
    page.close();
  }

  private static void trials(ResultPlace place, Mesh mesh, Markup page) {
    page.open("section", "id", "trials").leaf("h2", "Trials");
    page.leaf(
        "p",
        Quantity.count(mesh.trials().size(), "trial")
            + ". Each that was run is a result of its own, with its report and its stalls.",
        "class",
        "lead");
    boolean few = mesh.trials().size() <= FEW;
    page.open("details", few ? new String[] {"open", ""} : new String[0]);
    page.leaf("summary", "All " + Quantity.count(mesh.trials().size(), "trial"));
    page.open("div", "class", "table", "tabindex", "0").open("table").open("thead").open("tr");
    for (String heading :
        List.of("Configuration", "#Users", "#Repeat", "State", "#Pages/s", "Busiest")) {
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
    mesh.trials().forEach(trial -> trial(place, trial, page));
    page.close().close().close().close().close();
  }

  private static void trial(ResultPlace place, MeshTrial trial, Markup page) {
    page.open("tr").open("td");
    if (trial.status() == Status.SKIPPED || trial.folder().isEmpty()) {
      page.text(trial.configuration().label());
    } else {
      page.leaf(
          "a",
          trial.configuration().label(),
          "href",
          "/result" + place.path() + ResultPlace.path(List.of(trial.folder().split("/", -1))));
    }
    page.close().leaf("td", Quantity.count(trial.users()), "class", "n");
    page.leaf("td", Integer.toString(trial.repeat() + 1), "class", "n");
    String mark =
        switch (trial.status()) {
          case DONE -> "✓ done";
          case FAILED -> "✕ failed";
          case SKIPPED -> "– not run";
        };
    page.open("td", "class", trial.status() == Status.FAILED ? "bad" : "");
    page.text(mark + (trial.attempts() > 1 ? " at attempt " + trial.attempts() : ""));
    if (trial.attempts() > 1) {
      page.leaf("span", AttemptWords.reasons(trial), "class", "reason");
    }
    page.close();
    boolean done = trial.status() == Status.DONE;
    page.leaf("td", done ? Quantity.number(trial.throughputPerSecond()) : "–", "class", "n");
    page.leaf(
        "td",
        trial.utilisation().stream()
            .max((one, other) -> Double.compare(one.mean(), other.mean()))
            .map(busiest ->
                String.format(
                    Locale.ROOT,
                    "%s of %s, %.0f %%",
                    busiest.resource(),
                    busiest.node(),
                    100 * busiest.mean()))
            .orElse("–"));
    page.close();
  }
}
