package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Member;
import org.terrace.groups.MembershipNews;
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
  private static final View ALONE = new View(1, A, List.of(A), List.of());

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
  void theFirstLineOfAMemberThatWasNotToldTheSizeSaysWhatThatMeans() {
    try (LoggedErrors _ = LoggedErrors.of(MembershipNews.class, Level.INFO, warnings)) {
      MembershipNews news = new MembershipNews(A, Runnable::run);
      news.opened(ALONE, true);
      news.changed(new View(2, A, List.of(A, B), List.of()));
      assertThat(warnings).hasSize(2);
      assertThat(warnings.getFirst())
          .contains(
              "was not told how many members its group has",
              "takes itself for all of them",
              "withExpectedMembers(n)");
    }
  }

  @Test
  void aMemberThatKnowsTheSizeSaysAtOnceThatItSeesFewerAndWhenThatIsOver() {
    OptionalInt three = OptionalInt.of(3);
    try (LoggedErrors _ = LoggedErrors.of(MembershipNews.class, Level.WARNING, warnings)) {
      MembershipNews news = new MembershipNews(A, Runnable::run);
      news.opened(ALONE.expecting(three), true);
      assertThat(warnings)
          .singleElement()
          .asString()
          .contains("probably cut off", "of 3 that it expects", A.toString());

      news.changed(new View(2, A, List.of(A, B), List.of(), three));
      assertThat(warnings).hasSize(2);
      assertThat(warnings.getLast())
          .contains("fewer than the 3 members it expects", B.toString(), "is refused");

      news.changed(new View(3, A, List.of(A, B, C), List.of(), three));
      assertThat(warnings).as("enough are there").hasSize(2);
      news.changed(new View(4, A, List.of(A, C), List.of(B), three));
      news.changed(new View(5, A, List.of(A, C), List.of(), three));
      assertThat(warnings).as("each time once").hasSize(3);
    }
  }

  @Test
  void linesAreWrittenInTheOrderOfWhatTheyTell() {
    List<Runnable> writers = new ArrayList<>();
    try (LoggedErrors _ = LoggedErrors.of(MembershipNews.class, Level.INFO, warnings)) {
      MembershipNews news = new MembershipNews(A, writers::add);
      news.opened(ALONE, true);
      news.changed(new View(2, A, List.of(A, B), List.of()));
      news.changed(new View(3, A, List.of(A, B, C), List.of()));
      assertThat(writers).as("one writes at a time").hasSize(1);

      writers.getFirst().run();
      assertThat(warnings).hasSize(3);
      assertThat(warnings.getFirst()).contains("was not told");
      assertThat(warnings.getLast()).contains(C.toString());
      news.changed(ALONE);
      assertThat(writers).hasSize(2);
    }
  }

  @Test
  void whoListensBeyondLoopbackWithoutKeysSaysSo() {
    try (LoggedErrors _ = LoggedErrors.of(MembershipNews.class, Level.WARNING, warnings)) {
      new MembershipNews(A, Runnable::run).opened(ALONE, true);
      new MembershipNews(member("a", "127.0.0.1"), Runnable::run).opened(ALONE, false);
      assertThat(warnings).isEmpty();

      new MembershipNews(A, Runnable::run).opened(ALONE, false);
      assertThat(warnings)
          .singleElement()
          .asString()
          .contains("192.0.2.1", "without keys", "GroupKeys.encrypting");
    }
  }
}
