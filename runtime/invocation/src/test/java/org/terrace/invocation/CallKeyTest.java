package org.terrace.invocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;

/** Keys of callers as texts and as identities of requests. */
class CallKeyTest {
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

  @Test
  void aKeyIsTheSameAfterItHasBeenWrittenAndRead() {
    for (String name : List.of("order-17", "a/b/c", " ", "größe 🎈", "x".repeat(200))) {
      CallKey key = new CallKey(NOON.plusSeconds(3_599), name);
      assertThat(key.toString()).isEqualTo("2026-05-01T12:00:00Z/" + name);
      assertThat(CallKey.parse(key.toString())).isEqualTo(key);
      assertThat(CallKey.parse(key.toString()).identity("seats")).isEqualTo(key.identity("seats"));
    }
  }

  @Test
  void theIdentityOfAKeyIsWhatItWasInEveryRelease() {
    assertThat(new CallKey(NOON, "order-17").identity("seats"))
        .hasToString("b3f2246fa728dfc7/2502633796473567808");
  }

  @Test
  void keysOfOneServiceAndHourHaveOneClientAndEachASequenceOfItsOwn() {
    Set<Long> clients = new HashSet<>();
    Set<RequestIdentity> all = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      RequestIdentity identity = new CallKey(NOON, "order-" + i).identity("seats");
      clients.add(identity.client());
      all.add(identity);
      assertThat(identity.sequence()).isBetween(1L, Long.MAX_VALUE - 1);
    }
    assertThat(clients).hasSize(1);
    assertThat(all).hasSize(1_000);
    CallKey key = new CallKey(NOON, "order-1");
    assertThat(all).doesNotContain(key.identity("orders"));
    assertThat(clients)
        .doesNotContain(new CallKey(NOON.plusSeconds(3_600), "order-1").identity("seats").client());
  }

  @Test
  void whatIsNoKeyIsRefusedWithWhatWasExpected() {
    assertThatThrownBy(() -> new CallKey(NOON, "")).hasMessageContaining("1 to 200 characters");
    assertThatThrownBy(() -> new CallKey(NOON, "x".repeat(201))).hasMessageContaining("not 201");
    assertThatThrownBy(() -> new CallKey(NOON, "a\nb")).hasMessageContaining("control characters");
    assertThatThrownBy(() -> new CallKey(NOON, "\uD83C")).hasMessageContaining("halves");
    assertThatThrownBy(() -> new CallKey(Instant.EPOCH.minusNanos(1), "a"))
        .hasMessageContaining("1970 to 9999");
    for (String text : List.of("", "order-17", "noon/order-17", "2026-05-01T12:00:00Z")) {
      assertThatThrownBy(() -> CallKey.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2026-05-01T12:00:00Z/order-17");
    }
  }
}
