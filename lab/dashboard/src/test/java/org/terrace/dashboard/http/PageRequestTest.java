package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.dashboard.http.PageRequest.MalformedRequestException;
import org.terrace.testing.Seeds;

/** Addresses are taken apart once, or refused. */
class PageRequestTest {
  private static PageRequest of(String address) throws MalformedRequestException {
    return PageRequest.of(false, URI.create(address));
  }

  @Test
  void segmentsAndParametersAreUnescapedOnce() throws MalformedRequestException {
    PageRequest request = of("/result/a%20b/%252e%252e/?q=x+y%26z&q=2&flag&=none");

    assertThat(request.segments()).containsExactly("result", "a b", "%2e%2e");
    assertThat(request.all("q")).containsExactly("x y&z", "2");
    assertThat(request.parameter("flag")).contains("");
    assertThat(request.parameter("other")).isEmpty();
    assertThat(of("/").segments()).isEmpty();
    assertThat(of("/a//b").segments()).containsExactly("a", "", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%c0%ae", "/%ff", "/?a=%e2%82", "/%ed%a0%80"})
  void escapedBytesThatAreNoTextAreRefused(String address) {
    assertThatThrownBy(() -> of(address)).isInstanceOf(MalformedRequestException.class);
  }

  @Test
  void whatIsTooLongIsRefused() {
    assertThatThrownBy(() -> of("/?" + "a".repeat(PageRequest.MOST_CHARACTERS + 1)))
        .isInstanceOf(MalformedRequestException.class);
    assertThat(PageRequest.segments("/%zz")).isEmpty();
    assertThat(PageRequest.segments("none")).contains(List.of());
  }

  @Test
  void noTextBreaksIt() {
    RandomGenerator random = Seeds.generator(Seeds.next("PageRequestTest.fuzz"));
    String letters = "/%.=&+;?az09ä\u0000\\";
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder("/");
      for (int i = random.nextInt(24); i > 0; i--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      PageRequest.segments(text.toString())
          .ifPresent(segments -> assertThat(segments).allMatch(each -> each.indexOf('\uFFFD') < 0));
    }
  }
}
