package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.terrace.board.store.Member;
import org.terrace.board.store.Member.Access;
import org.terrace.testing.ManualTimeSource;
import org.terrace.testing.Seeds;

@ExtendWith(RunningBoard.Resolver.class)
class SessionsTest {
  private static final Member AUTHOR = new Member(7, "author7", Access.AUTHOR);
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final ManualTimeSource time = new ManualTimeSource(1_800_000_000L * NANOS_PER_SECOND);
  private final Sessions sessions = new Sessions("some key".getBytes(StandardCharsets.UTF_8), time);

  @Test
  void whatWasSignedIsReadBack() {
    assertThat(sessions.read(sessions.sign(AUTHOR))).contains(AUTHOR);
  }

  @Test
  void aSessionEnds() {
    String cookie = sessions.sign(AUTHOR);
    time.advanceNanos(Sessions.LIFE_SECONDS * NANOS_PER_SECOND);
    assertThat(sessions.read(cookie)).isPresent();
    time.advanceNanos(NANOS_PER_SECOND);
    assertThat(sessions.read(cookie)).isEmpty();
  }

  @Test
  void whateverIsChangedIsNoSession() {
    RandomGenerator random = Seeds.generator(Seeds.next("SessionsTest"));
    String cookie = sessions.sign(AUTHOR);
    for (int round = 0; round < 500; round++) {
      int at = random.nextInt(cookie.length());
      char other = "AZaz09-_.~=".charAt(random.nextInt(11));
      String changed = cookie.substring(0, at) + other + cookie.substring(at + 1);
      // The last character of each half carries bits that decoding drops: the same bytes, then.
      if (!sameBytes(cookie, changed)) {
        assertThat(sessions.read(changed)).as(changed).isEmpty();
      }
      assertThat(sessions.read(cookie.substring(0, at))).isEmpty();
    }
  }

  @Test
  void anotherKeyDoesNotSign() {
    Sessions others = new Sessions("other key".getBytes(StandardCharsets.UTF_8), time);
    assertThat(sessions.read(others.sign(AUTHOR))).isEmpty();
    assertThat(sessions.read("")).isEmpty();
    assertThat(sessions.read("..")).isEmpty();
  }

  @Test
  void aSecondServerKnowsWhoSignedInAtTheFirst(RunningBoard board) {
    try (BoardServer second = board.anotherServer("app2");
        Visitor author = board.visitor()) {
      author.signIn("author8", "password8");
      String cookie = author.cookies().getCookieStore().getCookies().getFirst().getValue();
      try (Visitor elsewhere =
          new Visitor("http://" + RunningBoard.SERVER_ADDRESS + ":" + second.port())) {
        var request =
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create(
                        "http://"
                            + RunningBoard.SERVER_ADDRESS
                            + ":"
                            + second.port()
                            + "/review-stories"))
                .header("Cookie", Sessions.COOKIE + "=" + cookie)
                .build();
        assertThat(elsewhere.send(request).state()).isEqualTo("ReviewStories");
      }
    }
  }

  private static boolean sameBytes(String one, String other) {
    try {
      String[] a = one.split("\\.", -1);
      String[] b = other.split("\\.", -1);
      Base64.Decoder decoder = Base64.getUrlDecoder();
      return b.length == 2
          && java.util.Arrays.equals(decoder.decode(a[0]), decoder.decode(b[0]))
          && java.util.Arrays.equals(decoder.decode(a[1]), decoder.decode(b[1]));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
