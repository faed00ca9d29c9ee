package org.terrace.dashboard.pages;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.terrace.dashboard.results.Catalogue;
import org.terrace.dashboard.results.Catalogue.Listing;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ResultSummary;
import org.terrace.dashboard.results.ResultSummary.State;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;

/** The first page: all results, those that run first, with a search. Stateless. */
public final class IndexPage {
  /** The rows that are shown at once. */
  public static final int MOST_ROWS = 100;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private IndexPage() {}

  /**
   * The wish of a reader to see some of the results.
   *
   * @param words all of these are in the name, the kind or the reason
   * @param state only results in this state; empty for all
   * @param first how many rows are passed over
   */
  public record Search(String words, Optional<State> state, int first) {
    boolean admits(ResultSummary result) {
      String text =
          (result.place().name() + " " + result.kind().word() + " " + result.reason())
              .toLowerCase(Locale.ROOT);
      boolean all = true;
      for (String word : words.toLowerCase(Locale.ROOT).strip().split("\\s+", -1)) {
        all &= text.contains(word);
      }
      return all && state.map(each -> each == result.state()).orElse(true);
    }

    private String query(int from) {
      return "?q="
          + ResultPlace.escaped(words)
          + state.map(each -> "&state=" + each.word()).orElse("")
          + (from > 0 ? "&first=" + from : "");
    }
  }

  /** The page. */
  public static String page(Listing listing, Search search, String directory) {
    return PageFrame.page(
        "",
        page -> {
          page.open("section", "id", "verdict").leaf("h1", "Results in " + directory);
          page.close();
          page.open("section", "id", "results", "aria-label", "Results");
          form(search, page);
          page.open("div", "id", "rows", "data-refresh", "/rows" + search.query(search.first()));
          page.add(rows(listing, search));
          page.close().close();
        });
  }

  private static void form(Search search, Markup page) {
    page.open("form", "method", "get", "action", "/", "class", "search", "role", "search");
    page.leaf("label", "Search", "for", "q", "class", "hidden");
    page.empty(
        "input",
        "id",
        "q",
        "name",
        "q",
        "type",
        "search",
        "value",
        search.words(),
        "placeholder",
        "Search by name, kind or what failed",
        "autocomplete",
        "off");
    page.leaf("label", "State", "for", "state", "class", "hidden");
    page.open("select", "id", "state", "name", "state");
    option("", "every state", search.state().isEmpty(), page);
    for (State state : List.of(State.RUNNING, State.COMPLETE, State.FAILED)) {
      option(state.word(), state.word(), search.state().equals(Optional.of(state)), page);
    }
    page.close().leaf("button", "Search", "type", "submit");
    page.close();
  }

  private static void option(String value, String text, boolean chosen, Markup page) {
    if (chosen) {
      page.leaf("option", text, "value", value, "selected", "");
    } else {
      page.leaf("option", text, "value", value);
    }
  }

  /** The rows alone, for a page that is open already. */
  public static Markup rows(Listing listing, Search search) {
    List<ResultSummary> found = listing.results().stream().filter(search::admits).toList();
    Markup page = new Markup();
    counts(listing, found.size(), page);
    if (listing.results().isEmpty()) {
      page.leaf(
          "p",
          "There is no result yet. Run an experiment into this directory, and it will appear here"
              + " while it runs: terrace run SPEC --out DIR/NAME",
          "class",
          "lead");
      return page;
    }
    int from = Math.clamp(search.first(), 0, Math.max(0, found.size() - 1));
    List<ResultSummary> shown = found.subList(from, Math.min(found.size(), from + MOST_ROWS));
    page.open("form", "method", "get", "action", "/compare", "id", "picks");
    page.open(
        "div", "class", "table results", "tabindex", "0", "role", "region", "aria-label", "List");
    table(shown, page);
    page.close();
    page.open("p", "class", "pick-bar");
    page.leaf("button", "Compare the two that are ticked", "type", "submit", "id", "compare");
    page.leaf("span", "Tick two results; the older one counts as before.", "class", "muted");
    page.close().close();
    pages(found.size(), from, search, page);
    return page;
  }

