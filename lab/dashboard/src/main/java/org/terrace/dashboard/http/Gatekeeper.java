package org.terrace.dashboard.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.terrace.core.TimeSource;
import org.terrace.dashboard.http.PageRequest.MalformedRequestException;

/** The decision who may ask, before anything is read for the answer. Thread-safe. */
final class Gatekeeper {
  /** The form that shows the token is sent there. */
  static final String SESSION = "session";

  private static final String ASSETS = "assets";
  private static final String TOKEN = "token";
  private static final int MOST_FORM_BYTES = 4_096;

  private final TrustedHosts hosts;
  private final Optional<KnownBrowsers> signedIn;
  private final String cookie;

  /**
   * A gatekeeper of a server.
   *
   * @param port the port it listens at, by which its cookie is told from those of other servers
   */
  Gatekeeper(InetSocketAddress address, int port, Optional<AccessToken> token, TimeSource time) {
    hosts = new TrustedHosts(address);
    signedIn = token.map(each -> new KnownBrowsers(each, time));
    cookie = "terrace-" + port;
  }

  /** A decision on a request. */
  sealed interface Decision {
    /** It may be answered. */
    record Admitted(PageRequest request) implements Decision {}

    /** It was refused. */
    record Refused(int status, String why) implements Decision {}

    /** The token has to be shown first. */
    record SignIn(int status, String why) implements Decision {}

    /** The token was shown, and the browser is given a cookie. */
    record Welcome(String cookie) implements Decision {}
  }

  Decision decide(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    List<String> named = headers.getOrDefault("Host", List.of());
    Optional<String> host = named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
    if (!hosts.trusts(host)) {
      return new Decision.Refused(
          421, "This server is not known by that name. Use its address, or name it with --host.");
    }
    String method = exchange.getRequestMethod();
    boolean post = method.equals("POST");
    if (!post && !method.equals("GET") && !method.equals("HEAD")) {
      return new Decision.Refused(405, "Nothing can be changed here: only GET is answered.");
    }
    if (isForeign(headers, host, post)) {
      return new Decision.Refused(403, "A page of another site asked for this.");
    }
    try {
      return decide(exchange, PageRequest.of(post, exchange.getRequestURI()));
    } catch (MalformedRequestException e) {
      return new Decision.Refused(400, "The address means nothing: " + e.getMessage() + ".");
    }
  }

  /** Whether another site's page asks, be it for a form or for the content of an element. */
  private static boolean isForeign(Headers headers, Optional<String> host, boolean post) {
    Optional<String> origin = Optional.ofNullable(headers.getFirst("Origin"));
    Optional<String> site = Optional.ofNullable(headers.getFirst("Sec-Fetch-Site"));
    boolean elsewhere = site.filter(each -> each.equals("cross-site")).isPresent();
    boolean visit =
        !post
            && "navigate"
                .equals(Optional.ofNullable(headers.getFirst("Sec-Fetch-Mode")).orElse(""));
    return !TrustedHosts.isOwn(origin, host) || (elsewhere && !visit);
  }

  private Decision decide(HttpExchange exchange, PageRequest request)
      throws IOException, MalformedRequestException {
    boolean session = request.segments().equals(List.of(SESSION));
    if (request.post() && !session) {
      return new Decision.Refused(405, "Nothing can be changed here: only GET is answered.");
    }
    if (signedIn.isEmpty()) {
      return session
          ? new Decision.Refused(404, "There is no token to be shown.")
          : new Decision.Admitted(request);
    }
    KnownBrowsers known = signedIn.get();
    if (request.post()) {
      return show(known, form(exchange).orElse(""), exchange);
    }
    Optional<String> shown = request.parameter(TOKEN);
    if (shown.isPresent()) {
      return show(known, shown.get(), exchange);
    }
    boolean asset = request.segments().size() == 2 && request.segments().getFirst().equals(ASSETS);
    return asset || known.knows(secret(exchange.getRequestHeaders()))
        ? new Decision.Admitted(request)
        : new Decision.SignIn(401, "");
  }

  private Decision show(KnownBrowsers known, String guess, HttpExchange exchange) {
    return switch (known.show(guess.strip(), exchange.getRemoteAddress().getAddress())) {
      case KnownBrowsers.Shown.Right(String secret) ->
          welcome(knownSecret(known, exchange).orElse(secret));
      case KnownBrowsers.Shown.Wrong() -> new Decision.SignIn(401, "That is not the token.");
      case KnownBrowsers.Shown.TooMany() ->
          // Others may have guessed from its address, as behind a proxy; it has a secret already.
          knownSecret(known, exchange)
              .map(this::welcome)
              .orElseGet(
                  () -> new Decision.SignIn(429, "Too many wrong tokens: wait for a minute."));
    };
  }

  /** The secret that a browser has already; a bookmark may show the token at each visit. */
  private Optional<String> knownSecret(KnownBrowsers known, HttpExchange exchange) {
    return secret(exchange.getRequestHeaders()).filter(each -> known.knows(Optional.of(each)));
  }

  private Decision welcome(String secret) {
    return new Decision.Welcome(
        String.format(
            Locale.ROOT,
            "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict",
            cookie,
            secret,
            KnownBrowsers.LASTS.toSeconds()));
  }

  private static Optional<String> form(HttpExchange exchange)
      throws IOException, MalformedRequestException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_FORM_BYTES);
    return PageRequest.parameters(new String(body, StandardCharsets.UTF_8))
        .getOrDefault(TOKEN, List.of())
        .stream()
        .findFirst();
  }

  private Optional<String> secret(Headers headers) {
    for (String line : headers.getOrDefault("Cookie", List.of())) {
      for (String pair : line.split(";", -1)) {
        if (pair.strip().startsWith(cookie + "=")) {
          return Optional.of(pair.strip().substring(cookie.length() + 1));
        }
      }
    }
    return Optional.empty();
  }
}
