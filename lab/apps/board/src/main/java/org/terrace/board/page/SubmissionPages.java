package org.terrace.board.page;

import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalInt;
import org.terrace.board.store.Category;
import org.terrace.board.store.Member;
import org.terrace.board.store.Member.Access;
import org.terrace.board.store.Slice;
import org.terrace.board.store.Stories;
import org.terrace.board.store.Submission;
import org.terrace.board.store.Submissions;

/** The pages on which stories are submitted and decided on. Thread-safe. */
final class SubmissionPages {
  private final Stories stories;
  private final Submissions submissions;
  private final Identity identity;
  private final MemberPages memberPages;

  SubmissionPages(
      Stories stories, Submissions submissions, Identity identity, MemberPages memberPages) {
    this.stories = stories;
    this.submissions = submissions;
    this.identity = identity;
    this.memberPages = memberPages;
  }

  Reply submitStory(Visit visit) throws SQLException {
    return Reply.page(storyForm(visit.withDraft(Draft.OF_STORY, "title"), Optional.empty()));
  }

  private Reply keepStory(Visit visit) throws SQLException, Problem {
    Optional<Member> writer = identity.of(visit);
    Draft draft = visit.draft("title");
    return Reply.page(storyForm(visit.by(writer), Optional.empty()))
        .keeping(writer, Draft.OF_STORY, draft);
  }

  Reply storeStory(Visit visit) throws SQLException, Problem {
    Optional<Member> writer;
    try {
      if (visit.keeps()) {
        return keepStory(visit);
      }
      String title = visit.text("title", "Title", Forms.TITLE_CHARACTERS);
      String body = visit.text("body", "Text", Forms.BODY_CHARACTERS);
      writer = identity.of(visit);
      int author = writer.map(Member::id).orElse(0);
      if (submissions.add(visit.id("category"), author, title, body).isEmpty()) {
        throw Problem.notFound("There is no such category.");
      }
    } catch (Problem problem) {
      if (problem.status() == 404) {
        throw problem;
      }
      return Reply.problem(problem.status(), storyForm(visit, Optional.of(problem)));
    }
    State state = State.STORE_STORY;
    Html html = Layout.begin(state, "Story submitted", writer);
    html.raw("<div class=\"done\">");
    Layout.heading(html, "Thank you", "An author will read your story and decide on it.");
    return Reply.page(Layout.end(html.raw("</div>"), state)).sent(writer, Draft.OF_STORY);
  }

  Reply reviewStories(Visit visit) throws SQLException, Problem {
    if (!isAuthor(visit)) {
      return signIn(visit);
    }
    State state = State.REVIEW_STORIES;
    Slice<Submission> waiting = submissions.waiting(visit.page());
    Html html = Layout.begin(state, "Review", visit.member());
    Layout.heading(html, "Submissions", "").raw("<div class=\"submissions\">");
    if (waiting.items().isEmpty()) {
      html.raw("<p class=\"empty\">Nothing is waiting.</p>");
    }
    for (Submission submission : waiting.items()) {
      one(html, submission);
    }
    Layout.paging(html.raw("</div>"), state, "", "", waiting);
    return Reply.page(Layout.end(html, state));
  }

  Reply acceptStory(Visit visit) throws SQLException, Problem {
    if (!isAuthor(visit)) {
      return signIn(visit);
    }
    OptionalInt story = submissions.accept(visit.id("submission"));
    Html html = decided(State.ACCEPT_STORY, visit, story.isPresent(), "The story is out.");
    if (story.isPresent()) {
      Layout.link(html, State.VIEW_STORY, "story", story.getAsInt()).raw("Read it</a>");
    }
    return Reply.page(Layout.end(html.raw("</p></div>"), State.ACCEPT_STORY));
  }

  Reply rejectStory(Visit visit) throws SQLException, Problem {
    if (!isAuthor(visit)) {
      return signIn(visit);
    }
    boolean done = submissions.reject(visit.id("submission"));
    Html html = decided(State.REJECT_STORY, visit, done, "The story will not appear.");
    return Reply.page(Layout.end(html.raw("</p></div>"), State.REJECT_STORY));
  }

  private static Html decided(State state, Visit visit, boolean now, String outcome) {
    Html html = Layout.begin(state, "Decided", visit.member()).raw("<div class=\"done\">");
    String told = now ? outcome : "Somebody else has decided on this story already.";
    Layout.heading(html, "Decided", told).raw("<p>");
    return Layout.link(html, State.REVIEW_STORIES, "plain").raw("More submissions</a> ");
  }

  private static void one(Html html, Submission submission) {
    html.raw("<article id=\"submission-").number(submission.id()).raw("\"><h2>");
    html.text(submission.title()).raw("</h2><p class=\"by\"><span class=\"tag\">");
    html.text(submission.category()).raw("</span> ");
    Layout.byline(html, submission.writer(), submission.postedSeconds()).raw("</p>");
    html.raw("<details><summary>Read</summary>");
    Layout.prose(html, submission.body()).raw("</details><div class=\"acts\">");
    Forms.hidden(Layout.form(html, State.ACCEPT_STORY, "post"), "submission", submission.id());
    html.raw("<button>Accept</button></form>");
    Forms.hidden(Layout.form(html, State.REJECT_STORY, "post"), "submission", submission.id());
    html.raw("<button class=\"quiet\">Reject</button></form></div></article>");
  }

  private Html storyForm(Visit visit, Optional<Problem> problem) throws SQLException {
    State state = State.SUBMIT_STORY;
    Html html = Layout.begin(state, "Submit a story", visit.member());
    Layout.heading(html, "Submit a story", "An author reads it before it appears.");
    Layout.message(html, problem);
    if (visit.keeps() && problem.isEmpty()) {
      Forms.kept(html);
    }
    Layout.form(html, State.STORE_STORY, "post");
    html.raw("<p class=\"field\"><label for=\"category\">Category</label>");
    html.raw("<select id=\"category\" name=\"category\">");
    String chosen = visit.value("category");
    for (Category category : stories.categories()) {
      html.raw("<option value=\"").number(category.id());
      html.raw(chosen.equals(String.valueOf(category.id())) ? "\" selected>" : "\">");
      html.text(category.name()).raw("</option>");
    }
    html.raw("</select></p>");
    Forms.line(html, visit, "title", "Title", Forms.TITLE_CHARACTERS, "required");
    Forms.body(html, visit);
    Forms.identity(html, visit, "Your name, unless you want to stay anonymous");
    return Layout.end(Forms.sendOrKeep(html, "Submit story"), state);
  }

  private static boolean isAuthor(Visit visit) {
    return visit.member().filter(member -> member.may(Access.AUTHOR)).isPresent();
  }

  private Reply signIn(Visit visit) {
    return Reply.problem(403, memberPages.authorLogin(visit).html());
  }
}
