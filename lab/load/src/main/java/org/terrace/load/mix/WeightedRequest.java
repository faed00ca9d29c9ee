package org.terrace.load.mix;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request of a mix of one's own: what is sent, and how often beside the others. Its answer is
 * judged by its status alone. Immutable.
 *
 * @param requestClass the name under which it is counted; several requests may share one
 * @param method one of {@link #METHODS}
 * @param path path and query of the URL, from its slash on, in printable ASCII without spaces
 * @param body the text sent with it in UTF-8; null for none
 * @param headers the header fields sent with it, by name; those that the client sets are not among
 *     them
 * @param weight how often it is drawn, as a part of the sum of all weights; above zero
 */
public record WeightedRequest(
    String requestClass,
    String method,
    String path,
    @Nullable String body,
    Map<String, String> headers,
    double weight) {
  /** The methods that may be used; the answer to a HEAD says the length of a body it lacks. */
  public static final Set<String> METHODS =
      Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  /** The largest weight. */
  public static final double MAXIMUM_WEIGHT = 1e9;

  /** The form of a path and query. */
  public static final Pattern PATH = Pattern.compile("/(?:[!-\"$-.0-~][!-\"$-~]*)?");

  /** The form of the name of a header field, a token of RFC 9110. */
  public static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** The form of the value of a header field. */
  public static final Pattern HEADER_VALUE = Pattern.compile("(?:[!-~](?:[ -~]*[!-~])?)?");

  /** The header fields that the client sets itself, in lower case. */
  public static final Set<String> OWN_HEADERS =
      Set.of("host", "content-length", "connection", "transfer-encoding", "cookie", "user-agent");

  /** Copies the headers and checks all values. */
  public WeightedRequest {
    headers = Map.copyOf(new LinkedHashMap<>(headers));
    if (requestClass.isBlank()) {
      throw MixReader.invalid("class", requestClass, "a name");
    }
    if (!METHODS.contains(method)) {
      throw MixReader.invalid("method", method, "one of " + METHODS.stream().sorted().toList());
    }
    if (!PATH.matcher(path).matches()) {
      throw MixReader.invalid("path", path, "a path that begins with a single slash");
    }
    headers.forEach((name, value) -> {
      if (!HEADER_NAME.matcher(name).matches() || !HEADER_VALUE.matcher(value).matches()) {
        throw MixReader.invalid("headers", name + ": " + value, "a header field in ASCII");
      }
    });
    if (!(weight > 0 && weight <= MAXIMUM_WEIGHT)) {
      throw MixReader.invalid("weight", weight, "a number above 0");
    }
  }

  /** Whether it is sent with a header field of this name, in whatever case. */
  public boolean hasHeader(String name) {
    return headers.keySet().stream().anyMatch(name::equalsIgnoreCase);
  }
}
