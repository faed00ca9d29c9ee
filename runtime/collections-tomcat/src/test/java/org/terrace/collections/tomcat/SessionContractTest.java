package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.faces.util.LRUMap;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.catalina.Context;
import org.apache.catalina.Session;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.userdetails.User;
import org.terrace.core.TimeSource;

/**
 * The promises of the servlet contract about sessions and their attributes, with two real Tomcats.
 */
@Tag("real-processes")
class SessionContractTest extends SessionServers {
  private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();
  private static final String SECURITY = "SPRING_SECURITY_CONTEXT";
  private static final String VIEWS =
      "com.sun.faces.renderkit.ServerSideStateHelper.LogicalViewMap";

  /** A bean that changes in place and hears of its fate. */
  static final class Cart
      implements Serializable, HttpSessionBindingListener, HttpSessionActivationListener {
    private static final long serialVersionUID = 1L;
    private final List<String> items = new ArrayList<>();

    @Override
    public void valueBound(HttpSessionBindingEvent event) {
      EVENTS.add("bound");
    }

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
      EVENTS.add("unbound " + items);
    }

    @Override
    public void sessionDidActivate(HttpSessionEvent event) {
      EVENTS.add("activated " + items);
    }

    @Override
    public void sessionWillPassivate(HttpSessionEvent event) {
      EVENTS.add("passivated " + items);
    }
  }

  /** A listener that keeps all that the application hears of sessions. */
  private static final class Listener implements HttpSessionListener, HttpSessionAttributeListener {
    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      boolean hasCart = event.getSession().getAttribute("cart") instanceof Cart;
      EVENTS.add(hasCart ? "destroyed with its cart" : "destroyed");
    }

    @Override
    public void attributeRemoved(HttpSessionBindingEvent event) {
      EVENTS.add("removed " + event.getName());
    }
  }

  /** Does to its session what the path says. */
  private static final class Application extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      HttpSession session = request.getSession(true);
      Object answer =
          switch (request.getPathInfo()) {
            case "/begin" -> {
              session.setAttribute("cart", new Cart());
              yield "begun";
            }
            case "/add" -> {
              Cart cart = (Cart) session.getAttribute("cart");
              cart.items.add(request.getParameter("item"));
              yield session.getAttribute("cart") == cart;
            }
            case "/add-and-sign-in" -> {
              ((Cart) session.getAttribute("cart")).items.add("late");
              yield request.changeSessionId();
            }
            case "/items" -> {
              Object cart = session.getAttribute("cart");
              yield cart == null ? "none" : ((Cart) cart).items;
            }
            case "/bad" -> {
              session.setAttribute("cart", new ArrayList<>(List.of(Thread.State.NEW)));
              yield "set";
            }
            case "/sign-in" -> {
              session.setAttribute(SECURITY, signedIn());
              yield "in";
            }
            case "/user" -> session.getAttribute(SECURITY);
            case "/forget-user" -> {
              ((SecurityContext) session.getAttribute(SECURITY)).setAuthentication(null);
              yield "out";
            }
            case "/view" -> view(session, request.getParameter("state"));
            case "/idle" -> {
              session.setMaxInactiveInterval(77);
              yield "77";
            }
            case "/idle-is" -> session.getMaxInactiveInterval();
            case "/end" -> {
              session.invalidate();
              yield "ended";
            }
            default -> "?";
          };
      response.getWriter().write(String.valueOf(answer));
    }

    private static SecurityContextImpl signedIn() {
      User user =
          new User("ann", "secret", AuthorityUtils.createAuthorityList("ROLE_USER", "ROLE_ADMIN"));
      UsernamePasswordAuthenticationToken token =
          UsernamePasswordAuthenticationToken.authenticated(user, null, user.getAuthorities());
      token.eraseCredentials();
      return new SecurityContextImpl(token);
    }

    /** Keeps the state of a view as Mojarra's state helper does, and gives the states it has. */
    @SuppressWarnings("unchecked")
    private static Object view(HttpSession session, String state) {
      LRUMap<String, LRUMap<String, Object[]>> views =
          (LRUMap<String, LRUMap<String, Object[]>>) session.getAttribute(VIEWS);
      if (views == null) {
        views = new LRUMap<>(15);
        session.setAttribute(VIEWS, views);
      }
      LRUMap<String, Object[]> view =
          views.computeIfAbsent("/form.xhtml", path -> new LRUMap<>(15));
      if (state != null) {
        view.put("j_id" + view.size(), new Object[] {state, new ArrayList<>(List.of(1, state))});
      }
      return view.values().stream().map(one -> (String) one[0]).toList();
    }
  }

  @Override
  SessionAttributes attributes() {
    return SessionAttributes.none()
        .withSerializable("cart", Cart.class.getName())
        .withSerializable(
            SECURITY,
            "org.springframework.security.core.**",
            "org.springframework.security.authentication.*")
        .withSerializable(VIEWS, LRUMap.class.getName());
  }

  @Override
  HttpServlet servlet() {
    return new Application();
  }

  @Override
  int serverCount() {
    return 2;
  }

  @Override
  void prepare(Context context, String server) {
    StandardContext application = (StandardContext) context;
    application.addApplicationLifecycleListener(new Listener());
    application.addApplicationEventListener(new Listener());
  }

  @BeforeEach
  void forgetEvents() {
    EVENTS.clear();
  }

  private String id() {
    return cookie.substring(cookie.indexOf('=') + 1);
  }

  @Test
  void aBeanThatIsChangedInPlaceIsFollowed() throws Exception {
    get(servers.get(0), "/begin");
    for (int i = 0; i < 4; i++) {
      assertThat(get(servers.get(i % 2), "/add?item=i" + i)).isEqualTo("true");
    }
    assertThat(get(servers.get(1), "/items")).isEqualTo("[i0, i1, i2, i3]");
    get(servers.get(1), "/add-and-sign-in");
    assertThat(get(servers.get(0), "/items")).isEqualTo("[i0, i1, i2, i3, late]");
  }

  @Test
  void theEndOfASessionIsToldWithItsAttributes() throws Exception {
    get(servers.get(0), "/begin");
    get(servers.get(0), "/add?item=x");
    EVENTS.clear();
    get(servers.get(1), "/end");

    assertThat(EVENTS)
        .containsExactly("activated [x]", "destroyed with its cart", "unbound [x]", "removed cart");
    await("its attributes are gone", () -> servers.get(0).manager().valueCount() == 0);
  }

  @Test
  void activationIsToldWhereAnAttributeBecomesAnObjectAndWhereAServerStops() throws Exception {
    get(servers.get(0), "/begin");
    get(servers.get(0), "/add?item=x");
    assertThat(EVENTS).containsExactly("bound");
    get(servers.get(1), "/items");
    get(servers.get(1), "/items");
    assertThat(EVENTS).containsExactly("bound", "activated [x]");
    servers.removeFirst().close();
    assertThat(EVENTS).containsExactly("bound", "activated [x]", "passivated [x]");
    assertThat(get(servers.getFirst(), "/items")).isEqualTo("[x]");
  }

  @Test
  void whatHoldsAClassThatIsNotAdmittedIsRefusedWhenItIsSet() throws Exception {
    assertThat(send(servers.get(0), "/bad").body())
        .contains("java.lang.Thread$State")
        .contains("not among the admitted classes");
  }

  @Test
  void aLateUseBringsNoSessionBack() throws Exception {
    ReplicatedSessionManager here = servers.get(0).manager();
    ReplicatedSessionManager there = servers.get(1).manager();
    for (int i = 0; i < 100; i++) {
      Session begun = here.createSession(null);
      ReplicatedSession handle = (ReplicatedSession) begun;
      Thread late =
          Thread.ofPlatform()
              .start(() -> {
                for (int use = 0; use < 20; use++) {
                  here.touch(handle);
                }
              });
      there.findSession(begun.getId()).expire();
      late.join();
    }
    await(
        "all sessions are ended everywhere",
        () -> here.sessionCount() == 0 && there.sessionCount() == 0);
    servers.forEach(server -> server.manager().orphanMillis = 0);
    await(
        "nothing is left beside them",
        () -> {
          here.processExpires();
          return here.valueCount() == 0 && there.valueCount() == 0;
        });
  }

  @Test
  void whatIsSetBesideALogoutGoesInTheEndAndNotBefore() throws Exception {
    get(servers.get(0), "/begin");
    ReplicatedSessionManager here = servers.get(0).manager();
    String id = id();
    get(servers.get(1), "/end");
    await("its attributes are gone", () -> here.valueCount() == 0);
    here.attributesOf(id, value -> {}).put("cart", new Cart());
    here.processExpires();
    here.processExpires();
    assertThat(here.valueCount()).isOne();
    here.orphanMillis = 0;
    await(
        "it is gone, once the other was heard",
        () -> {
          here.processExpires();
          return here.valueCount() == 0;
        });
    assertThat(here.findSession(id)).isNull();
  }

  @Test
  void everyServerKnowsHowLongASessionMayLieUnused() throws Exception {
    get(servers.get(0), "/begin");
    get(servers.get(1), "/items");
    get(servers.get(0), "/idle");
    assertThat(get(servers.get(1), "/idle-is")).isEqualTo("77");
    ReplicatedSession stale = (ReplicatedSession) servers.get(1).manager().findSession(id());
    servers.get(1).manager().touch(stale);

    assertThat(get(servers.get(0), "/idle-is")).isEqualTo("77");
  }

  @Test
  void springSecurityKeepsItsContext() throws Exception {
    get(servers.get(0), "/sign-in");
    assertThat(get(servers.get(1), "/user"))
        .contains("Username=ann")
        .contains("ROLE_USER")
        .contains("ROLE_ADMIN");
    get(servers.get(1), "/forget-user");
    assertThat(get(servers.get(0), "/user")).isEqualTo("SecurityContextImpl [Null authentication]");
  }

  @Test
  void facesKeepItsViews() throws Exception {
    assertThat(get(servers.get(0), "/view?state=s1")).isEqualTo("[s1]");
    assertThat(get(servers.get(1), "/view?state=s2")).isEqualTo("[s1, s2]");
    assertThat(get(servers.get(0), "/view?state=s3")).isEqualTo("[s1, s2, s3]");
    servers.removeFirst().close();
    assertThat(get(servers.getFirst(), "/view")).isEqualTo("[s1, s2, s3]");
  }

  @Test
  void theEndOfALongRequestIsAUse() {
    ReplicatedSessionManager here = servers.get(0).manager();
    ReplicatedSessionManager there = servers.get(1).manager();
    Session session = here.createSession(null);
    String id = session.getId();
    session.setMaxInactiveInterval(20); // a use is spread after a second
    long begunNanos = TimeSource.system().elapsedNanos();
    session.access();
    await("the request goes on", () -> here.idleMillis(id) > 2_500);
    session.endAccess();

    await("its end is known there", () -> there.idleMillis(id) < millisSince(begunNanos) - 2_000);
  }

  private static long millisSince(long nanos) {
    return Duration.ofNanos(TimeSource.system().elapsedNanos() - nanos).toMillis();
  }
}
