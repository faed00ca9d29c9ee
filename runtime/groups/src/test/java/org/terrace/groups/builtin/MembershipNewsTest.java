package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/** A member says once that it is cut off or open to strangers, and when that is over. */
class MembershipNewsTest {
  private final List<String> warnings = new ArrayList<>();

  private static Member member(String name, String host) {
    long id = Member.idAt(name, 1_700_000_000_000_000_000L);
    return new Member(name, id, new InetSocketAddress(InetAddress.ofLiteral(host), 1));
  }

  private static final Member A = member("a", "192.0.2.1");
  private static final Member B = member("b", "192.0.2.2");
  private static final Member C = member("c", "192.0.2.3");

  @Test
  void aMemberThatHasLostMoreThanItSeesSaysSoOnceEachTime() {
    MembershipNews news = new MembershipNews(A, Runnable::run);
    try (LoggedErrors _ = LoggedErrors.of(MembershipNews.class, Level.WARNING, warnings)) {
      news.changed(new View(1, A, List.of(A, B, C), List.of()));
      news.changed(new View(2, A, List.of(A, B), List.of(C)));
      assertThat(warnings).isEmpty();

      news.changed(new View(3, A, List.of(A), List.of(B, C)));
      news.changed(new View(4, A, List.of(A), List.of(B, C)));
      assertThat(warnings)
          .singleElement()
          .asString()
          .contains("probably cut off", A.toString(), B.toString(), C.toString());

      news.changed(new View(5, A, List.of(A, B), List.of(C)));
      news.changed(new View(6, A, List.of(A), List.of(B, C)));
      assertThat(warnings).hasSize(2);
    }
  }

  @Test
  void whoListensBeyondLoopbackWithoutKeysSaysSo() {
    try (LoggedErrors _ = LoggedErrors.of(MembershipNews.class, Level.WARNING, warnings)) {
      new MembershipNews(A, Runnable::run).opened(true);
      new MembershipNews(member("a", "127.0.0.1"), Runnable::run).opened(false);
      assertThat(warnings).isEmpty();

      new MembershipNews(A, Runnable::run).opened(false);
      assertThat(warnings)
          .singleElement()
          .asString()
          .contains("192.0.2.1", "without keys", "GroupKeys.encrypting");
    }
  }
}
