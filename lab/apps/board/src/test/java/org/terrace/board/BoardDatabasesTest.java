package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.board.Visitor.Page;
import org.terrace.board.partitions.NdbLikeServers;
import org.terrace.cluster.jdbc.inspection.ClusterInspection;
import org.terrace.cluster.jdbc.inspection.TableComparison;
import org.terrace.databases.mariadb.MariaDbServer;

/**
 * The board over each database: the same pages of the same rows, and no statement that a cluster
 * would refuse.
 */
@Tag("real-processes")
@Tag("untimed")
class BoardDatabasesTest {
  /** Pages that show every statement that reads, before anything is written. */
  private static final List<String> PAGES =
      List.of(
          "/",
          "/browse-categories",
          "/browse-stories-in-category?category=3",
          "/browse-stories-in-category?category=3&page=1",
          "/older-stories",
          "/older-stories?day=2026-06-12",
          "/older-stories?day=2026-05-30&page=1",
          "/view-story?story=3",
          "/view-story?story=610",
          "/view-story?story=610&page=1",
          "/view-story?story=999999",
          "/view-comment?comment=3",
          "/view-comment?comment=1500",
          "/view-comment?comment=999999",
          "/search-in-users?search=user1",
          "/search-in-users?search=USER10",
          "/search-in-users?search=author&page=1",
          "/search-in-users?search=nobody");

  /** The pages over one server of PostgreSQL, with which all others are compared. */
  private static List<String> expected;

  @BeforeAll
  static void visitOneServer() throws Exception {
    try (BoardOverDatabases board = BoardOverDatabases.open("postgresql", 1)) {
      expected = visit(board);
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void aClusterShowsTheSamePagesAndStaysIdentical(String engine) throws Exception {
    assumeThat(engine.equals("postgresql") || MariaDbServer.isInstallable()).isTrue();
    try (BoardOverDatabases board = BoardOverDatabases.open(engine, 2)) {
      assertThat(visit(board)).containsExactlyElementsOf(expected);
      assertIdentical(board);
      board.serveFirstAlone();
      try (Visitor visitor = board.visitor()) {
        assertThat(visitor.get("/search-in-stories?search=good+NEWS").one(".results a").text())
            .isEqualTo("Good news");
      }
    }
  }

  @Test
  void sqlNodesBeforeDataNodesShowTheSamePages() throws Exception {
    NdbLikeServers.assumePrograms();
    try (BoardOverDatabases board = BoardOverDatabases.open(BoardOverDatabases.NDB_LIKE, 4)) {
      assertThat(visit(board)).containsExactlyElementsOf(expected);
    }
  }

  /** The pages as read, and then those of writes with all numbers left out. */
  private static List<String> visit(BoardOverDatabases board) {
    List<String> seen = new ArrayList<>();
    try (Visitor visitor = board.visitor();
        Visitor author = board.visitor()) {
      for (String path : PAGES) {
        seen.add(path + visitor.get(path).html());
      }
      search(visitor, seen);
      write(visitor, author, seen);
    }
    return seen;
  }

  /** Searches for the words of a title that is there, alone, together and in capitals. */
  private static void search(Visitor visitor, List<String> seen) {
    String[] title = visitor.get("/view-story?story=610").one("h1").text().split(" ", -1);
    List<String> searches =
        List.of(title[0], title[0].toUpperCase(Locale.ROOT) + " " + title[1], "nosuch");
    for (String words : searches) {
      for (String where : List.of("stories", "comments")) {
        String path = "/search-in-" + where + "?search=" + Visitor.encode(words);
        Page page = visitor.get(path);
        assertThat(page.status()).isEqualTo(200);
        seen.add(path + page.html());
      }
    }
  }

  private static void write(Visitor visitor, Visitor author, List<String> seen) {
    author.signIn("author2", "password2");
    note(seen, visitor.submit(form(visitor, "/register", "RegisterUser"), PERSON));
    note(seen, visitor.submit(form(visitor, "/register", "RegisterUser"), PERSON));
    for (int story : new int[] {610, 3}) {
      Element first = form(visitor, "/post-comment?story=" + story, "StoreComment");
      Page stored = visitor.submit(first, Map.of("subject", "Hear, hear", "body", "A\\b 'c'"));
      note(seen, stored);
      String comment = stored.one("[data-page=ViewComment]").attr("href").replaceAll(".*=", "");
      String answer = "/post-comment?story=" + story + "&parent=" + comment;
      note(
          seen,
          visitor.submit(
              form(visitor, answer, "StoreComment"), Map.of("subject", "No", "body", "Ωμέγα")));
      note(seen, visitor.get("/view-comment?comment=" + comment));
      Element rating = form(author, "/moderate-comment?comment=" + comment, "StoreModerateLog");
      note(seen, author.submit(rating, Map.of("rating", "1")));
      note(seen, visitor.get("/view-story?story=" + story));
    }
    note(
        seen,
        visitor.post(
            "/store-comment",
            Map.of("story", "999999", "parent", "0", "subject", "s", "body", "b")));
    for (String title : List.of("Good news", "Advertisement")) {
      note(
          seen,
          visitor.submit(
              form(visitor, "/submit-story", "StoreStory"),
              Map.of("title", title, "body", "It is so.", "category", "3")));
    }
    decide(author, "Good news", "AcceptStory", seen);
    decide(author, "Advertisement", "RejectStory", seen);
    note(seen, visitor.get("/"));
    note(seen, visitor.get("/search-in-stories?search=good+NEWS"));
    note(seen, visitor.get("/search-in-comments?search=hear"));
    note(seen, visitor.get("/search-in-users?search=mara"));
  }

  private static void decide(Visitor author, String title, String decision, List<String> seen) {
    for (int number = 0; number < 20; number++) {
      for (Element article :
          author.get("/review-stories?page=" + number).document().select(".submissions article")) {
        if (article.select("h2").text().equals(title)) {
          Element form = article.selectFirst("[data-page=" + decision + "]");
          note(seen, author.submit(form, Map.of()));
          note(seen, author.submit(form, Map.of()));
          return;
        }
      }
    }
    throw new AssertionError("there is no submission " + title);
  }

  private static final Map<String, String> PERSON =
      Map.of(
          "first-name", "Mara",
          "last-name", "Vale",
          "nickname", "Mara_1",
          "email", "mara@example.org",
          "password", "secret words");

  private static Element form(Visitor visitor, String path, String name) {
    return visitor.get(path).one("form[data-page=" + name + "]");
  }

  /** Notes what a page says without its numbers: ids and times are others at each board. */
  private static void note(List<String> seen, Page page) {
    assertThat(page.status()).as(page.html()).isLessThan(500);
    seen.add(page.status() + " " + page.html().replaceAll("[0-9]+", "#"));
  }

  private static void assertIdentical(BoardOverDatabases board) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "board");
    List<TableComparison> tables = ClusterInspection.of(board.clusterUrl(), properties).verify();
    assertThat(tables).hasSize(8);
    assertThat(tables).allMatch(TableComparison::isEqual);
  }
}
