package org.terrace.load.page;

import org.jspecify.annotations.Nullable;

/**
 * A way to the next page: an address to get, a filled form to post, or any other request.
 * Immutable.
 *
 * @param method the method of the request
 * @param address path and query, as sent in the request line
 * @param body the text to send, such as the fields of a form; null for none
 * @param headers header lines of its own, each with its line's end
 */
public record Link(String method, String address, @Nullable String body, String headers) {
  private static final String PAGE = "Accept: text/html\r\n";
  private static final String FORM = PAGE + "Content-Type: application/x-www-form-urlencoded\r\n";

  /**
   * A link or a form of a page.
   *
   * @param body the fields of a form to post, as {@code application/x-www-form-urlencoded}; null to
   *     get
   */
  public Link(String address, @Nullable String body) {
    this(body == null ? "GET" : "POST", address, body, body == null ? PAGE : FORM);
  }

  public static Link get(String address) {
    return new Link(address, null);
  }

  public boolean isPost() {
    return body != null;
  }

  /** The path and query of a link on a page; null when it leads to another host or scheme. */
  public static @Nullable String local(String href) {
    int fragment = href.indexOf('#');
    String address = fragment < 0 ? href : href.substring(0, fragment);
    if (!address.startsWith("/") || address.startsWith("//")) {
      return null;
    }
    for (int i = 0; i < address.length(); i++) {
      char character = address.charAt(i);
      if (character <= ' ' || character > '~') {
        return null;
      }
    }
    return address;
  }
}
