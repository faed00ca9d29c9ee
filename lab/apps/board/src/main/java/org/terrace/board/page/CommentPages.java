package org.terrace.board.page;

import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.terrace.board.store.Comment;
import org.terrace.board.store.Comments;
import org.terrace.board.store.Member;
import org.terrace.board.store.Member.Access;
import org.terrace.board.store.Slice;
import org.terrace.board.store.Stories;
import org.terrace.board.store.Story;

/** The pages on which comments are read, written and moderated. Thread-safe. */
final class CommentPages {
  private static final Map<String, Integer> RATINGS = Map.of("-1", -1, "0", 0, "1", 1);

  private final Stories stories;
  private final Comments comments;
  private final Identity identity;

  CommentPages(Stories stories, Comments comments, Identity identity) {
    this.stories = stories;
    this.comments = comments;
    this.identity = identity;
  }

  Reply postComment(Visit visit) throws SQLException, Problem {
    String place = Draft.ofComment(visit.id("story"), visit.idOrZero("parent"));
    return Reply.page(commentForm(visit.withDraft(place, "subject"), Optional.empty()));
  }

  private Reply keepComment(Visit visit, String place) throws SQLException, Problem {
    Optional<Member> writer = identity.of(visit);
    Draft draft = visit.draft("subject");
    return Reply.page(commentForm(visit.by(writer), Optional.empty()))
        .keeping(writer, place, draft);
  }

  Reply storeComment(Visit visit) throws SQLException, Problem {
    int story = visit.id("story");
    int parent = visit.idOrZero("parent");
    String place = Draft.ofComment(story, parent);
    Optional<Member> writer;
    int id;
    try {
      if (visit.keeps()) {
        return keepComment(visit, place);
      }
      String subject = visit.text("subject", "Subject", Forms.TITLE_CHARACTERS);
      String body = visit.text("body", "Text", Forms.BODY_CHARACTERS);
      writer = identity.of(visit);
      id =
          comments
              .add(story, parent, writer.map(Member::id).orElse(0), subject, body)
              .orElseThrow(() -> Problem.notFound("What you answer is not there."));
    } catch (Problem problem) {
      if (problem.status() == 404) {
        throw problem;
      }
      return Reply.problem(problem.status(), commentForm(visit, Optional.of(problem)));
    }
    State state = State.STORE_COMMENT;
    Html html = Layout.begin(state, "Comment stored", or(visit, writer));
    Layout.heading(html.raw("<div class=\"done\">"), "Thank you", "Your comment is on the board.");
    html.raw("<p>");
    Layout.link(html, State.VIEW_COMMENT, "comment", id).raw("Your comment</a> ");
    Layout.link(html, State.VIEW_STORY, "story", story).raw("Back to the story</a></p></div>");
    return Reply.page(Layout.end(html, state)).sent(writer, place);
  }

  Reply viewComment(Visit visit) throws SQLException, Problem {
    Slice<Comment> thread = comments.thread(visit.id("comment"));
    if (thread.items().isEmpty()) {
      throw Problem.notFound("There is no such comment.");
    }
    Comment comment = thread.items().getFirst();
    Story story = story(comment.story());
    State state = State.VIEW_COMMENT;
    Html html = Layout.begin(state, comment.subject(), visit.member());
    html.raw("<p class=\"by\">on ");
    Layout.link(html, State.VIEW_STORY, "story", story.id()).text(story.title()).raw("</a></p>");
    html.raw("<h1>").text(comment.subject()).raw("</h1><section class=\"comments\">");
    CommentThread.write(html, thread.items());
    if (thread.more()) {
      html.raw("<p class=\"empty\">There are more answers: open one of these to see them.</p>");
    }
    return Reply.page(Layout.end(html.raw("</section>"), state));
  }

  Reply moderateComment(Visit visit) throws SQLException, Problem {
    return Reply.page(moderationForm(visit, Optional.empty()));
  }

