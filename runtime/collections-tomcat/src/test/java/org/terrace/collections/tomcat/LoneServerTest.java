package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServlet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Session;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedSortedMap;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.groups.GroupOptions;
import org.terrace.testing.ManualTimeSource;

/** One server of two, told that there are to be two, which is left alone. */
@Tag("real-processes")
@Tag("untimed")
class LoneServerTest extends SessionServers {
  private static final String COOKIE = "JSESSIONID=";

  @Override
  int serverCount() {
    return 2;
  }

  @Override
  WriteLevel level() {
    return WriteLevel.replicas(2);
  }

  @Override
  GroupOptions told(GroupOptions options) {
    return options.withExpectedMembers(2);
  }

  @Override
  SessionAttributes attributes() {
    return ReplicatedSessionManagerTest.ATTRIBUTES;
  }

  @Override
  HttpServlet servlet() {
    return new ReplicatedSessionManagerTest.SessionServlet();
  }

  private Server alone() throws Exception {
    servers.removeLast().close();
    Server left = servers.getFirst();
    await("it is alone", () -> left.group().view().members().size() == 1);
    return left;
  }

  @Test
  void whoeverSignsOutIsSignedOutThoughItIsNotConfirmed() throws Exception {
    get(servers.getFirst(), "/sign-in");
    Server left = alone();

    assertThat(send(left, "/sign-out").statusCode()).as("it is not confirmed").isEqualTo(500);
    assertThat(left.manager().sessionCount()).isZero();
    assertThat(left.manager().valueCount()).isZero();
    assertThat(left.manager().getActiveSessions()).isZero();
    assertThat(get(left, "/who")).isEqualTo("no session");
  }

  @Test
  void sessionsThatLieUnusedAreNotFoundAndEndOnceTheOtherIsBack() throws Exception {
    List<String> cookies = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      cookie = null;
      get(servers.getFirst(), "/sign-in");
      get(servers.getFirst(), "/short");
      cookies.add(cookie);
    }
    Server alone = alone();
    ReplicatedSessionManager left = alone.manager();
    for (String each : cookies) {
      cookie = each;
      await("it looks unused", () -> left.findSession(each.substring(COOKIE.length())) == null);
      left.processExpires();
      assertThat(get(alone, "/who")).isEqualTo("no session");
    }
    assertThat(left.sessionCount()).as("the other may know of a use").isEqualTo(2);
    assertThat(left.getExpiredSessions()).isZero();

