package org.terrace.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.terrace.report.page.Quantity;
import org.terrace.scaling.Configuration;
import org.terrace.scaling.ConfigurationNames;
import org.terrace.scaling.economy.FoundBest;
import org.terrace.scaling.economy.FoundCapacity;
import org.terrace.scaling.economy.FoundLoad;
import org.terrace.scaling.economy.SearchAnswer;
import org.terrace.scaling.economy.SearchMethod;

/** The words of a search's answer, for the page and for a terminal alike. Stateless. */
public final class SearchWords {
  private static final int MOST_NAMED = 3;

  /** Configurations whose most users are told one by one. */
  private static final int MOST_TOLD = 12;

  private SearchWords() {}

  /** The answer, a sentence or two a line: first what it took, then what was found. */
  public static List<String> sentences(SearchAnswer answer, ConfigurationNames names) {
    List<String> lines = new ArrayList<>();
    lines.add(effort(answer));
    answer.best().forEach(best -> lines.add(best(best, answer.currency(), names)));
    for (int users : answer.unmeasured()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "At %,d users nothing is known: most trials of each configuration that was tried"
                  + " failed.",
              users));
    }
    answer.cheapest().forEach(each -> lines.add(cheapest(each, answer.currency(), names)));
    answer.capacities().stream().limit(MOST_TOLD).forEach(each -> lines.add(capacity(each, names)));
    if (answer.capacities().size() > MOST_TOLD) {
      lines.add("And so on: the results have all " + answer.capacities().size() + ".");
    }
    if (answer.capacities().stream().anyMatch(each -> !each.loads().isEmpty())) {
      lines.add(intervals(answer));
    }
    return List.copyOf(lines);
  }

  /** The effort of a search, and what it saved, as a sentence. */
  public static String effort(SearchAnswer answer) {
    String failed = answer.failed() == 0 ? "" : ", of which " + answer.failed() + " failed";
    if (answer.method() == SearchMethod.FULL) {
      return String.format(
          Locale.ROOT,
          "%,d of all %s %s run%s.",
          answer.ended(),
          Quantity.count(answer.trials(), "trial"),
          answer.ended() == 1 ? "was" : "were",
          failed);
    }
    return String.format(
        Locale.ROOT,
        "The search (%s) %s %,d of the %s of the full mesh%s: %,d %s %s.",
        answer.method().word(),
        answer.complete() ? "ran" : "is not over; it ran",
        answer.ended(),
        Quantity.count(answer.trials(), "trial"),
        failed,
        answer.saved(),
        answer.saved() == 1 ? "was" : "were",
        answer.complete() ? "saved" : "not run");
  }

  private static String best(FoundBest best, String currency, ConfigurationNames names) {
    String interval =
        best.low() == null || best.high() == null
            ? "no interval, since no trial like it was repeated"
            : "95 % interval "
                + PlanWords.money(best.low())
                + " to "
                + PlanWords.money(best.high());
    return String.format(
        Locale.ROOT,
        "At %,d users %s %s: %s %s an hour (n = %d, %s). %s",
        best.users(),
        names.of(best.configuration()),
        best.tried() == 1
            ? "was the only one tried"
            : String.format(Locale.ROOT, "earns most of the %,d tried", best.tried()),
        PlanWords.money(best.profitPerHour()),
        currency,
        best.trials(),
        interval,
        ties(best, names));
  }

  private static String ties(FoundBest best, ConfigurationNames names) {
    return told(best, names) + failures(best, names);
  }

  /** The trials that failed beside those that were done, as a sentence with a space before it. */
  private static String failures(FoundBest best, ConfigurationNames names) {
    List<String> parts = new ArrayList<>();
    if (best.failed() > 0) {
      parts.add(Quantity.count(best.failed()) + " of its own");
    }
    if (!best.failing().isEmpty()) {
      parts.add("some of " + named(best.failing(), names));
    }
    return parts.isEmpty()
        ? ""
        : " Of the trials there "
            + String.join(" and ", parts)
            + " failed, of which nothing is told beyond chance.";
  }

  private static String named(List<Configuration> all, ConfigurationNames names) {
    String named = all.stream().limit(MOST_NAMED).map(names::of).collect(Collectors.joining(", "));
    int more = all.size() - MOST_NAMED;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  private static String told(FoundBest best, ConfigurationNames names) {
    if (best.tried() == 1) {
      return "More trials would tell whether another earns more.";
    }
    if (best.low() == null) {
      return "Nothing can be told apart without repeats.";
    }
    if (best.ties().isEmpty()) {
      return best.failed() == 0 && best.failing().isEmpty()
          ? "All others tried earn less, beyond chance."
          : "All others that were measured earn less, beyond chance.";
    }
    return "It cannot be told from " + named(best.ties(), names) + ".";
  }

  private static String cheapest(
      SearchAnswer.Cheapest stretch, String currency, ConfigurationNames names) {
    double cost = stretch.carrier().costPerHour();
    return String.format(
        Locale.ROOT,
        "Up to %,d users the cheapest that keeps the agreement is %s (%s).",
        stretch.mostUsers(),
        names.of(stretch.carrier().configuration()),
        currency.equals(SearchAnswer.SERVERS)
            ? Quantity.count(Math.round(cost), "server")
            : PlanWords.money(cost) + " " + currency + " an hour");
  }

  private static String capacity(FoundCapacity found, ConfigurationNames names) {
    if (found.loads().isEmpty()) {
      return names.of(found.configuration()) + " is not tried yet.";
    }
    List<String> parts = new ArrayList<>();
    Integer most = found.mostUsers();
    if (most != null) {
      parts.add(
          String.format(Locale.ROOT, "keeps the agreement up to %,d users", most)
              + found.load(most).map(SearchWords::share).orElse(""));
    }
    for (FoundLoad load : found.uncertain()) {
      parts.add(
          String.format(Locale.ROOT, "may keep %s or not at %,d", it(parts), load.users())
              + share(load));
    }
    Integer broken = found.brokenUsers();
    if (broken != null) {
      parts.add(
          String.format(
                  Locale.ROOT,
                  found.unmeasured()
                      ? "could not be measured at %2$,d"
                      : "does not keep %1$s at %2$,d",
                  it(parts),
                  broken)
              + found.load(broken).map(SearchWords::share).orElse(""));
    }
    return names.of(found.configuration()) + " " + String.join(", ", parts) + rest(found);
  }

  private static String it(List<String> before) {
    return before.isEmpty() ? "the agreement" : "it";
  }

  private static String rest(FoundCapacity found) {
    if (!found.certain()) {
      return found.brokenUsers() == null
          ? "; not all greater loads are tried."
          : "; not all loads between are tried.";
    }
    return found.brokenUsers() == null && found.uncertain().isEmpty()
        ? ", the greatest load of the mesh."
        : ".";
  }

  private static String share(FoundLoad load) {
    if (load.trials() == 0) {
      return " (" + Quantity.count(load.failed(), "trial") + " failed)";
    }
    return String.format(
        Locale.ROOT,
        " (%.1f %% of %,d requests, 95 %% interval %.1f to %.1f, n = %d%s)",
        100 * load.share(),
        load.requests(),
        100 * load.low(),
        100 * load.high(),
        load.trials(),
        load.failed() == 0 ? "" : "; " + Quantity.count(load.failed(), "trial") + " failed");
  }

  /** The way in which the intervals of a bisection came about. */
  private static String intervals(SearchAnswer answer) {
    boolean repeated =
        answer.capacities().stream()
            .flatMap(each -> each.loads().stream())
            .anyMatch(load -> load.trials() > 1);
    return repeated
        ? "The intervals are of the requests, which count as fewer where repeats differ by more than"
            + " chance."
        : "The intervals take requests for independent, since no trial was repeated: they may be too"
            + " narrow.";
  }
}
