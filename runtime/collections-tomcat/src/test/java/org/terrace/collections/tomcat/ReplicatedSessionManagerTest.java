package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.FieldNumber;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;

/** Three real Tomcats, each with a replica of its own. */
@Tag("real-processes")
class ReplicatedSessionManagerTest {
  private static final long WAIT_NANOS = 20_000_000_000L;
  private static final int SERVERS = 3;

  record Visitor(@FieldNumber(1) int id, @FieldNumber(2) String nickname) {}

  private static final SessionAttributes ATTRIBUTES =
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

  /** A server with its replica. */
  private record Server(
      Group group,
      ReplicatedCollections collections,
      Tomcat tomcat,
      ReplicatedSessionManager manager) {
    void close() throws LifecycleException {
      tomcat.stop();
      tomcat.destroy();
      collections.close();
      group.close();
    }
  }

  @TempDir Path folder;
  private final List<Server> servers = new ArrayList<>();
  private final List<InetSocketAddress> contacts = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private @Nullable String cookie;

  @BeforeEach
  void start() throws LifecycleException {
    for (int i = 0; i < SERVERS; i++) {
      servers.add(server("app" + i));
    }
    await(
        "three members",
        () -> servers.stream().allMatch(s -> s.group.view().members().size() == SERVERS));
  }

  private Server server(String name) throws LifecycleException {
    return server(name, TimeSource.system());
  }

  private Server server(String name, TimeSource time) throws LifecycleException {
    Group group =
        Groups.open(
            GroupOptions.of("sessions", name, Discovery.of(contacts))
                .at(InetAddress.ofLiteral("127.20.2.1"), 0));
    contacts.add(group.self().address());
    ReplicatedCollections collections =
        ReplicatedCollections.open(group, CollectionsOptions.defaults().withTime(time));
    ReplicatedSessionManager manager =
        new ReplicatedSessionManager(collections, "sessions", ATTRIBUTES, WriteLevel.ALL, time);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.resolve(name).toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.20.2.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    context.setManager(manager);
    Tomcat.addServlet(context, "sessions", new SessionServlet()).addMapping("/*");
    tomcat.start();
    return new Server(group, collections, tomcat, manager);
  }

  @AfterEach
  void stop() throws LifecycleException {
    for (Server server : servers) {
      server.close();
    }
    client.close();
  }

  private static void await(String what, BooleanSupplier condition) {
    long startNanos = TimeSource.system().elapsedNanos();
    while (!condition.getAsBoolean()) {
      assertThat(TimeSource.system().elapsedNanos() - startNanos).as(what).isLessThan(WAIT_NANOS);
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** The answer of a server, with the visitor's cookie kept. */
  private String get(Server server, String path) throws Exception {
    HttpResponse<String> response = send(server, path);
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  private HttpResponse<String> send(Server server, String path) throws Exception {
    int port = server.tomcat.getConnector().getLocalPort();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.20.2.1:" + port + path));
    if (cookie != null) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    response
        .headers()
        .firstValue("Set-Cookie")
        .ifPresent(value -> cookie = value.substring(0, value.indexOf(';')));
    return response;
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
    assertThat(servers.getFirst().manager.sessionCount()).isOne();
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
      assertThat(server.manager.sessionCount()).isZero();
    }
  }

  @Test
  void aSessionThatLiesUnusedEndsAlsoWhenItsServerIsGone() throws Exception {
    get(servers.getFirst(), "/sign-in");
    get(servers.getFirst(), "/short");
    servers.removeFirst().close();
    assertThat(servers.getFirst().manager.sessionCount()).isOne();

    await(
        "the session's end",
        () -> {
          servers.getFirst().manager.processExpires();
          return servers.stream().allMatch(server -> server.manager.sessionCount() == 0);
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
    await("it joins", () -> fast.group.view().members().size() == SERVERS + 1);
    get(servers.getFirst(), "/save?text=hello");
    assertThat(fast.collections.awaitCaughtUp(Duration.ofSeconds(10))).isTrue();
    fast.manager.processExpires();

    assertThat(servers.getFirst().manager.sessionCount()).isEqualTo(1);
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
