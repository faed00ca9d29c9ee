package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.board.Visitor.Page;
import org.terrace.board.page.State;

/** Walks the board along all of its links and forms, and holds it to the contract in PAGES.md. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class PagesTest {
  /** The number of pages of one state that a walk opens: enough to meet all kinds of them. */
  private static final int PAGES_PER_STATE = 12;

  /**
   * Forms that may make another of the visitor: a second visitor sends them, and looks no further.
   */
  private static final Set<String> CHANGE_WHO =
      Set.of("RegisterUser", "AuthorTask", "StoreModerateLog");

  /** Forms that are sent without a name. */
  private static final Set<String> ANONYMOUS = Set.of("StoreComment", "StoreStory");

  /** A link or form that was found on a page. */
  private record Step(String state, String from, String target, Element form) {}

  private final Map<String, StatePromise> promises = StatePromise.ofContract();
  private int registrations;

  @Test
  void aStrangerReachesEveryStateThatIsNotForAuthorsAndEveryLinkHolds(RunningBoard board) {
    try (Visitor stranger = board.visitor()) {
      Set<String> reached = walk(stranger, board.url());

      Set<String> expected = new TreeSet<>(promises.keySet());
      expected.removeAll(Set.of("ReviewStories", "AcceptStory", "RejectStory"));
      assertThat(reached).containsAll(expected);
    }
  }

  @Test
  void anAuthorReachesEveryState(RunningBoard board) {
    try (Visitor author = board.visitor()) {
      assertThat(author.signIn("author7", "password7").state()).isEqualTo("AuthorTask");

      assertThat(walk(author, board.url())).containsExactlyInAnyOrderElementsOf(promises.keySet());
    }
  }

  @Test
  void nothingOnAnyPageIsFetchedFromElsewhereOrRuns(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (State state : State.values()) {
        Page page = visitor.get(state.path() + "?story=700&comment=3000&category=2&search=a");
        assertThat(page.document().select("script, iframe, object, embed, [style], [onclick]"))
            .as(state.pageName())
            .isEmpty();
        assertThat(page.document().select("[src^=http], [href^=http], [src^=//], [href^=//]"))
            .as(state.pageName())
            .isEmpty();
      }
    }
  }

  @Test
  void everyFieldHasALabelAndEveryPageALanguageATitleAndOneMainPart(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (State state : State.values()) {
        Page page = visitor.get(state.path() + "?story=700&comment=3000&category=2&search=a");
        assertThat(page.document().select("html[lang]")).hasSize(1);
        assertThat(page.document().title()).isNotBlank();
        assertThat(page.document().select("main")).hasSize(1);
        assertThat(page.document().select("h1")).as(state.pageName()).hasSize(1);
        for (Element field : page.document().select("input:not([type=hidden]), textarea, select")) {
          boolean labelled =
              field.closest("label") != null
                  || !page.document().select("label[for=" + field.id() + "]").isEmpty();
          assertThat(labelled).as(state.pageName() + ": " + field).isTrue();
        }
      }
    }
  }

  @Test
  void theStyleAndTheIconAreThere(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      for (Element link : visitor.get("/").document().select("link[href]")) {
        Page file = visitor.get(link.attr("href"));
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.response().headers().firstValue("Cache-Control").orElseThrow())
            .contains("immutable");
      }
    }
  }

  /** Opens what is linked, breadth first, and returns the states seen. */
  private Set<String> walk(Visitor visitor, String site) {
    Set<String> states = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    Map<String, Integer> opened = new HashMap<>();
    Deque<Step> open = new ArrayDeque<>();
    open.add(new Step("StoriesOfTheDay", "the start", "/", null));
    while (!open.isEmpty()) {
      Step step = open.remove();
      if (opened.merge(step.state(), 1, Integer::sum) > PAGES_PER_STATE) {
        continue;
      }
      Page page;
      boolean asks = step.form() != null && !step.form().select("[name=nickname]").isEmpty();
      if (asks && CHANGE_WHO.contains(step.state())) {
        try (Visitor other = new Visitor(site)) {
          page = open(step, other);
        }
      } else {
        page = open(step, visitor);
        enqueue(page, seen, open);
      }
      check(step, page);
      states.add(page.state());
    }
    return states;
  }

  private Page open(Step step, Visitor visitor) {
    return step.form() == null
        ? visitor.get(step.target())
        : visitor.submit(step.form(), filled(step.form()));
  }

  private static void enqueue(Page page, Set<String> seen, Deque<Step> open) {
    for (Element next : page.document().select("a[data-page], form[data-page]")) {
      boolean isForm = next.normalName().equals("form");
      String target = next.attr(isForm ? "action" : "href");
      String key = target + (isForm ? Visitor.fields(next) : "");
      if (seen.add(key)) {
        open.add(new Step(next.attr("data-page"), page.state(), target, isForm ? next : null));
      }
    }
    for (Element link : page.document().select("a[href^=/]")) {
      assertThat(link.hasAttr("data-page")).as("%s on %s", link, page.state()).isTrue();
    }
  }

  private void check(Step step, Page page) {
    String what = step.from() + " -> " + step.state() + " at " + step.target();
    assertThat(page.status()).as("%s:%n%s", what, page.html()).isEqualTo(200);
    assertThat(page.state()).as(what).isEqualTo(step.state());
    assertThat(page.html().substring(0, 512))
        .contains("<meta name=\"page\" content=\"" + step.state());
    assertThat(page.html()).endsWith("<!--end " + step.state() + "--></body></html>\n");
    assertThat(page.response().headers().firstValue("Content-Length")).as(what).isPresent();
    StatePromise promise = promises.get(step.state());
    Matcher id = Pattern.compile("[?&](?:story|comment|category)=(\\d+)").matcher(step.target());
    String check = id.find() ? promise.check().replace("N\"", id.group(1) + "\"") : promise.check();
    assertThat(page.html()).as(what).contains(check);
    List<String> header =
        List.of("StoriesOfTheDay", "Browse", "Search", "SubmitStory", "Register", "AuthorLogin");
    for (String state : header) {
      assertThat(page.document().select("header a[data-page=" + state + "]")).hasSize(1);
    }
  }

  private Map<String, String> filled(Element form) {
    Map<String, String> filled = new LinkedHashMap<>();
    for (Element field : form.select("input:not([type=hidden]):not([type=radio]), textarea")) {
      filled.put(
          field.attr("name"),
          switch (field.attr("name")) {
            case "nickname" -> nickname(form);
            case "password" -> ANONYMOUS.contains(form.attr("data-page")) ? "" : "password9";
            case "email" -> "a@example.org";
            case "search" ->
                form.attr("data-page").equals("SearchInUsers")
                    ? "author"
                    : form.ownerDocument().select("datalist option").first().val();
            case "day" -> "2026-06-15";
            default -> "some words";
          });
    }
    return filled;
  }

  private String nickname(Element form) {
    String target = form.attr("data-page");
    if (ANONYMOUS.contains(target)) {
      return "";
    }
    return target.equals("RegisterUser") ? fresh() : "author9";
  }

  private String fresh() {
    return "walker-"
        + ProcessHandle.current().pid() % 10_000
        + "-"
        + hashCode() % 1000
        + "-"
        + registrations++;
  }
}
