package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.Secret;
import org.terrace.testing.Seeds;

class AuthenticatorTest {
  private static final String TEXT = "what nobody else is to read";
  private static final Secret OLD = secret("an old key of the test");
  private static final Secret NEW = secret("a new key of the test");

  private static Secret secret(String text) {
    return new Secret(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Authenticator encrypting(Secret secret) {
    return new Authenticator(Optional.of(GroupKeys.encrypting(secret)));
  }

  private static ByteBuffer sealed(Authenticator by) {
    ByteBuffer frame = ByteBuffer.allocate(300);
    new Frame(1, 2, 3, 4, 5).encode(frame);
    frame.put(TEXT.getBytes(StandardCharsets.UTF_8));
    by.seal(frame);
    return frame.flip();
  }

  private static String textOf(ByteBuffer frame) {
    Frame.decode(frame);
    return StandardCharsets.UTF_8.decode(frame).toString();
  }

  @Test
  void anEncryptedFrameShowsNothingAndIsReadByWhoHasTheKey() {
    Authenticator sender = encrypting(OLD);
    ByteBuffer one = sealed(sender);
    assertThat(StandardCharsets.ISO_8859_1.decode(one.duplicate()).toString())
        .doesNotContain("read");
    assertThat(sealed(sender)).as("the same text twice").isNotEqualTo(one);
    assertThat(Frame.isPlausible(one)).isTrue();
    assertThat(encrypting(OLD).unseal(one)).isTrue();
    assertThat(textOf(one)).isEqualTo(TEXT);
    assertThat(encrypting(NEW).unseal(sealed(sender))).isFalse();
  }

  @Test
  void whatWasAlteredIsNoFrame() {
    RandomGenerator random = Seeds.generator(Seeds.next("altered"));
    Authenticator receiver = encrypting(OLD);
    for (int i = 0; i < 2_000; i++) {
      ByteBuffer frame = sealed(encrypting(OLD));
      int at = random.nextInt(1, frame.limit());
      frame.put(at, (byte) (frame.get(at) ^ 1 << random.nextInt(8)));
      assertThat(receiver.unseal(frame)).isFalse();
      ByteBuffer cut = sealed(encrypting(OLD));
      cut.limit(random.nextInt(cut.limit()));
      assertThat(receiver.unseal(cut)).isFalse();
    }
  }

  @Test
  void whoEncryptsHearsNothingInTheClearAndTheOtherWayRound() {
    Authenticator clear = new Authenticator(Optional.of(GroupKeys.authenticating(OLD)));
    Authenticator open = new Authenticator(Optional.empty());
    assertThat(encrypting(OLD).unseal(sealed(clear))).isFalse();
    assertThat(encrypting(OLD).unseal(sealed(open))).isFalse();
    assertThat(clear.unseal(sealed(encrypting(OLD)))).isFalse();
    assertThat(open.unseal(sealed(encrypting(OLD)))).isFalse();
  }

  @Test
  void twoKeysAreAcceptedAndOneThatIsDroppedIsNot() {
    for (boolean encrypting : new boolean[] {false, true}) {
      GroupKeys keys = encrypting ? GroupKeys.encrypting(OLD) : GroupKeys.authenticating(OLD);
      Authenticator receiver = new Authenticator(Optional.of(keys));
      GroupKeys later = encrypting ? GroupKeys.encrypting(NEW) : GroupKeys.authenticating(NEW);
      GroupKeys before = encrypting ? GroupKeys.encrypting(OLD) : GroupKeys.authenticating(OLD);
      Authenticator earlySender = new Authenticator(Optional.of(before));
      Authenticator lateSender = new Authenticator(Optional.of(later));
      assertThat(receiver.unseal(sealed(lateSender))).isFalse();
      assertThatThrownBy(() -> keys.sealWith(NEW)).isInstanceOf(IllegalStateException.class);
      keys.accept(NEW);
      assertThat(receiver.unseal(sealed(lateSender))).isTrue();
      assertThat(receiver.unseal(sealed(earlySender))).isTrue();
      assertThatThrownBy(() -> keys.accept(secret("a third key of the test")))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> keys.drop(OLD)).isInstanceOf(IllegalStateException.class);
      keys.sealWith(NEW);
      assertThat(lateSender.unseal(sealed(receiver))).isTrue();
      keys.drop(OLD);
      assertThat(receiver.unseal(sealed(earlySender))).isFalse();
      assertThat(receiver.unseal(sealed(lateSender))).isTrue();
    }
  }

  @Test
  void noNonceIsUsedTwice() {
    Set<ByteBuffer> heads = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      Authenticator sender = encrypting(OLD);
      for (int j = 0; j < 100; j++) {
        assertThat(heads.add(sealed(sender).slice(1, 24))).isTrue();
      }
    }
  }
}
