package org.terrace.board.page;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.terrace.board.store.Member;
import org.terrace.board.store.Member.Access;
import org.terrace.board.store.Slice;

/** The parts that pages share: the frame, links to states, paging, times, messages. */
final class Layout {
  private static final String BRAND = "Terrace Board";
  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

  private Layout() {}

  /** Begins the page of a state. */
  static Html begin(State state, String title, Optional<Member> visitor) {
    Html html = new Html();
    head(html, state.pageName(), title);
    html.raw("<a class=\"skip\" href=\"#main\">Skip to the content</a><header><div class=\"bar\">");
    link(html, State.STORIES_OF_THE_DAY, "brand");
    html.raw("<span class=\"mark\" aria-hidden=\"true\"></span>").text(BRAND).raw("</a><nav>");
    navigation(html, state, State.BROWSE, "Browse");
    navigation(html, state, State.SEARCH, "Search");
    navigation(html, state, State.SUBMIT_STORY, "Submit");
    html.raw("</nav><nav class=\"account\" aria-label=\"Account\">");
    if (visitor.isPresent()) {
      html.raw("<span class=\"who\">").text(visitor.get().nickname()).raw("</span>");
      if (visitor.get().may(Access.AUTHOR)) {
        navigation(html, state, State.AUTHOR_TASK, "Desk");
      }
    }
    navigation(html, state, State.REGISTER, "Register");
    navigation(html, state, State.AUTHOR_LOGIN, visitor.isPresent() ? "Account" : "Sign in");
    return html.raw("</nav></div></header><main id=\"main\">");
  }

  /** Ends the page of a state. */
  static Html end(Html html, State state) {
    html.raw("</main><footer><p>A bulletin board for measuring: three tiers, 24 pages, no script.");
    html.raw("</p></footer>");
    return html.raw("<!--end ").text(state.pageName()).raw("--></body></html>\n");
  }

  /** The page that is shown when there is none. */
  static Html error(int status, String title, String message) {
    Html html = new Html();
    head(html, "Error", title);
    html.raw("<main id=\"main\" class=\"lost\"><p class=\"code\">").number(status).raw("</p><h1>");
    html.text(title).raw("</h1><p>").text(message).raw("</p><p><a class=\"button\" href=\"/\">");
    return html.raw("Stories of the day</a></p></main><!--end Error--></body></html>\n");
  }

  private static void head(Html html, String page, String title) {
    html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw("<meta name=\"page\" content=\"").text(page).raw("\"><title>").text(title);
    html.raw(" · ").text(BRAND).raw("</title><meta name=\"viewport\" content=\"width=device-");
    html.raw("width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">");
    html.raw("<link rel=\"stylesheet\" href=\"").text(StaticFile.STYLE.path()).raw("\">");
    html.raw("<link rel=\"icon\" href=\"").text(StaticFile.ICON.path()).raw("\"></head><body>");
  }

  private static void navigation(
      Html html, State current, State target, @CompileTimeConstant String label) {
    html.raw("<a href=\"").text(target.path()).raw("\" data-page=\"").text(target.pageName());
    html.raw(current == target ? "\" aria-current=\"page\">" : "\">").raw(label).raw("</a>");
  }

  /** Opens a link to a state that needs no parameter; the caller writes its text and closes it. */
  static Html link(Html html, State target, @CompileTimeConstant String cssClass) {
    html.raw("<a class=\"").raw(cssClass).raw("\" href=\"").text(target.path());
    return html.raw("\" data-page=\"").text(target.pageName()).raw("\">");
  }

  /** Opens a link to a state that needs one number. */
  static Html link(Html html, State target, @CompileTimeConstant String parameter, long value) {
    html.raw("<a href=\"").text(target.path()).raw("?").raw(parameter).raw("=").number(value);
    return html.raw("\" data-page=\"").text(target.pageName()).raw("\">");
  }

  /** Opens a form that leads to a state. */
  static Html form(Html html, State target, @CompileTimeConstant String method) {
    html.raw("<form method=\"").raw(method).raw("\" action=\"").text(target.path());
    return html.raw("\" data-page=\"").text(target.pageName()).raw("\">");
  }

  /** The heading of a page with a line below it. */
  static Html heading(Html html, String title, String subtitle) {
    html.raw("<h1>").text(title).raw("</h1>");
    return subtitle.isEmpty() ? html : html.raw("<p class=\"lead\">").text(subtitle).raw("</p>");
  }

  /** The message of a form that is shown again. */
  static Html message(Html html, Optional<Problem> problem) {
    problem.ifPresent(
        p -> html.raw("<p class=\"error\" role=\"alert\">").text(p.message()).raw("</p>"));
    return html;
  }

  /** Links to the pages before and after; the query's other fields, encoded, stand before. */
  static void paging(Html html, State state, String name, String value, Slice<?> slice) {
    if (slice.page() == 0 && !slice.more()) {
      return;
    }
    html.raw("<nav class=\"paging\" aria-label=\"Pages\">");
    if (slice.page() > 0) {
      pageLink(html, state, name, value, slice.page() - 1).raw("rel=\"prev\">← Previous</a>");
    }
    html.raw("<span>Page ").number(slice.page() + 1L).raw("</span>");
    if (slice.more()) {
      pageLink(html, state, name, value, slice.page() + 1).raw("rel=\"next\">Next →</a>");
    }
    html.raw("</nav>");
  }

  private static Html pageLink(Html html, State state, String name, String value, int page) {
    html.raw("<a href=\"").text(state.path()).raw("?");
    if (!name.isEmpty()) {
      html.component(name).raw("=").component(value).raw("&amp;");
    }
    html.raw("page=").number(page).raw("\" data-page=\"").text(state.pageName());
    return html.raw("\" ");
  }

  /** Writes the name of a writer, and the time of writing. */
  static Html byline(Html html, String writer, long postedSeconds) {
    if (writer.isEmpty()) {
      html.raw("<span class=\"anonymous\">anonymous</span>");
    } else {
      html.raw("<b>").text(writer).raw("</b>");
    }
    return time(html.raw(" "), postedSeconds);
  }

  /** A time in UTC. */
  static Html time(Html html, long seconds) {
    LocalDateTime at = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    html.raw("<time>").number(at.getDayOfMonth()).raw(" ");
    html.text(MONTHS.get(at.getMonthValue() - 1)).raw(" ").number(at.getYear()).raw(", ");
    return twoDigits(twoDigits(html, at.getHour()).raw(":"), at.getMinute()).raw("</time>");
  }

  /** A day, for people. */
  static String day(java.time.LocalDate day) {
    return "%d %s %d"
        .formatted(day.getDayOfMonth(), MONTHS.get(day.getMonthValue() - 1), day.getYear());
  }

  private static Html twoDigits(Html html, int number) {
    return number < 10 ? html.raw("0").number(number) : html.number(number);
  }

  /** A text of several paragraphs. */
  static Html prose(Html html, String text) {
    html.raw("<div class=\"prose\">");
    text.lines()
        .filter(paragraph -> !paragraph.isBlank())
        .forEach(paragraph -> html.raw("<p>").text(paragraph.strip()).raw("</p>"));
    return html.raw("</div>");
  }
}
