package org.terrace.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.terrace.testing.ManualTimeSource;

/** The token lets in, and its guesses and secrets have limits. */
class SignedInTest {
  private static final String TOKEN = "a-token-of-more-than-twenty-characters";
  private final ManualTimeSource time = new ManualTimeSource(0);
  private final SignedIn signedIn = new SignedIn(AccessToken.of(TOKEN), time);

  private String secret() {
    return ((SignedIn.Shown.Right) signedIn.show(TOKEN)).secret();
  }

  @Test
  void aSecretIsKnownUntilItIsTooOld() {
    String secret = secret();
    assertThat(signedIn.knows(Optional.of(secret))).isTrue();
    assertThat(signedIn.knows(Optional.of(secret + "x"))).isFalse();
    assertThat(signedIn.knows(Optional.of(TOKEN))).isFalse();
    assertThat(signedIn.knows(Optional.empty())).isFalse();

    time.advanceNanos(SignedIn.LASTS.plusSeconds(1).toNanos());
    assertThat(signedIn.knows(Optional.of(secret))).isFalse();
  }

  @Test
  void theOldestSecretGoesWhenThereAreTooMany() {
    String first = secret();
    for (int i = 1; i < SignedIn.MOST; i++) {
      secret();
    }
    assertThat(signedIn.knows(Optional.of(first))).isTrue();
    secret();
    assertThat(signedIn.knows(Optional.of(first))).isFalse();
  }

  @Test
  void afterTenWrongOnesNothingIsComparedForAMinute() {
    for (int i = 0; i < SignedIn.MOST_GUESSES; i++) {
      assertThat(signedIn.show("wrong " + i)).isInstanceOf(SignedIn.Shown.Wrong.class);
    }
    assertThat(signedIn.show(TOKEN)).isInstanceOf(SignedIn.Shown.TooMany.class);
    time.advanceNanos(61_000_000_000L);
    assertThat(signedIn.show(TOKEN)).isInstanceOf(SignedIn.Shown.Right.class);
  }
}
