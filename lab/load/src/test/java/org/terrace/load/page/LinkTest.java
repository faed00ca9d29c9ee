package org.terrace.load.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTest {
  private static final String HOST = "shop.example:8080";
  private static final Link PAGE = Link.get("/carts/7/items?page=2");

  /** The examples of RFC 3986, section 5.4, as far as they stay within a service, and others. */
  @ParameterizedTest
  @CsvSource({
    "/new?c=d, /new?c=d",
    "b, /carts/7/b",
    "./b, /carts/7/b",
    "../abs/b, /carts/abs/b",
    "../../../b, /b",
    "., /carts/7/",
    ".., /carts/",
    "b/., /carts/7/b/",
    "/a/./b/../c/, /a/c/",
    "/a..b/.c, /a..b/.c",
    "?page=1, /carts/7/items?page=1",
    "?to=../x, /carts/7/items?to=../x",
    "b?at=12:30, /carts/7/b?at=12:30",
    "#end, /carts/7/items?page=2",
    "b#end, /carts/7/b",
    "http://shop.example:8080/b, /b",
    "HTTP://SHOP.example:8080/b, /b",
    "http://shop.example:8080, /",
    "http://shop.example:8080?c=d, /?c=d",
    "//shop.example:8080/b, /b",
    "//SHOP.example:8080/b, /b",
    "//shop.example:8080, /",
    "//shop.example:8080?c=d, /?c=d",
    "//shop.example:8080#end, /",
  })
  void aReferenceLeadsToAnAddressOfTheService(String reference, String address) {
    assertThat(PAGE.resolved(reference, HOST)).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://shop.example:8080/b",
        "http://shop.example/b",
        "http://shop.example:80801/b",
        "http://other.example:8080/b",
        "//other.example/b",
        "//shop.example:80801/b",
        "//shop.example:8080@other.example/b",
        "//",
        "mailto:me@shop.example",
        "b c",
        "/ä"
      })
  void aReferenceToElsewhereOrOfOtherCharactersLeadsNowhere(String reference) {
    assertThat(PAGE.resolved(reference, HOST)).isNull();
  }
}
