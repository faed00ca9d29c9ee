package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServlet;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Session;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.groups.GroupOptions;

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
}
