package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.board.Visitor.Page;

/** The effects of what is sent to the board: one each, and none of wrong input. */
@ExtendWith(RunningBoard.Resolver.class)
@Tag("real-processes")
@Tag("untimed")
class WritesTest {

  @Test
  void whoRegistersIsSignedInAndCanSignInAgain(RunningBoard board) {
    try (Visitor visitor = board.visitor();
        Visitor later = board.visitor()) {
      Page welcome = visitor.submit(registration(visitor), person("Mara-1"));

      assertThat(welcome.state()).isEqualTo("RegisterUser");
      assertThat(welcome.one(".done").text()).contains("Mara-1");
      assertThat(visitor.get("/").one(".who").text()).isEqualTo("Mara-1");
      Page account = later.signIn("mara-1", "secret words");
      assertThat(account.status()).isEqualTo(200);
      assertThat(account.one("main").text()).contains("You are signed in as Mara-1.");
      assertThat(later.get("/").one(".who").text()).isEqualTo("Mara-1");
      Page desk = later.get("/review-stories");
      assertThat(desk.status()).isEqualTo(403);
      assertThat(desk.state()).isEqualTo("AuthorLogin");
    }
  }

  @Test
  void whoSignsInAsSomebodyElseIsThatMemberWithNothingOfTheOthers(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      visitor.submit(registration(visitor), person("Mara-2"));
      visitor.post(
          "/store-story",
          Map.of("category", "1", "title", "Mine", "body", "Half a story", "keep", "draft"));
      assertThat(visitor.get("/submit-story").one("[name=title]").val()).isEqualTo("Mine");

      Page wrong = visitor.signIn("author6", "not the password");
      assertThat(wrong.status()).isEqualTo(422);
      assertThat(visitor.get("/").one(".who").text()).isEqualTo("Mara-2");

      assertThat(visitor.signIn("author6", "password6").state()).isEqualTo("AuthorTask");
      assertThat(visitor.get("/").one(".who").text()).isEqualTo("author6");
      assertThat(visitor.get("/submit-story").one("[name=title]").val()).isEmpty();
    }
  }

  @Test
  void aNicknameIsGivenOnceWhateverItsCapitals(RunningBoard board) throws SQLException {
    try (Visitor visitor = board.visitor()) {
      visitor.submit(registration(visitor), person("Twice"));
      Page again = visitor.submit(registration(visitor), person("tWICE"));

      assertThat(again.status()).isEqualTo(422);
      assertThat(again.state()).isEqualTo("Register");
      assertThat(again.one(".error").text()).contains("taken");
      assertThat(again.one("[name=first-name]").val()).isEqualTo("Mara");
      assertThat(again.one("[name=password]").val()).isEmpty();
      assertThat(board.number("SELECT count(*) FROM users WHERE lower(nickname) = 'twice'"))
          .isEqualTo(1);
    }
  }

  @Test
  void wrongFieldsAreNamedAndNothingIsStored(RunningBoard board) throws SQLException {
    try (Visitor visitor = board.visitor()) {
      long users = board.number("SELECT count(*) FROM users WHERE nickname LIKE 'bad%'");
      for (Map<String, String> wrong :
          List.of(
              Map.of("nickname", "bad name"),
              Map.of("nickname", "b"),
              Map.of("nickname", "bad1", "email", "nobody"),
              Map.of("nickname", "bad2", "first-name", " "),
              Map.of("nickname", "bad3", "password", ""))) {
        Page page = visitor.post("/register-user", merged(person("bad0"), wrong));
        assertThat(page.status()).as(wrong.toString()).isEqualTo(422);
        assertThat(page.one(".error").text()).isNotBlank();
      }
      assertThat(board.number("SELECT count(*) FROM users WHERE nickname LIKE 'bad%'"))
          .isEqualTo(users);
    }
  }

  @Test
  void commentsNestBelowWhatTheyAnswerAndAreCounted(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      int story = 610;
      Element count = visitor.get("/view-story?story=" + story).one(".comments > h2");
      int before = Integer.parseInt(count.text().replaceAll("\\D", ""));
      int first = comment(visitor, "/post-comment?story=" + story, "First");
      int second = comment(visitor, answer(story, first), "Second");
      int third = comment(visitor, answer(story, second), "Third");

      Page page = visitor.get("/view-story?story=" + story);
      assertThat(page.one(nested(first, second, third)).text()).contains("Third");
      assertThat(page.one(".comments > h2").text()).startsWith((before + 3) + " comments");
      Page thread = visitor.get("/view-comment?comment=" + second);
      assertThat(thread.one("h1").text()).isEqualTo("Second");
      assertThat(thread.one(nested(second, third)).text()).contains("Third");
      assertThat(thread.document().select("#comment-" + first)).isEmpty();
    }
  }

  @Test
  void anOldStoryIsCommentedLikeANewOne(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      int first = comment(visitor, "/post-comment?story=3", "Late");
      int second = comment(visitor, answer(3, first), "Later");

      assertThat(visitor.get("/view-comment?comment=" + first).one(nested(first, second)).text())
          .contains("Later");
    }
  }

  @Test
  void aCommentCarriesTheNameOfItsWriterOrNone(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      int anonymous = comment(visitor, "/post-comment?story=611", "Nameless");
      Element form = visitor.get("/post-comment?story=611").one("form[data-page=StoreComment]");
      Page stored =
          visitor.submit(
              form,
              Map.of(
                  "subject", "Named", "body", "x", "nickname", "USER3", "password", "password3"));
      int named = id(stored.one("[data-page=ViewComment]"));

      assertThat(visitor.get("/view-comment?comment=" + anonymous).one(".anonymous")).isNotNull();
      assertThat(visitor.get("/view-comment?comment=" + named).one(".by b").text())
          .isEqualTo("user3");
      assertThat(visitor.get("/post-comment?story=611").document().select("[name=nickname]"))
          .isEmpty();
    }
  }

  @Test
  void aWrongPasswordStoresNothingAndKeepsTheText(RunningBoard board) throws SQLException {
    try (Visitor visitor = board.visitor()) {
      Element form = visitor.get("/post-comment?story=612").one("form[data-page=StoreComment]");
      Page page =
          visitor.submit(
              form,
              Map.of(
                  "subject", "Stolen", "body", "kept", "nickname", "user3", "password", "guess"));

      assertThat(page.status()).isEqualTo(422);
      assertThat(page.state()).isEqualTo("PostComment");
      assertThat(page.one("textarea").wholeText()).isEqualTo("kept");
      assertThat(board.number("SELECT count(*) FROM comments WHERE subject = 'Stolen'")).isZero();
    }
  }

  @Test
  void aCommentMustAnswerSomethingOnTheSameStory(RunningBoard board) {
    try (Visitor visitor = board.visitor()) {
      int elsewhere = comment(visitor, "/post-comment?story=613", "Elsewhere");
      Map<String, String> fields =
          Map.of("story", "614", "parent", "" + elsewhere, "subject", "s", "body", "b");

      assertThat(visitor.post("/store-comment", fields).status()).isEqualTo(404);
    }
  }

  @Test
  void moderationChangesTheCommentItsWriterAndTheLog(RunningBoard board) throws SQLException {
    try (Visitor writer = board.visitor();
        Visitor moderator = board.visitor()) {
      writer.submit(registration(writer), person("Rated"));
      int comment = comment(writer, "/post-comment?story=615", "To be rated");
      String rating = "SELECT rating FROM users WHERE nickname = 'Rated'";
      long before = board.number(rating);
      Page form = moderator.get("/moderate-comment?comment=" + comment);
      Page stored =
          moderator.submit(
              form.one("form[data-page=StoreModerateLog]"),
              Map.of("rating", "1", "nickname", "user10", "password", "password10"));

      assertThat(stored.state()).isEqualTo("StoreModerateLog");
      assertThat(stored.one("[data-rating]").attr("data-rating")).isEqualTo("1");
      assertThat(moderator.get("/view-comment?comment=" + comment).one(".rating").text())
          .isEqualTo("+1");
      assertThat(board.number(rating)).isEqualTo(before + 1);
      assertThat(board.number("SELECT count(*) FROM moderator_log WHERE comment = " + comment))
          .isEqualTo(1);
    }
  }

  @Test
  void ratingsStayWithinTheirBounds(RunningBoard board) {
    try (Visitor author = board.visitor()) {
      author.signIn("author1", "password1");
      int comment = comment(author, "/post-comment?story=616", "Loved, then hated");
      for (int i = 0; i < 7; i++) {
        rate(author, comment, "1");
      }
      assertThat(rate(author, comment, "0")).isEqualTo("5");
      for (int i = 0; i < 8; i++) {
        rate(author, comment, "-1");
      }
      assertThat(rate(author, comment, "0")).isEqualTo("-1");
    }
  }

  @Test
  void onlyModeratorsModerate(RunningBoard board) throws SQLException {
    try (Visitor user = board.visitor()) {
      int comment = comment(user, "/post-comment?story=617", "Untouchable");
      Element form =
          user.get("/moderate-comment?comment=" + comment).one("form[data-page=StoreModerateLog]");

      assertThat(user.submit(form, Map.of("rating", "1")).status()).isEqualTo(403);
      Page refused =
          user.submit(form, Map.of("rating", "1", "nickname", "user3", "password", "password3"));
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.state()).isEqualTo("ModerateComment");
      assertThat(board.number("SELECT rating FROM comments WHERE id = " + comment)).isZero();
    }
  }

  @Test
  void anAcceptedSubmissionIsAStoryAndARejectedOneIsGone(RunningBoard board) throws SQLException {
    try (Visitor visitor = board.visitor();
        Visitor author = board.visitor();
        Visitor other = board.visitor()) {
      submitStory(visitor, "Good news of today");
      submitStory(visitor, "Advertisement of today");
      author.signIn("author2", "password2");
      other.signIn("author3", "password3");
      Element good = submission(author, "Good news of today");
      Element bad = submission(author, "Advertisement of today");
      Page accepted = author.submit(good.selectFirst("[data-page=AcceptStory]"), Map.of());
      Page rejected = author.submit(bad.selectFirst("[data-page=RejectStory]"), Map.of());

      assertThat(accepted.state()).isEqualTo("AcceptStory");
      int story = id(accepted.one("[data-page=ViewStory]"));
      assertThat(visitor.get("/view-story?story=" + story).one("h1").text())
          .isEqualTo("Good news of today");
      assertThat(visitor.get("/").one(".stories h2").text()).isEqualTo("Good news of today");
      assertThat(rejected.state()).isEqualTo("RejectStory");
      assertThat(board.number("SELECT count(*) FROM submissions WHERE title LIKE '%of today'"))
          .isZero();
      Page late = other.submit(good.selectFirst("[data-page=AcceptStory]"), Map.of());
      assertThat(late.status()).isEqualTo(200);
      assertThat(late.one(".done").text()).contains("already");
      assertThat(board.number("SELECT count(*) FROM stories WHERE title = 'Good news of today'"))
          .isEqualTo(1);
    }
  }

  @Test
  void onlyAuthorsDecide(RunningBoard board) throws SQLException {
    try (Visitor user = board.visitor()) {
      user.submit(registration(user), person("Curious"));
      long before = board.number("SELECT min(id) FROM submissions");

      assertThat(user.get("/review-stories").status()).isEqualTo(403);
      assertThat(user.get("/author-task").status()).isEqualTo(403);
      for (String decision : new String[] {"/accept-story", "/reject-story"}) {
        Page page = user.post(decision, Map.of("submission", "" + before));
        assertThat(page.status()).isEqualTo(403);
        assertThat(page.state()).isEqualTo("AuthorLogin");
      }
      assertThat(board.number("SELECT min(id) FROM submissions")).isEqualTo(before);
    }
  }

  @Test
  void whoSignsOutIsAStranger(RunningBoard board) {
    try (Visitor author = board.visitor()) {
      author.signIn("author4", "password4");
      Page left = author.submit(author.get("/author-task").one("form.leave"), Map.of());

      assertThat(left.state()).isEqualTo("AuthorLogin");
      assertThat(author.get("/").document().select(".who")).isEmpty();
      assertThat(author.get("/review-stories").status()).isEqualTo(403);
    }
  }

  @Test
  void searchesFindWhatWasWritten(RunningBoard board) {
    try (Visitor visitor = board.visitor();
        Visitor author = board.visitor()) {
      visitor.submit(registration(visitor), person("Xanthippe"));
      int comment = comment(visitor, "/post-comment?story=618", "About zebrafish and others");
      submitStory(visitor, "Zebrafish seen downtown");
      author.signIn("author5", "password5");
      Element waiting = submission(author, "Zebrafish seen downtown");
      author.submit(waiting.selectFirst("[data-page=AcceptStory]"), Map.of());

      assertThat(search(visitor, "stories", "ZEBRAFISH downtown").one(".results a").text())
          .isEqualTo("Zebrafish seen downtown");
      assertThat(id(search(visitor, "comments", "zebrafish").one(".results a"))).isEqualTo(comment);
      Page users = search(visitor, "users", "xanth");
      assertThat(users.one(".users h2").text()).isEqualTo("Xanthippe");
      assertThat(users.one(".users a").text()).isEqualTo("Zebrafish seen downtown");
      assertThat(search(visitor, "stories", "nosuchword").one(".empty").text())
          .contains("nosuchword");
    }
  }

  private static Page search(Visitor visitor, String where, String words) {
    return visitor.get("/search-in-" + where + "?search=" + Visitor.encode(words));
  }

  private static void submitStory(Visitor visitor, String title) {
    Element form = visitor.get("/submit-story").one("form[data-page=StoreStory]");
    Page stored =
        visitor.submit(form, Map.of("title", title, "body", "It is so.", "category", "3"));
    assertThat(stored.state()).isEqualTo("StoreStory");
  }

  /** The submission with a title, on whichever page of the list it is. */
  private static Element submission(Visitor author, String title) {
    for (int number = 0; ; number++) {
      Page page = author.get("/review-stories?page=" + number);
      for (Element article : page.document().select(".submissions article")) {
        if (article.selectFirst("h2").text().equals(title)) {
          return article;
        }
      }
      assertThat(page.document().select("a[rel=next]")).as("a next page").isNotEmpty();
    }
  }

  private static int comment(Visitor visitor, String formAt, String subject) {
    Element form = visitor.get(formAt).one("form[data-page=StoreComment]");
    Page stored = visitor.submit(form, Map.of("subject", subject, "body", "Text of " + subject));
    assertThat(stored.state()).as(stored.html()).isEqualTo("StoreComment");
    return id(stored.one("[data-page=ViewComment]"));
  }

  private static String rate(Visitor moderator, int comment, String rating) {
    Element form =
        moderator
            .get("/moderate-comment?comment=" + comment)
            .one("form[data-page=StoreModerateLog]");
    return moderator
        .submit(form, Map.of("rating", rating))
        .one("[data-rating]")
        .attr("data-rating");
  }

  private static String answer(int story, int parent) {
    return "/post-comment?story=" + story + "&parent=" + parent;
  }

  private static String nested(int... comments) {
    StringBuilder selector = new StringBuilder("#comment-" + comments[0]);
    for (int i = 1; i < comments.length; i++) {
      selector.append(" > ol > #comment-").append(comments[i]);
    }
    return selector.toString();
  }

  private static int id(Element link) {
    return Integer.parseInt(link.attr("href").replaceAll(".*=", ""));
  }

  private static Element registration(Visitor visitor) {
    return visitor.get("/register").one("form[data-page=RegisterUser]");
  }

  private static Map<String, String> person(String nickname) {
    return Map.of(
        "first-name", "Mara",
        "last-name", "Vale",
        "nickname", nickname,
        "email", "mara@example.org",
        "password", "secret words");
  }

  private static Map<String, String> merged(Map<String, String> base, Map<String, String> over) {
    Map<String, String> merged = new HashMap<>(base);
    merged.putAll(over);
    return merged;
  }
}
