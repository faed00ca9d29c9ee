package org.terrace.board.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;

class HtmlTest {
  @Test
  void textCannotBecomeMarkup() {
    String html = new Html().raw("<p>").text("<b>&amp;\"'</b>").raw("</p>").toString();

    assertThat(html).isEqualTo("<p>&lt;b&gt;&amp;amp;&quot;&#39;&lt;/b&gt;</p>");
  }

  @Test
  void anyTextComesBackFromContentAndAttributesAsItWas() {
    RandomGenerator random = Seeds.generator(Seeds.next("HtmlTest"));
    for (int round = 0; round < 300; round++) {
      String text = random.ints(20).mapToObj(i -> character(random)).reduce("", String::concat);
      String html =
          new Html().raw("<p title=\"").text(text).raw("\">").text(text).raw("</p>").toString();
      Element read = Jsoup.parse(html).selectFirst("p");

      assertThat(read.wholeText()).isEqualTo(text);
      assertThat(read.attr("title")).isEqualTo(text);
      assertThat(read.attributesSize()).isEqualTo(1);
      assertThat(read.children()).isEmpty();
    }
  }

  @Test
  void anyTextComesBackFromAUrlAsItWas() {
    RandomGenerator random = Seeds.generator(Seeds.next("HtmlTest"));
    for (int round = 0; round < 300; round++) {
      String text = random.ints(20).mapToObj(i -> character(random)).reduce("", String::concat);
      String encoded = new Html().component(text).toString();

      assertThat(encoded).matches("[A-Za-z0-9%-]*");
      assertThat(URLDecoder.decode(encoded, StandardCharsets.UTF_8)).isEqualTo(text);
    }
  }

  @Test
  void bytesAreUtf8() {
    assertThat(new Html().text("Grüße 日本 🙂").bytes())
        .isEqualTo("Grüße 日本 🙂".getBytes(StandardCharsets.UTF_8));
  }

  private static String character(RandomGenerator random) {
    String special = "<>&\"'`=/ ;#-!\\%+?éß→🙂";
    int[] points = special.codePoints().toArray();
    return random.nextBoolean()
        ? Character.toString(points[random.nextInt(points.length)])
        : Character.toString('a' + random.nextInt(26));
  }
}
