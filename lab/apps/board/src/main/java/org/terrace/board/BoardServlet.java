package org.terrace.board;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.terrace.board.page.Pages;
import org.terrace.board.page.Reply;
import org.terrace.board.page.State;
import org.terrace.board.page.StaticFile;
import org.terrace.board.page.Visit;
import org.terrace.core.TimeSource;

/** Every request to the board: pages, files of their looks, and the answer to {@code /health}. */
final class BoardServlet extends HttpServlet {
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";

  /** SQLSTATE classes: connection, rollback for another's sake, resources, the operator. */
  private static final Set<String> UNAVAILABLE_CLASSES = Set.of("08", "40", "53", "57");

  private static final byte[] HEALTHY = "ok".getBytes(StandardCharsets.US_ASCII);

  private final transient Pages pages;
  private final transient Complaints complaints;
  private final transient AtomicInteger underWay = new AtomicInteger();
  private final transient LockConvoy convoy;

  BoardServlet(Pages pages, Complaints complaints, LockConvoy convoy) {
    this.pages = pages;
    this.complaints = complaints;
    this.convoy = convoy;
  }

  /** The requests that are being worked on, each by a thread of the server's pool. */
  int underWay() {
    return underWay.get();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    underWay.incrementAndGet();
    try {
      answer(request, response);
    } finally {
      underWay.decrementAndGet();
    }
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = request.getRequestURI();
    Optional<State> state = pages.at(path);
    if (state.isEmpty()) {
      serveFile(path, response);
    } else {
      convoy.pass(TimeSource.system());
      Reply reply = reply(request, state.get());
      Sessions.remember(request, reply.session());
      serve(reply, response);
    }
  }

  private void serveFile(String path, HttpServletResponse response) throws IOException {
    if (path.equals("/health")) {
      send(response, "text/plain", HEALTHY);
      return;
    }
    Optional<StaticFile> file = StaticFile.at(path);
    if (file.isEmpty()) {
      serve(Pages.failure(HttpServletResponse.SC_NOT_FOUND, "There is no such page."), response);
      return;
    }
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    send(response, file.get().type(), file.get().content());
  }

  private void serve(Reply reply, HttpServletResponse response) throws IOException {
    response.setStatus(reply.status());
    response.setHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("Referrer-Policy", "same-origin");
    send(response, "text/html;charset=utf-8", reply.html().bytes());
  }

  private Reply reply(HttpServletRequest request, State state) {
    boolean write = request.getMethod().equals("POST");
    if (!write && !request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
      return wrongMethod();
    }
    if (write && isForeign(request)) {
      return Pages.failure(
          HttpServletResponse.SC_FORBIDDEN, "This form was sent by another site's page.");
    }
    try {
      Visit visit =
          new Visit(
              Sessions.member(request), fields(request), place -> Sessions.draft(request, place));
      return pages.visit(state, write, visit).orElseGet(BoardServlet::wrongMethod);
    } catch (IllegalStateException e) {
      // Tomcat's way to say that the form is too long or not well-formed.
      return Pages.failure(
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, "The form is too long or damaged.");
    } catch (SQLException e) {
      complaints.about(state.path(), e);
      return isUnavailable(e)
          ? Pages.failure(
              HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The database does not answer just now.")
          : Pages.failure(
              HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "The database did not accept this.");
    }
  }

  /** Whether the database is away, full or busy, so that the same request may succeed later. */
  private static boolean isUnavailable(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLTransientException
        || state == null
        || UNAVAILABLE_CLASSES.contains(state.substring(0, Math.min(2, state.length())));
  }

  private static Reply wrongMethod() {
    return Pages.failure(
        HttpServletResponse.SC_METHOD_NOT_ALLOWED,
        "This page is reached through its form or link.");
  }

  private static Map<String, String> fields(HttpServletRequest request) {
    request.setCharacterEncoding(StandardCharsets.UTF_8);
    Map<String, String> fields = new HashMap<>();
    request.getParameterMap().forEach((name, values) -> fields.put(name, values[0]));
    return fields;
  }

  /**
   * Whether a page of another site made the browser send this form. Browsers say so in
   * Sec-Fetch-Site; older ones at least name the page's origin. Programs that send neither have no
   * session that could be abused.
   */
  private static boolean isForeign(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    String origin = request.getHeader("Origin");
    if (origin == null) {
      return false;
    }
    return !isOneOf(
        authority(origin), request.getHeader("X-Forwarded-Host"), request.getHeader("Host"));
  }

  private static boolean isOneOf(
      String authority, @Nullable String forwarded, @Nullable String host) {
    return authority.equalsIgnoreCase(host) || authority.equalsIgnoreCase(forwarded);
  }

  private static String authority(String origin) {
    try {
      return String.valueOf(URI.create(origin).getRawAuthority()).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static void send(HttpServletResponse response, String type, byte[] content)
      throws IOException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType(type);
    response.setContentLength(content.length);
    response.getOutputStream().write(content);
  }
}
