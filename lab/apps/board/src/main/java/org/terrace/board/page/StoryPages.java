package org.terrace.board.page;

import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.terrace.board.store.Category;
import org.terrace.board.store.Comments;
import org.terrace.board.store.Slice;
import org.terrace.board.store.Stories;
import org.terrace.board.store.Story;

/** The pages on which stories are found and read. Thread-safe. */
final class StoryPages {
  /** Later than any story: the days before it begin with the newest that has stories. */
  private static final LocalDate AFTER_ALL = LocalDate.of(9999, 1, 1);

  private static final LocalDate BEFORE_ALL = LocalDate.of(1970, 1, 1);

  private final Stories stories;
  private final Comments comments;

  StoryPages(Stories stories, Comments comments) {
    this.stories = stories;
    this.comments = comments;
  }

  Reply storiesOfTheDay(Visit visit) throws SQLException {
    State state = State.STORIES_OF_THE_DAY;
    Html html = Layout.begin(state, "Stories of the day", visit.member());
    Layout.heading(html, "Stories of the day", "");
    StoryList.write(html, stories.newest(), "There are no stories yet: submit the first.");
    html.raw("<p class=\"more\">");
    Layout.link(html, State.OLDER_STORIES, "button").raw("Older stories</a></p>");
    return Reply.page(Layout.end(html, state));
  }

  Reply browse(Visit visit) {
    State state = State.BROWSE;
    Html html = Layout.begin(state, "Browse", visit.member());
    Layout.heading(html, "Browse", "").raw("<ul class=\"choices\"><li>");
    Layout.link(html, State.BROWSE_CATEGORIES, "card").raw("<b>By category</b>");
    html.raw("<span>The stories of the last month, sorted by subject</span></a></li><li>");
    Layout.link(html, State.OLDER_STORIES, "card").raw("<b>By day</b>");
    html.raw("<span>Every story there ever was, a day at a time</span></a></li></ul>");
    return Reply.page(Layout.end(html, state));
  }

  Reply browseCategories(Visit visit) throws SQLException {
    State state = State.BROWSE_CATEGORIES;
    Html html = Layout.begin(state, "Categories", visit.member());
    Layout.heading(html, "Categories", "").raw("<ul class=\"categories\">");
    for (Category category : stories.categories()) {
      html.raw("<li>");
      Layout.link(html, State.BROWSE_STORIES_IN_CATEGORY, "category", category.id());
      html.text(category.name()).raw("</a></li>");
    }
    return Reply.page(Layout.end(html.raw("</ul>"), state));
  }

  Reply browseStoriesInCategory(Visit visit) throws SQLException, Problem {
    State state = State.BROWSE_STORIES_IN_CATEGORY;
    int id = visit.id("category");
    Category category =
        stories.category(id).orElseThrow(() -> Problem.notFound("There is no such category."));
    Html html = Layout.begin(state, category.name(), visit.member());
    Layout.heading(html, category.name(), "");
    html.raw("<section data-category=\"").number(id).raw("\">");
    var found = stories.inCategory(id, visit.page());
    StoryList.write(html, found.items(), "No stories here.");
    Layout.paging(html, state, "category", String.valueOf(id), found);
    return Reply.page(Layout.end(html.raw("</section>"), state));
  }

  Reply olderStories(Visit visit) throws SQLException, Problem {
    State state = State.OLDER_STORIES;
    Optional<LocalDate> asked = day(visit.value("day"));
    List<LocalDate> before = stories.daysBefore(asked.orElse(AFTER_ALL));
    LocalDate day = asked.orElse(before.isEmpty() ? BEFORE_ALL : before.getFirst());
    Html html = Layout.begin(state, "Stories of " + Layout.day(day), visit.member());
    Layout.heading(html, "Stories of " + Layout.day(day), "");
    html.raw("<nav class=\"days\" aria-label=\"Days\">");
    if (asked.isPresent()) {
      Optional<LocalDate> after = stories.dayAfter(day);
      if (after.isPresent()) {
        dayLink(html, after.get(), day);
      }
    }
    for (LocalDate other : before) {
      dayLink(html, other, day);
    }
    Layout.form(html, state, "get").raw("<label>Day <input type=\"date\" name=\"day\" value=\"");
    html.text(day.toString()).raw("\"></label><button>Show</button></form></nav>");
    var found = stories.ofDay(day, visit.page());
    StoryList.write(html, found.items(), "No stories on this day.");
    Layout.paging(html, state, "day", day.toString(), found);
    return Reply.page(Layout.end(html, state));
  }

  Reply viewStory(Visit visit) throws SQLException, Problem {
    State state = State.VIEW_STORY;
    Story story =
        stories
            .byId(visit.id("story"))
            .orElseThrow(() -> Problem.notFound("There is no such story."));
    Slice<org.terrace.board.store.Comment> thread = comments.onStory(story, visit.page());
    Html html = Layout.begin(state, story.title(), visit.member());
    html.raw("<article class=\"story\" id=\"story-").number(story.id()).raw("\"><p class=\"by\">");
    Layout.link(html, State.BROWSE_STORIES_IN_CATEGORY, "category", story.categoryId());
    html.text(story.category()).raw("</a></p><h1>").text(story.title());
    html.raw("</h1><p class=\"by\">");
    Layout.byline(html, story.writer(), story.postedSeconds()).raw("</p>");
    Layout.prose(html, story.body()).raw("<p class=\"more\"><a class=\"button\" href=\"");
    html.text(State.POST_COMMENT.path()).raw("?story=").number(story.id()).raw("\" data-page=\"");
    html.text(State.POST_COMMENT.pageName()).raw("\">Comment</a></p></article>");
    html.raw("<section class=\"comments\"><h2>");
    StoryList.comments(html, story.comments()).raw("</h2>");
    CommentThread.write(html, thread.items());
    Layout.paging(html, state, "story", String.valueOf(story.id()), thread);
    return Reply.page(Layout.end(html.raw("</section>"), state));
  }

  private static void dayLink(Html html, LocalDate day, LocalDate current) {
    State state = State.OLDER_STORIES;
    html.raw("<a href=\"").text(state.path()).raw("?day=").text(day.toString());
    html.raw("\" data-page=\"").text(state.pageName());
    html.raw(day.equals(current) ? "\" aria-current=\"page\">" : "\">");
    html.text(Layout.day(day)).raw("</a>");
  }

  private static Optional<LocalDate> day(String value) throws Problem {
    if (value.isEmpty()) {
      return Optional.empty();
    }
    try {
      LocalDate day = LocalDate.parse(value);
      if (day.isBefore(BEFORE_ALL) || day.isAfter(AFTER_ALL)) {
        throw Problem.notFound("There are no stories of that day.");
      }
      return Optional.of(day);
    } catch (DateTimeException e) {
      throw Problem.notFound("A day is written like 2026-02-28.");
    }
  }
}
