package org.terrace.load.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  private static final int MOVED_PERMANENTLY = 301;
  private static final int FOUND = 302;
  private static final int SEE_OTHER = 303;
  private static final int TEMPORARY_REDIRECT = 307;
  private static final int PERMANENT_REDIRECT = 308;

  /** The header fields that describe a body, in lower case. */
  private static final Set<String> OF_BODY =
      Set.of(
          "content-type",
          "content-encoding",
          "content-language",
          "content-location",
          "digest",
          "content-digest",
          "repr-digest",
          "last-modified");

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");
  private static final Pattern DOTS = Pattern.compile("/\\.\\.?(/|$)");

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

  /** Whether an answer of this status sends the client on to the address in its header. */
  public static boolean isRedirect(int status) {
    return switch (status) {
      case MOVED_PERMANENTLY, FOUND, SEE_OTHER, TEMPORARY_REDIRECT, PERMANENT_REDIRECT -> true;
      default -> false;
    };
  }

  /**
   * The request that follows a redirect of this one (RFC 9110, section 15.4): the same at another
   * address, except that 303, and 301 and 302 of a POST, as browsers take them, ask for a page by
   * GET, without the body and the header fields that describe it.
   *
   * @param status a status that {@link #isRedirect is a redirect}
   * @param to path and query at the same origin, so that every other header field may go along
   */
  public Link redirected(int status, String to) {
    boolean getsPage =
        status == SEE_OTHER
            || (method.equals("POST") && (status == MOVED_PERMANENTLY || status == FOUND));
    return getsPage
        ? new Link("GET", to, null, withoutBody())
        : new Link(method, to, body, headers);
  }

  private String withoutBody() {
    return headers
        .lines()
        .filter(line ->
            !OF_BODY.contains(line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)))
        .map(line -> line + "\r\n")
        .collect(Collectors.joining());
  }

  public boolean isPost() {
    return body != null;
  }

  /**
   * The path and query to which a reference leads from this address (RFC 3986, section 5.2), as
   * that of a redirect; null when it leads to another origin.
   *
   * @param host the host and port to which this request went
   */
  public @Nullable String resolved(String reference, String host) {
    String origin = "http://" + host;
    String rest = reference.strip();
    rest = rest.startsWith("//") ? "http:" + rest : rest;
    if (rest.regionMatches(true, 0, origin, 0, origin.length())) {
      rest = rest.substring(origin.length());
      rest = rest.startsWith("/") ? rest : rest.isEmpty() || isAfterPath(rest) ? "/" + rest : "//";
    } else if (SCHEME.matcher(rest).lookingAt()) {
      return null;
    }
    String path = address.substring(0, endOfPath(address));
    if (rest.isEmpty() || rest.startsWith("#")) {
      rest = address;
    } else if (rest.startsWith("?")) {
      rest = path + rest;
    } else if (!rest.startsWith("/")) {
      rest = path.substring(0, path.lastIndexOf('/') + 1) + rest;
    }
    return local(withoutDots(rest));
  }

  private static boolean isAfterPath(String rest) {
    return rest.charAt(0) == '?' || rest.charAt(0) == '#';
  }

  private static int endOfPath(String address) {
    int end = 0;
    while (end < address.length() && address.charAt(end) != '?' && address.charAt(end) != '#') {
      end++;
    }
    return end;
  }

  /** An address whose path has no segments that stand for itself or for the one above. */
  private static String withoutDots(String address) {
    int end = endOfPath(address);
    String path = address.substring(0, end);
    if (path.startsWith("//") || !DOTS.matcher(path).find()) {
      return address;
    }
    Deque<String> kept = new ArrayDeque<>();
    String[] segments = path.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      boolean isDots = segments[i].equals(".") || segments[i].equals("..");
      if (segments[i].equals("..")) {
        kept.pollLast();
      }
      if (!isDots) {
        kept.addLast(segments[i]);
      } else if (i == segments.length - 1) {
        kept.addLast("");
      }
    }
    return "/" + String.join("/", kept) + address.substring(end);
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
