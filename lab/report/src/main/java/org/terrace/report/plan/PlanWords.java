package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.report.page.Quantity;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.Mesh;
import org.terrace.scaling.MeshTrial;
import org.terrace.scaling.economy.BreakEven;
import org.terrace.scaling.economy.LoadChoice;
import org.terrace.scaling.economy.Plan;
import org.terrace.scaling.economy.ProfitCell;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;
import org.terrace.scaling.economy.Sensitivity;
import org.terrace.scaling.economy.Workload;

/** The words of a plan, for the page and for a terminal alike. Stateless. */
public final class PlanWords {
  private static final int MOST_NAMED = 3;

  private PlanWords() {}

  /** The findings of the plan, in a few sentences. */
  public static String headline(Plan plan, ConfigurationNames names) {
    ProfitCell best = plan.highestProfit();
    LoadChoice choice =
        plan.choices().stream()
            .filter(each -> each.load().equals(best.workload()))
            .findFirst()
            .orElseThrow();
    String currency = plan.prices().currency();
    return String.format(
        Locale.ROOT,
        "%s earns most: %s %s an hour at %s%s. %s %s",
        names.of(best.configuration()),
        money(best.profitPerHour()),
        currency,
        load(best.workload(), plan),
        interval(best).isEmpty() ? "" : " (" + interval(best) + ")",
        ties(choice),
        breakEven(plan.bestBreakEven()));
  }

  /** The users of a workload, and what they ask for where the mesh varies it. */
  static String load(Workload load, Plan plan) {
    return String.format(Locale.ROOT, "%,d users", load.users()) + varied(load, plan);
  }