    servers.add(server("app1"));
    await(
        "the end of both",
        () -> {
          left.processExpires();
          return left.sessionCount() == 0;
        });
    assertThat(left.getExpiredSessions()).isEqualTo(2);
  }

  @Test
  void aRefusedChangeOfTheIdentifierLeavesTheSessionAsItWas() throws Exception {
    Session session = servers.getFirst().manager().createSession(null);
    String id = session.getId();
    Server left = alone();
    assertThatThrownBy(() -> left.manager().changeSessionId(session, "another"))
        .isInstanceOfAny(WriteRefusedException.class, UnacknowledgedWriteException.class);
    assertThat(session.getId()).isEqualTo(id);
    assertThat(left.manager().findSession("another")).isNull();
    assertThat(left.manager().valueCount()).isOne();

    Server back = server("app1");
    servers.add(back);
    await("both", () -> left.group().view().members().size() == 2);
    await("it is there", () -> back.manager().findSession(id) != null);
    session.getSession().setAttribute("draft:1", "after");
    assertThat(back.manager().findSession(id).getSession().getAttribute("draft:1"))
        .isEqualTo("after");
  }

  /**
   * Else who was given the old identifier by another would be signed in at servers that live on.
   */
  @Test
  void whoChangesTheIdentifierIsToldThatTheEndOfTheOldOneIsNotConfirmed() throws Exception {
    ReplicatedSessionManager manager = servers.getFirst().manager();
    Session session = manager.createSession(null);
    String id = session.getId();
    ReplicatedSession handle = (ReplicatedSession) session;
    handle.endIsUnconfirmed(new UnacknowledgedWriteException("as the map would say it"));

    assertThatThrownBy(() -> manager.changeSessionId(session, "another"))
        .isInstanceOf(UnacknowledgedWriteException.class);
    assertThat(session.getId()).isEqualTo("another");
    assertThat(manager.findSession("another")).isSameAs(session);
    assertThat(manager.findSession(id)).isNull();
    session.getSession().invalidate();
  }

  /** Tomcat does so within a change of the identifier. */
  @Test
  void anIdentifierThatEndsUnconfirmedIsNoted() throws Exception {
    Session session = servers.getFirst().manager().createSession(null);
    Server left = alone();
    left.manager().remove(session, false);

    assertThat(left.manager().valueCount()).isZero();
    assertThatThrownBy(((ReplicatedSession) session)::tellUnconfirmed)
        .isInstanceOf(UnacknowledgedWriteException.class);
  }

  /** By a wall clock that is days ahead each session would look so. */
  @Test
  void whatLooksOverForADayEndsThoughTheOtherStaysAway() throws Exception {
    String id = begunElsewhere();
    Server left = alone();
    long longAgo = left.collections().agreedEpochMillis() - Duration.ofDays(3).toMillis();
    left.manager()
        .parts()
        .withLevel(WriteLevel.LOCAL)
        .put(SessionKey.header(id), new SessionValue.Header(longAgo, longAgo, 60));
    left.manager().processExpires();
    left.manager().processExpires();
    assertThat(left.manager().sessionCount()).as("it looks over since now").isOne();

    ManualTimeSource time = new ManualTimeSource(0);
    OverSessions over = new OverSessions(left.collections(), time);
    assertThat(over.isForAll(id)).isFalse();
    time.advanceNanos(OverSessions.MISSING_MAX.toNanos() - 1);
    assertThat(over.isForAll(id)).isFalse();
    time.advanceNanos(1);
    assertThat(over.isForAll(id)).isTrue();
  }

  /** Else it would have looked over since then when it looks so in another cut, days later. */
  @Test
  void aSessionThatIsUsedElsewhereNoLongerLooksOver() throws Exception {
    String id = begunElsewhere();
    ReplicatedSessionManager left = alone().manager();
    long nowMillis = servers.getFirst().collections().agreedEpochMillis();
    ReplicatedSortedMap<SessionKey, SessionValue> parts = left.parts().withLevel(WriteLevel.LOCAL);
    parts.put(SessionKey.header(id), new SessionValue.Header(0, nowMillis - 3_600_000, 60));
    left.processExpires();
    assertThat(left.over.contains(id)).isTrue();

    parts.put(SessionKey.used(id), new SessionValue.Used(nowMillis));
    left.processExpires();
    assertThat(left.over.contains(id)).isFalse();
    assertThat(left.sessionCount()).isOne();
  }

  /** A session of which the server that will be alone has no handle. */
  private String begunElsewhere() throws Exception {
    get(servers.getLast(), "/sign-in");
    String id = cookie.substring(COOKIE.length());
    await("it is there", () -> servers.getFirst().manager().isThere(id));
    return id;
  }

  @Test
  void usesAreToldThoughTheClockWasSetBack() throws Exception {
    get(servers.getFirst(), "/sign-in");
    String id = cookie.substring(COOKIE.length());
    ReplicatedSessionManager manager = servers.getFirst().manager();
    ReplicatedSession session = (ReplicatedSession) manager.findSession(id);
    assertThat(manager.parts().get(SessionKey.used(id))).isNull();
    session.touchedMillis = session.getCreationTime() + 3_600_000;
    session.access();

    assertThat(manager.parts().get(SessionKey.used(id))).isInstanceOf(SessionValue.Used.class);
    session.endAccess();
  }
}
