package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.FieldNumber;

/** Three real Tomcats, each with a replica of its own. */
@Tag("real-processes")
class ReplicatedSessionManagerTest extends SessionServers {
  private static final int SERVERS = 3;

  record Visitor(@FieldNumber(1) int id, @FieldNumber(2) String nickname) {}

  static final SessionAttributes ATTRIBUTES =
      SessionAttributes.none()
          .with("visitor", Visitor.class)
          .with("draft:*", String.class, Codecs.string());

  /** Does to its session what the path says. */
  static final class SessionServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String answer =
          switch (request.getPathInfo()) {
            case "/sign-in" -> {
              HttpSession session = request.getSession(true);
              session.setAttribute("visitor", new Visitor(7, "ann"));
              yield request.changeSessionId();
            }
            case "/who" -> attribute(request, "visitor");
            case "/save" -> {
              request.getSession(true).setAttribute("draft:1", request.getParameter("text"));
              yield "saved";
            }
            case "/draft" -> attribute(request, "draft:1");
            case "/short" -> {
              request.getSession(true).setMaxInactiveInterval(1);
              yield "short";
            }
            case "/less-short" -> {
              request.getSession(true).setMaxInactiveInterval(4);
              yield "less short";
            }
            case "/unregistered" -> {
              request.getSession(true).setAttribute("thread", Thread.currentThread());
              yield "set";
            }
            case "/sign-out" -> {
              request.getSession(true).invalidate();
              yield "out";
            }
            default -> "?";
          };
      response.getWriter().write(answer);
    }

    private static String attribute(HttpServletRequest request, String name) {
      HttpSession session = request.getSession(false);
      return session == null ? "no session" : String.valueOf(session.getAttribute(name));
    }
  }

  @Override
  SessionAttributes attributes() {
    return ATTRIBUTES;
  }

  @Override
  HttpServlet servlet() {
    return new SessionServlet();
  }

  @Test
  void aVisitorGoesOnAtAnotherServerWhenHisOwnIsGone() throws Exception {
    get(servers.getFirst(), "/sign-in");
    get(servers.getFirst(), "/save?text=half+a+sentence");
    servers.removeFirst().close();

    for (Server other : servers) {
      assertThat(get(other, "/who")).isEqualTo("Visitor[id=7, nickname=ann]");
      assertThat(get(other, "/draft")).isEqualTo("half a sentence");
    }
  }

  @Test
  void requestsNeedNotStickToAServer() throws Exception {
    get(servers.getFirst(), "/sign-in");
    for (int i = 0; i < 30; i++) {
      assertThat(get(servers.get(i % SERVERS), "/save?text=v" + i)).isEqualTo("saved");
      assertThat(get(servers.get((i + 1) % SERVERS), "/draft")).isEqualTo("v" + i);
    }
    assertThat(servers.getFirst().manager().sessionCount()).isOne();
  }

  @Test
  void whoeverSignsInGetsAnotherIdentifierAndKeepsWhatHeHad() throws Exception {
    get(servers.getFirst(), "/save?text=before");
    String before = cookie;
    String id = get(servers.get(1), "/sign-in");

    assertThat(cookie).isEqualTo("JSESSIONID=" + id).isNotEqualTo(before);
    assertThat(get(servers.get(2), "/draft")).isEqualTo("before");
    cookie = before;
    assertThat(get(servers.get(2), "/draft")).isEqualTo("no session");
  }

  @Test
  void whoeverSignsOutIsSignedOutEverywhere() throws Exception {
    get(servers.getFirst(), "/sign-in");
    assertThat(get(servers.get(1), "/who")).contains("ann");
    get(servers.get(2), "/sign-out");

    for (Server server : servers) {
      assertThat(get(server, "/who")).isEqualTo("no session");
      assertThat(server.manager().sessionCount()).isZero();
    }
  }

  @Test
  void aSessionThatLiesUnusedEndsAlsoWhenItsServerIsGone() throws Exception {
    get(servers.getFirst(), "/sign-in");
    get(servers.getFirst(), "/short");
    servers.removeFirst().close();
    assertThat(servers.getFirst().manager().sessionCount()).isOne();

    await(
        "the session's end",
        () -> {
          servers.getFirst().manager().processExpires();
          return servers.stream().allMatch(server -> server.manager().sessionCount() == 0);
        });
    assertThat(get(servers.getFirst(), "/who")).isEqualTo("no session");
  }

  @Test
  void whatIsNotRegisteredIsRefusedByName() throws Exception {
    HttpResponse<String> response = send(servers.getFirst(), "/unregistered");

    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body()).contains("&#39;thread&#39; is not registered");
  }

  @Test
  void oneServersWildClockEndsNobodysSessions() throws Exception {
    Server fast = server("fast", new FastClock());
    servers.add(fast);
    await("it joins", () -> fast.group().view().members().size() == SERVERS + 1);
    get(servers.getFirst(), "/save?text=hello");
    assertThat(fast.collections().awaitCaughtUp(Duration.ofSeconds(10))).isTrue();
    fast.manager().processExpires();

    assertThat(servers.getFirst().manager().sessionCount()).isEqualTo(1);
    assertThat(get(servers.getFirst(), "/draft")).isEqualTo("hello");
  }

  /** The system's clocks, the wall clock an hour ahead. */
  private record FastClock() implements TimeSource {
    @Override
    public long epochNanos() {
      return TimeSource.system().epochNanos() + Duration.ofHours(1).toNanos();
    }

    @Override
    public long elapsedNanos() {
      return TimeSource.system().elapsedNanos();
    }
  }
}