  Reply storeModerateLog(Visit visit) throws SQLException, Problem {
    int comment = visit.id("comment");
    Member moderator;
    Comments.Rated rated;
    try {
      Integer change = RATINGS.get(visit.value("rating"));
      if (change == null) {
        throw Problem.wrongInput("Please choose: up, down or neither.");
      }
      moderator = identity.needed(visit, Access.MODERATOR, "moderators");
      rated =
          comments
              .rate(comment, change, moderator)
              .orElseThrow(() -> Problem.notFound("There is no such comment."));
    } catch (Problem problem) {
      if (problem.status() == 404) {
        throw problem;
      }
      return Reply.problem(problem.status(), moderationForm(visit, Optional.of(problem)));
    }
    State state = State.STORE_MODERATE_LOG;
    Html html = Layout.begin(state, "Comment moderated", Optional.of(moderator));
    Layout.heading(html.raw("<div class=\"done\">"), "Thank you", "The comment has been rated.");
    html.raw("<p>Its rating is now <b data-rating=\"")
        .number(rated.rating())
        .raw("\">")
        .number(rated.rating());
    html.raw("</b>.</p><p>");
    Layout.link(html, State.VIEW_COMMENT, "comment", comment).raw("Back to the comment</a> ");
    Layout.link(html, State.VIEW_STORY, "story", rated.story())
        .raw("Back to the story</a></p></div>");
    return Reply.page(Layout.end(html, state)).signedIn(Optional.of(moderator));
  }

  private Html commentForm(Visit visit, Optional<Problem> problem) throws SQLException, Problem {
    Story story = story(visit.id("story"));
    int parent = visit.idOrZero("parent");
    State state = State.POST_COMMENT;
    Html html = Layout.begin(state, "Comment", visit.member());
    html.raw("<p class=\"by\">on ");
    Layout.link(html, State.VIEW_STORY, "story", story.id()).text(story.title()).raw("</a></p>");
    Layout.heading(html, parent == 0 ? "Comment on the story" : "Answer the comment", "");
    if (parent != 0) {
      quote(html, comment(parent));
    }
    Layout.message(html, problem);
    if (visit.keeps() && problem.isEmpty()) {
      Forms.kept(html);
    }
    Layout.form(html, State.STORE_COMMENT, "post");
    Forms.hidden(html, "story", story.id());
    if (parent != 0) {
      Forms.hidden(html, "parent", parent);
    }
    Forms.line(html, visit, "subject", "Subject", Forms.TITLE_CHARACTERS, "required");
    Forms.body(html, visit);
    Forms.identity(html, visit, "Your name, unless you want to stay anonymous");
    return Layout.end(Forms.sendOrKeep(html, "Post comment"), state);
  }

  private Html moderationForm(Visit visit, Optional<Problem> problem) throws SQLException, Problem {
    Comment comment = comment(visit.id("comment"));
    State state = State.MODERATE_COMMENT;
    Html html = Layout.begin(state, "Moderate", visit.member());
    Layout.heading(html, "Moderate a comment", "");
    quote(html, comment);
    Layout.message(html, problem);
    Layout.form(html, State.STORE_MODERATE_LOG, "post");
    Forms.hidden(html, "comment", comment.id());
    html.raw("<fieldset class=\"choice\"><legend>Your rating</legend>");
    html.raw("<label><input type=\"radio\" name=\"rating\" value=\"1\"> Up</label>");
    html.raw("<label><input type=\"radio\" name=\"rating\" value=\"0\" checked> Neither</label>");
    html.raw("<label><input type=\"radio\" name=\"rating\" value=\"-1\"> Down</label></fieldset>");
    Forms.identity(html, visit, "A moderator's name");
    return Layout.end(Forms.send(html, "Rate"), state);
  }

  private Story story(int id) throws SQLException, Problem {
    return stories.byId(id).orElseThrow(() -> Problem.notFound("There is no such story."));
  }

  private Comment comment(int id) throws SQLException, Problem {
    return comments.byId(id).orElseThrow(() -> Problem.notFound("There is no such comment."));
  }

  private static void quote(Html html, Comment comment) {
    html.raw("<article class=\"quoted\"><h2>");
    Layout.link(html, State.VIEW_COMMENT, "comment", comment.id()).text(comment.subject());
    html.raw("</a></h2><p class=\"by\">");
    Layout.byline(html, comment.writer(), comment.postedSeconds());
    CommentThread.rating(html, comment.rating());
    Layout.prose(html.raw("</p>"), comment.body()).raw("</article>");
  }

  private static Optional<Member> or(Visit visit, Optional<Member> member) {
    return member.isPresent() ? member : visit.member();
  }
}
