package org.terrace.board.page;

import com.google.errorprone.annotations.CompileTimeConstant;
import java.sql.SQLException;
import java.util.List;
import org.terrace.board.store.Comment;
import org.terrace.board.store.Comments;
import org.terrace.board.store.Member.Access;
import org.terrace.board.store.Members;
import org.terrace.board.store.Slice;
import org.terrace.board.store.Stories;
import org.terrace.board.store.StoryLine;
import org.terrace.board.store.UserLine;

/** The pages on which stories, comments and users are searched. Thread-safe. */
final class SearchPages {
  private static final int SEARCH_CHARACTERS = 60;

  private final Stories stories;
  private final Comments comments;
  private final Members members;
  private final List<String> suggestions;

  /**
   * @param suggestions words that are worth searching for
   */
  SearchPages(Stories stories, Comments comments, Members members, List<String> suggestions) {
    this.stories = stories;
    this.comments = comments;
    this.members = members;
    this.suggestions = List.copyOf(suggestions);
  }

  Reply search(Visit visit) {
    State state = State.SEARCH;
    Html html = Layout.begin(state, "Search", visit.member());
    Layout.heading(html, "Search", "").raw("<div class=\"searches\">");
    box(html, visit, State.SEARCH_IN_STORIES, "in-stories", "Stories, by words of the title");
    box(html, visit, State.SEARCH_IN_COMMENTS, "in-comments", "Comments, by words of the subject");
    box(html, visit, State.SEARCH_IN_USERS, "in-users", "Users, by the start of the nickname");
    suggestions(html.raw("</div>"));
    return Reply.page(Layout.end(html, state));
  }

  Reply searchInStories(Visit visit) throws SQLException, Problem {
    State state = State.SEARCH_IN_STORIES;
    String words = words(visit);
    Slice<StoryLine> found = words.isEmpty() ? none() : stories.search(words, visit.page());
    Html html = beginResults(visit, state, "Stories, by words of the title");
    StoryList.write(html, found.items(), nothing(words));
    return endResults(html, state, words, found);
  }

  Reply searchInComments(Visit visit) throws SQLException, Problem {
    State state = State.SEARCH_IN_COMMENTS;
    String words = words(visit);
    Slice<Comment> found = words.isEmpty() ? none() : comments.search(words, visit.page());
    Html html = beginResults(visit, state, "Comments, by words of the subject");
    if (found.items().isEmpty()) {
      html.raw("<p class=\"empty\">").text(nothing(words)).raw("</p>");
    } else {
      html.raw("<ol class=\"stories\">");
      found.items().forEach(comment -> result(html, comment));
      html.raw("</ol>");
    }
    return endResults(html, state, words, found);
  }

  Reply searchInUsers(Visit visit) throws SQLException, Problem {
    State state = State.SEARCH_IN_USERS;
    String words = words(visit);
    Slice<UserLine> found = words.isEmpty() ? none() : members.search(words, visit.page());
    Html html = beginResults(visit, state, "Users, by the start of the nickname");
    if (found.items().isEmpty()) {
      html.raw("<p class=\"empty\">").text(nothing(words)).raw("</p>");
    } else {
      html.raw("<ul class=\"users\">");
      found.items().forEach(user -> result(html, user));
      html.raw("</ul>");
    }
    return endResults(html, state, words, found);
  }

  private static void result(Html html, Comment comment) {
    html.raw("<li><h2>");
    Layout.link(html, State.VIEW_COMMENT, "comment", comment.id()).text(comment.subject());
    html.raw("</a></h2><p>").text(comment.body()).raw(comment.whole() ? "" : "…");
    html.raw("</p><p class=\"by\">");
    Layout.byline(html, comment.writer(), comment.postedSeconds());
    CommentThread.rating(html, comment.rating());
    html.raw("</p></li>");
  }

  private static void result(Html html, UserLine user) {
    html.raw("<li><h2>").text(user.nickname()).raw("</h2><p class=\"by\">");
    if (user.access() != Access.USER) {
      html.raw("<span class=\"tag\">");
      html.raw(user.access() == Access.AUTHOR ? "author" : "moderator").raw("</span> ");
    }
    Layout.time(html.raw("since "), user.sinceSeconds());
    html.raw(" <span>rating ").number(user.rating()).raw("</span></p>");
    if (!user.stories().isEmpty()) {
      html.raw("<ul>");
      for (StoryLine story : user.stories()) {
        html.raw("<li>");
        Layout.link(html, State.VIEW_STORY, "story", story.id()).text(story.title());
        html.raw("</a></li>");
      }
      html.raw("</ul>");
    }
    html.raw("</li>");
  }

  private Html beginResults(Visit visit, State state, @CompileTimeConstant String label) {
    Html html = Layout.begin(state, "Search", visit.member());
    Layout.heading(html, "Search", "").raw("<div class=\"searches\">");
    box(html, visit, state, "search", label);
    suggestions(html.raw("</div>"));
    html.raw("<nav class=\"tabs\" aria-label=\"Search in\">");
    tab(html, visit, state, State.SEARCH_IN_STORIES, "Stories");
    tab(html, visit, state, State.SEARCH_IN_COMMENTS, "Comments");
    tab(html, visit, state, State.SEARCH_IN_USERS, "Users");
    return html.raw("</nav><section class=\"results\">");
  }

  private static Reply endResults(Html html, State state, String words, Slice<?> found) {
    Layout.paging(html, state, "search", words, found);
    return Reply.page(Layout.end(html.raw("</section>"), state));
  }

  private static void box(
      Html html,
      Visit visit,
      State target,
      @CompileTimeConstant String id,
      @CompileTimeConstant String label) {
    Layout.form(html, target, "get").raw("<label for=\"").raw(id).raw("\">").raw(label);
    html.raw("</label><div class=\"row\"><input id=\"").raw(id).raw("\" name=\"search\" type=");
    html.raw("\"search\" maxlength=\"").number(SEARCH_CHARACTERS).raw("\" list=\"words\" value=\"");
    html.text(visit.value("search")).raw("\"><button>Search</button></div></form>");
  }

  private static void tab(
      Html html, Visit visit, State current, State target, @CompileTimeConstant String label) {
    html.raw("<a href=\"").text(target.path()).raw("?search=").component(visit.value("search"));
    html.raw("\" data-page=\"").text(target.pageName());
    html.raw(current == target ? "\" aria-current=\"page\">" : "\">").raw(label).raw("</a>");
  }

  private void suggestions(Html html) {
    html.raw("<datalist id=\"words\">");
    for (String word : suggestions) {
      html.raw("<option value=\"").text(word).raw("\"></option>");
    }
    html.raw("</datalist>");
  }

  private static String words(Visit visit) throws Problem {
    String words = visit.value("search");
    if (words.length() > SEARCH_CHARACTERS || words.indexOf('\0') >= 0) {
      throw Problem.notFound("Search for at most " + SEARCH_CHARACTERS + " characters.");
    }
    return words;
  }

  private static <T> Slice<T> none() {
    return new Slice<>(List.of(), 0, false);
  }

  private static String nothing(String words) {
    return words.isEmpty() ? "Type what you look for." : "Nothing found for “" + words + "”.";
  }
}