  private static void table(List<ResultSummary> shown, Markup page) {
    page.open("table")
        .leaf("caption", "Results, those that run first, then the newest", "class", "hidden");
    page.open("thead").open("tr");
    page.open("th", "scope", "col").leaf("span", "Compare", "class", "hidden").close();
    for (String heading : List.of("Result", "State", "Kind", "Key figures", "When (UTC)")) {
      page.leaf("th", heading, "scope", "col");
    }
    page.close().close().open("tbody");
    shown.forEach(each -> row(each, page));
    page.close().close();
  }

  private static void row(ResultSummary result, Markup page) {
    String name = result.place().name();
    page.open("tr", "class", result.state().word()).open("td", "class", "pick");
    if (result.state() != State.RUNNING && result.kind() != ResultSummary.Kind.MESH) {
      page.empty(
          "input",
          "type",
          "checkbox",
          "name",
          "pick",
          "value",
          result.place().path(),
          "aria-label",
          "Compare " + name);
    }
    page.close().open("td", "class", "result-name");
    page.leaf("a", name, "href", "/result" + result.place().path());
    page.close().open("td", "class", "state-cell");
    state(result, page);
    boolean unread = result.state() == State.UNREAD;
    page.close().leaf("td", unread ? "" : result.kind().word(), "class", "kind");
    page.open("td", "class", "keys");
    for (ResultSummary.KeyFigure figure : result.figures()) {
      page.open("span", "class", "key-figure").leaf("span", figure.name() + " ", "class", "muted");
      page.leaf("b", figure.value()).close().text(" ");
    }
    page.close().leaf("td", date(result.epochMillis()), "class", "when").close();
  }

  /** The state of a result in a word, with its mark and its reason. */
  static void state(ResultSummary result, Markup page) {
    String mark =
        switch (result.state()) {
          case RUNNING -> "▶";
          case COMPLETE -> "✓";
          case FAILED -> "✕";
          case UNREAD -> "…";
        };
    String word = result.state() == State.UNREAD ? "being read" : result.state().word();
    page.leaf("span", mark + " " + word, "class", "state " + result.state().word());
    if (!result.reason().isEmpty()) {
      page.leaf("span", result.reason(), "class", "reason");
    }
  }

  static String date(long epochMillis) {
    return DATE.format(Instant.ofEpochMilli(epochMillis));
  }

  private static void counts(Listing listing, int found, Markup page) {
    page.open("p", "class", "counts", "role", "status");
    page.text(
        Quantity.count(listing.results().size(), "result")
            + (listing.cut() ? " and more: at most " + Catalogue.MOST_RESULTS + " are listed" : "")
            + ", of which "
            + listing.count(State.RUNNING)
            + " running, "
            + listing.count(State.COMPLETE)
            + " complete, "
            + listing.count(State.FAILED)
            + " failed");
    if (found < listing.results().size()) {
      page.text("; " + Quantity.count(found) + " found");
    }
    page.text(".").close();
  }

  private static void pages(int found, int from, Search search, Markup page) {
    if (found <= MOST_ROWS) {
      return;
    }
    page.open("nav", "class", "pages", "aria-label", "More results");
    if (from > 0) {
      page.leaf("a", "← Newer", "href", "/" + search.query(Math.max(0, from - MOST_ROWS)));
    }
    page.leaf(
        "span",
        Quantity.count(from + 1)
            + " to "
            + Quantity.count(Math.min(found, from + MOST_ROWS))
            + " of "
            + Quantity.count(found),
        "class",
        "muted");
    if (from + MOST_ROWS < found) {
      page.leaf("a", "Older →", "href", "/" + search.query(from + MOST_ROWS));
    }
    page.close();
  }
}