  /** The varied fields of a workload, in brackets after a space; empty if the mesh varies none. */
  public static String varied(Workload load, Plan plan) {
    return plan.variesLoad()
        ? load.variation().entrySet().stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", ", " (", ")"))
        : "";
  }

  /**
   * The trials of a mesh that were not run, as a sentence: the plan rests on the others.
   *
   * @param search the answer of the search that chose its trials; null if nothing was asked of it
   * @return empty if all were, or a search that has ended had no need of the others
   */
  public static String missing(Mesh mesh, @Nullable SearchAnswer search) {
    long missing =
        mesh.trials().stream().filter(each -> each.status() == MeshTrial.Status.SKIPPED).count();
    if (missing == 0 || (search != null && search.complete())) {
      return "";
    }
    boolean chosen = search != null && search.method() != SearchMethod.FULL;
    int done = mesh.done().size();
    return String.format(
        Locale.ROOT,
        "%,d of the %s %s not run%s: the plan rests on the %,d that %s done.",
        missing,
        Quantity.count(mesh.trials().size(), "planned trial"),
        missing == 1 ? "was" : "were",
        chosen ? ", and the search that chooses among them is not over" : "",
        done,
        done == 1 ? "is" : "are");
  }

  /**
   * The classes of requests that the prices name and no trial has, as sentences with those that the
   * trials have.
   *
   * @return empty if there is none
   */
  public static String unknownClasses(PlannedMesh planned) {
    List<String> unknown = planned.unknownClasses();
    return unknown.isEmpty()
        ? ""
        : "The prices name "
            + unknown.stream().map(each -> "'" + each + "'").collect(Collectors.joining(", "))
            + ", and no trial has such requests: these terms count for nothing. The trials have "
            + String.join(", ", planned.classes())
            + ".";
  }

  /** The rivals that cannot be told from the best, as sentences. */
  public static String ties(LoadChoice choice) {
    String others =
        choice.unmeasured() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                " %,d %s not measured there.",
                choice.unmeasured(),
                choice.unmeasured() == 1 ? "was" : "were");
    return others(choice) + (choice.rivals().isEmpty() ? "" : others) + FailureWords.under(choice);
  }

  private static String others(LoadChoice choice) {
    if (choice.rivals().isEmpty()) {
      return "No other configuration was measured at that load.";
    }
    if (!choice.repeated()) {
      return "No trial like its own was repeated, so nothing can be told apart: repeat each at least"
          + " twice.";
    }
    if (choice.told()) {
      return "All others earn less there, beyond chance.";
    }
    int count = choice.ties().size();
    return count == 0
        ? "All others that were measured earn less there, beyond chance."
        : count + (count == 1 ? " other cannot" : " others cannot") + " be told from it there.";
  }

  /** The best configuration at a load, with the number of its trials that failed. */
  public static String best(LoadChoice choice, ConfigurationNames names) {
    ProfitCell best = choice.best();
    return names.of(best.configuration()) + FailureWords.mark(best.repeats(), best.failed());
  }

  /**
   * The names of the rivals that tie or are lost, and the number of those that were not measured;
   * of none that ties if none was repeated.
   */
  public static String tied(LoadChoice choice, ConfigurationNames names) {
    List<String> words = new ArrayList<>();
    List<LoadChoice.Rival> ties = choice.ties();
    if (choice.repeated() && !ties.isEmpty()) {
      words.add(
          ties.stream()
                  .limit(MOST_NAMED)
                  .map(rival ->
                      names.of(rival.cell().configuration())
                          + FailureWords.mark(rival.cell().repeats(), rival.cell().failed()))
                  .collect(Collectors.joining(", "))
              + (ties.size() > MOST_NAMED ? " and " + (ties.size() - MOST_NAMED) + " more" : ""));
    } else if (!choice.repeated() && !choice.rivals().isEmpty()) {
      words.add("not repeated");
    }
    words.add(FailureWords.lost(choice.lost(), names));
    if (choice.unmeasured() > 0) {
      words.add(String.format(Locale.ROOT, "%,d not measured", choice.unmeasured()));
    }
    return words.stream().filter(each -> !each.isEmpty()).collect(Collectors.joining(", "));
  }

  /** The loads in which money is not lost, as a sentence. */
  public static String breakEven(List<BreakEven> stretches) {
    if (stretches.isEmpty()) {
      return "It loses money at every load that was measured.";
    }
    return "Money is not lost "
        + stretches.stream().map(PlanWords::stretch).collect(Collectors.joining(", nor "))
        + ".";
  }

  private static String stretch(BreakEven stretch) {
    String from = stretch.measuredFrom() ? "" : end(stretch.failedBelow(), "the least measured");
    String to = stretch.measuredTo() ? "" : end(stretch.failedAbove(), "the most measured");
    boolean failed = stretch.failedBelow() != null || stretch.failedAbove() != null;
    return failed && stretch.fromUsers() == stretch.toUsers()
        ? String.format(
            Locale.ROOT, "at %,d users (%s, %s)", Math.round(stretch.fromUsers()), from, to)
        : String.format(
            Locale.ROOT,
            "from %,d%s to %,d users%s",
            Math.round(stretch.fromUsers()),
            from.isEmpty() ? "" : " (" + from + ")",
            Math.round(stretch.toUsers()),
            to.isEmpty() ? "" : " (" + to + ")");
  }

  private static String end(@Nullable Integer failed, String measured) {
    return failed == null ? measured : String.format(Locale.ROOT, "trials failed at %,d", failed);
  }

  /** The interval of a profit; empty where there is none. */
  public static String interval(ProfitCell cell) {
    Double low = cell.low();
    Double high = cell.high();
    return low == null || high == null ? "" : money(low) + " to " + money(high);
  }

  /** An amount: two places below a hundred, none from ten thousand on. */
  public static String money(double amount) {
    double size = Math.abs(amount);
    return String.format(
        Locale.ROOT, size < 100 ? "%,.2f" : size < 10_000 ? "%,.1f" : "%,.0f", amount);
  }

  /** The price that has to move least before another configuration takes over. */
  public static String closest(List<Sensitivity> sensitivities, ConfigurationNames names) {
    String words = "no price alone";
    double least = Double.POSITIVE_INFINITY;
    for (Sensitivity each : sensitivities) {
      if (each.below() != null && 1 / Math.max(each.lowFactor(), 1e-9) < least) {
        least = 1 / Math.max(each.lowFactor(), 1e-9);
        words =
            each.parameter() + " below " + factor(each.lowFactor()) + ": " + names.of(each.below());
      }
      if (each.above() != null && each.highFactor() < least) {
        least = each.highFactor();
        words =
            each.parameter()
                + " above "
                + factor(each.highFactor())
                + ": "
                + names.of(each.above());
      }
    }
    return words;
  }

  private static String factor(double factor) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * factor);
  }

  /** A time of the day. */
  public static String time(int minute) {
    return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
  }
}
