package org.terrace.board.page;

import java.util.List;
import org.terrace.board.store.StoryLine;

/** Lists of stories. */
final class StoryList {
  private StoryList() {}

  /** The stories with links to them, or a sentence that there are none. */
  static void write(Html html, List<StoryLine> stories, String whenNone) {
    if (stories.isEmpty()) {
      html.raw("<p class=\"empty\">").text(whenNone).raw("</p>");
      return;
    }
    html.raw("<ol class=\"stories\">");
    for (StoryLine story : stories) {
      html.raw("<li><h2>");
      Layout.link(html, State.VIEW_STORY, "story", story.id()).text(story.title());
      html.raw("</a></h2>");
      if (!story.excerpt().isEmpty()) {
        html.raw("<p>").text(story.excerpt()).raw("…</p>");
      }
      html.raw("<p class=\"by\"><span class=\"tag\">").text(story.category()).raw("</span> ");
      Layout.byline(html, story.writer(), story.postedSeconds()).raw(" <span>");
      comments(html, story.comments()).raw("</span></p></li>");
    }
    html.raw("</ol>");
  }

  /** Writes the number of comments, in words. */
  static Html comments(Html html, int count) {
    return switch (count) {
      case 0 -> html.raw("no comments");
      case 1 -> html.raw("1 comment");
      default -> html.number(count).raw(" comments");
    };
  }
}
