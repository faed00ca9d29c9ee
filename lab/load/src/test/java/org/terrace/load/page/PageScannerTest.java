package org.terrace.load.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class PageScannerTest {
  private static final FormFiller FILLER =
      (state, field, suggestion) ->
          field.equals("left-out") ? null : suggestion == null ? "text & " + field : suggestion;

  private final RandomGenerator random = Seeds.generator(Seeds.next("PageScannerTest"));
  private final PageScanner scanner = new PageScanner();

  private @Nullable Link scan(String page, String wanted) {
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    scanner.begin(wanted, random);
    int at = 0;
    while (at < bytes.length) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(40));
      scanner.feed(bytes, at, length);
      at += length;
    }
    return scanner.link(FILLER);
  }

  @Test
  void theStateOfThePageIsRead() {
    scan("<html><HEAD><meta charset=\"utf-8\"><META name=\"page\" content=\"Search\">", "X");
    assertThat(scanner.pageState()).isEqualTo("Search");

    scan("<html><meta name=page content='ViewStory'/>", "X");
    assertThat(scanner.pageState()).isEqualTo("ViewStory");

    scan("<html><meta name=\"pages\" content=\"Search\">", "X");
    assertThat(scanner.pageState()).isNull();
  }

  @Test
  void everyLinkToTheWantedStateIsAsLikelyAsTheOthers() {
    String page =
        """
        <a href="/a?x=1&amp;y=2" data-page="View">1</a>
        <a href="/no" data-page="Viewer">no</a>
        <a class="x" data-page="View" href="/b">2</a>
        <a data-page=View href=/c>3</a>
        <form method="get" action="/d" data-page="View"></form>
        <a href="http://elsewhere.example/" data-page="View">another site</a>
        """;
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 8000; i++) {
      Link link = scan(page, "View");
      assertThat(link).isNotNull();
      counts.merge(link.address(), 1, Integer::sum);
    }

    assertThat(counts).containsOnlyKeys("/a?x=1&y=2", "/b", "/c", "/d");
    assertThat(counts.values())
        .allSatisfy(count -> assertThat(count / 8000.0).isCloseTo(0.25, within(0.03)));
  }

  @Test
  void formsAreFilledAndHiddenFieldsCarried() {
    Link link =
        scan(
            """
            <form action="/other" method="post" data-page="Other"><input name="no"></form>
            <form action="/store" method="post" data-page="Store">
              <input type="hidden" name="story" value="1&quot;7">
              <input type="text" name="subject" value="old"><textarea name="body"></textarea>
              <input name="left-out"><input type="submit" name="go" value="Go">
              <input type="checkbox" name="mail" checked><input type="checkbox" name="spam">
            </form>
            <input name="outside">
            """,
            "Store");

    assertThat(link)
        .isEqualTo(
            new Link("/store", "story=1%227&subject=text+%26+subject&body=text+%26+body&mail=on"));
  }

  @Test
  void anOptionIsTakenForSelectsAndRadios() {
    String page =
        """
        <form action="/f?old=1" data-page="F"><select name="s"><option value="">choose</option>
        <option value="1">a</option><option value="2">b</option></select>
        <input type="radio" name="r" value="-1"><input type="radio" name="r" value="0" checked>
        <input type="radio" name="r" value="1"></form>
        """;
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 6000; i++) {
      Link link = scan(page, "F");
      assertThat(link).isNotNull();
      counts.merge(link.address(), 1, Integer::sum);
    }

    assertThat(counts).hasSize(6).containsKeys("/f?s=1&r=-1", "/f?s=2&r=1");
    assertThat(counts.values())
        .allSatisfy(count -> assertThat(count / 6000.0).isCloseTo(1 / 6.0, within(0.03)));
  }

  @Test
  void aSuggestedWordOfThePageIsTaken() {
    Link link =
        scan(
            """
            <form action="/search" data-page="Search"><input name="search" list="words"></form>
            <datalist id="words"><option value="caf&#233;"></datalist>
            """,
            "Search");

    assertThat(link).isEqualTo(Link.get("/search?search=caf%C3%A9"));
  }

  @Test
  void commentsAndScriptsOfferNothing() {
    String hidden = "<a href=\"/no\" data-page=\"View\">";
    String page =
        "<!-- "
            + hidden
            + " ---><script>if (a<b) \""
            + hidden
            + "\"</script><STYLE>"
            + hidden
            + "</STYLE> 1 < 2 <<a href='/yes' data-page='View'>";

    assertThat(scan(page, "View")).isEqualTo(Link.get("/yes"));
    assertThat(scanner.candidates()).isEqualTo(1);
  }

  @Test
  void noPageBreaksTheScanner() {
    String alphabet = "<>\"'=/!- adatfrm-pgeVw\n&#;";
    for (int round = 0; round < 3000; round++) {
      StringBuilder page = new StringBuilder("<form data-page=View action=/f>");
      for (int i = random.nextInt(300); i > 0; i--) {
        page.append(
            random.nextInt(10) == 0
                ? "<input name=\"n\" value=\"v\">"
                : String.valueOf(alphabet.charAt(random.nextInt(alphabet.length()))));
      }
      Link link = scan(page.toString(), "View");
      if (link != null) {
        assertThat(link.address()).startsWith("/").doesNotContain(" ", "\n", "\r");
      }
    }
    String longTag = "<a " + "x".repeat(100_000) + " href=/f data-page=View>";
    assertThat(scan(longTag + "<a href=/g data-page=View>", "View")).isEqualTo(Link.get("/g"));
  }
}
