package org.terrace.board.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.terrace.board.store.Comment;

/** Comments, each with what answers it nested below it. */
final class CommentThread {
  private final Map<Integer, List<Comment>> answers = new LinkedHashMap<>();
  private final Html html;

  private CommentThread(Html html) {
    this.html = html;
  }

  /**
   * Writes comments as a tree. A comment whose parent is not among them stands at the top and says
   * so. The comments are in the order of their ids, so a parent comes first; the depth is at most
   * their number.
   */
  static void write(Html html, List<Comment> comments) {
    CommentThread thread = new CommentThread(html);
    List<Comment> tops = new ArrayList<>();
    for (Comment comment : comments) {
      thread.answers.put(comment.id(), new ArrayList<>());
      List<Comment> siblings = thread.answers.get(comment.parent());
      (siblings == null ? tops : siblings).add(comment);
    }
    if (!tops.isEmpty()) {
      thread.level(tops, true);
    }
  }

  private void level(List<Comment> comments, boolean top) {
    html.raw(top ? "<ol class=\"thread\">" : "<ol>");
    for (Comment comment : comments) {
      html.raw("<li id=\"comment-").number(comment.id()).raw("\">");
      one(comment, top);
      List<Comment> below = answers.getOrDefault(comment.id(), List.of());
      if (!below.isEmpty()) {
        level(below, false);
      }
      html.raw("</li>");
    }
    html.raw("</ol>");
  }

  private void one(Comment comment, boolean top) {
    html.raw(comment.rating() < 0 ? "<article class=\"low\"><h3>" : "<article><h3>");
    Layout.link(html, State.VIEW_COMMENT, "comment", comment.id()).text(comment.subject());
    html.raw("</a></h3><p class=\"by\">");
    Layout.byline(html, comment.writer(), comment.postedSeconds());
    rating(html, comment.rating());
    if (top && comment.parent() != 0) {
      html.raw(" <span>answers ");
      Layout.link(html, State.VIEW_COMMENT, "comment", comment.parent());
      html.raw("another comment</a></span>");
    }
    html.raw("</p>");
    if (comment.whole()) {
      Layout.prose(html, comment.body());
    } else {
      html.raw("<div class=\"prose\"><p>").text(comment.body()).raw("…</p></div>");
    }
    html.raw("<p class=\"acts\"><a href=\"").text(State.POST_COMMENT.path()).raw("?story=");
    html.number(comment.story()).raw("&amp;parent=").number(comment.id()).raw("\" data-page=\"");
    html.text(State.POST_COMMENT.pageName()).raw("\">Reply</a> ");
    Layout.link(html, State.MODERATE_COMMENT, "comment", comment.id()).raw("Moderate</a>");
    html.raw("</p></article>");
  }

  /** A comment's rating, if moderators gave it one. */
  static void rating(Html html, int rating) {
    if (rating != 0) {
      html.raw(" <span class=\"rating\" title=\"rating, -1 to 5\">");
      html.raw(rating > 0 ? "+" : "−").number(Math.abs(rating)).raw("</span>");
    }
  }
}
