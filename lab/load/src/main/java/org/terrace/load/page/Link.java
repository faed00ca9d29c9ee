package org.terrace.load.page;

import org.jspecify.annotations.Nullable;

/**
 * A way to the next page: an address to get, or a filled form to post. Immutable.
 *
 * @param address path and query, as sent in the request line
 * @param body the fields of a form to post, as {@code application/x-www-form-urlencoded}; null to
 *     get
 */
public record Link(String address, @Nullable String body) {
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
