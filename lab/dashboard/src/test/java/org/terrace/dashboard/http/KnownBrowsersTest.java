package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.testing.ManualTimeSource;

/** The token lets in, and its guesses and secrets have limits. */
class KnownBrowsersTest {
  private static final String TOKEN = "a-token-of-more-than-twenty-characters";
  private static final InetAddress HERE = InetAddress.ofLiteral("192.0.2.1");
  private final ManualTimeSource time = new ManualTimeSource(0);
  private final KnownBrowsers signedIn = new KnownBrowsers(AccessToken.of(TOKEN), time);

  private String secret() {
    return ((KnownBrowsers.Shown.Right) signedIn.show(TOKEN, HERE)).secret();
  }

  @Test
  void aSecretIsKnownUntilItIsTooOld() {
    String secret = secret();
    assertThat(signedIn.knows(Optional.of(secret))).isTrue();
    assertThat(signedIn.knows(Optional.of(secret + "x"))).isFalse();
    assertThat(signedIn.knows(Optional.of(TOKEN))).isFalse();
    assertThat(signedIn.knows(Optional.empty())).isFalse();

    time.advanceNanos(KnownBrowsers.LASTS.plusSeconds(1).toNanos());
    assertThat(signedIn.knows(Optional.of(secret))).isFalse();
  }

  @Test
  void theSecretThatWasUsedLongestAgoGoesWhenThereAreTooMany() {
    String first = used();
    String second = used();
    for (int i = 2; i < KnownBrowsers.MOST; i++) {
      used();
    }
    assertThat(signedIn.knows(Optional.of(first))).isTrue();
    used();
    assertThat(signedIn.knows(Optional.of(first))).isTrue();
    assertThat(signedIn.knows(Optional.of(second))).isFalse();
  }

  private String used() {
    String secret = secret();
    assertThat(signedIn.knows(Optional.of(secret))).isTrue();
    return secret;
  }

  /** As of a probe or a bookmark that bears the token: each visit is given another secret. */
  @Test
  void secretsThatNobodyUsesSignOutNobody() {
    String first = used();
    String unused = secret();
    for (int i = 0; i < KnownBrowsers.MOST; i++) {
      secret();
    }
    assertThat(signedIn.knows(Optional.of(first))).isTrue();
    assertThat(signedIn.knows(Optional.of(unused))).isFalse();
  }

  @Test
  void afterTenWrongOnesNothingIsComparedForAMinute() {
    for (int i = 0; i < KnownBrowsers.MOST_GUESSES; i++) {
      assertThat(signedIn.show("wrong " + i, HERE)).isInstanceOf(KnownBrowsers.Shown.Wrong.class);
    }
    assertThat(signedIn.show(TOKEN, HERE)).isInstanceOf(KnownBrowsers.Shown.TooMany.class);
    time.advanceNanos(61_000_000_000L);
    assertThat(signedIn.show(TOKEN, HERE)).isInstanceOf(KnownBrowsers.Shown.Right.class);
  }

  private void guessTooOften(String from) {
    for (int i = 0; i < KnownBrowsers.MOST_GUESSES; i++) {
      signedIn.show("wrong " + i, InetAddress.ofLiteral(from));
    }
  }

  @Test
  void whoGuessesShutsOutNobodyElsewhere() {
    guessTooOften("192.0.2.1");
    assertThat(signedIn.show(TOKEN, InetAddress.ofLiteral("192.0.2.2")))
        .isInstanceOf(KnownBrowsers.Shown.Right.class);
    guessTooOften("2001:db8:0:1::1");
    assertThat(signedIn.show(TOKEN, InetAddress.ofLiteral("2001:db8:0:1:ffff::2")))
        .as("one network is one guesser")
        .isInstanceOf(KnownBrowsers.Shown.TooMany.class);
    assertThat(signedIn.show(TOKEN, InetAddress.ofLiteral("2001:db8:0:2::1")))
        .isInstanceOf(KnownBrowsers.Shown.Right.class);
  }
}
