package org.terrace.board;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.terrace.board.store.Member;
import org.terrace.core.TimeSource;

/**
 * Signed session cookies: the cookie says who the visitor is and until when, and HMAC-SHA-256 with
 * a key of the database proves it.
 *
 * <p>So any application server over the same database knows the visitor, also after another one has
 * died, and none keeps sessions in memory. What a member may do is fixed when he signs in.
 * Thread-safe; reading costs some microseconds.
 */
final class Sessions {
  /** The cookie's name. */
  static final String COOKIE = "board_session";

  /** How long a session lasts. */
  static final int LIFE_SECONDS = 12 * 3600;

  private static final String ALGORITHM = "HmacSHA256";
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int LONGEST_COOKIE_CHARACTERS = 200;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final SecretKeySpec key;
  private final TimeSource time;

  Sessions(byte[] secret, TimeSource time) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
    this.time = time;
  }

  /** The cookie's value for a member. */
  String sign(Member member) {
    long until = time.epochNanos() / NANOS_PER_SECOND + LIFE_SECONDS;
    String content =
        "%d:%d:%d:%s".formatted(member.id(), member.access().ordinal(), until, member.nickname());
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return ENCODER.encodeToString(bytes) + "." + ENCODER.encodeToString(mac(bytes));
  }

  /** The member of a cookie's value; empty if it is not ours, has been changed or is too old. */
  Optional<Member> read(String cookie) {
    int dot = cookie.indexOf('.');
    if (dot < 0 || cookie.length() > LONGEST_COOKIE_CHARACTERS) {
      return Optional.empty();
    }
    try {
      byte[] bytes = DECODER.decode(cookie.substring(0, dot));
      if (!MessageDigest.isEqual(mac(bytes), DECODER.decode(cookie.substring(dot + 1)))) {
        return Optional.empty();
      }
      String[] parts = new String(bytes, StandardCharsets.UTF_8).split(":", 4);
      if (Long.parseLong(parts[2]) < time.epochNanos() / NANOS_PER_SECOND) {
        return Optional.empty();
      }
      Member.Access access = Member.Access.of(Integer.parseInt(parts[1]));
      return Optional.of(new Member(Integer.parseInt(parts[0]), parts[3], access));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private byte[] mac(byte[] content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
