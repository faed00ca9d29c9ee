package org.terrace.invocation;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.terrace.core.RequestIdentity;

/**
 * The idempotency key of one update: the name under which its caller, another client or another
 * process may ask again for what became of it. Immutable.
 *
 * <p>A key names one update of one service: the same method with the same arguments. It bears the
 * hour in which it was made, which is a part of it: keep its text ({@link #toString}) where the
 * request itself is kept, before the first call, and read it with {@link #parse} for each later
 * one. The replies of all keys of one service and hour are retained together, for the lease of
 * {@code RetentionOptions} after the last call or question under any of them; from then on such a
 * key is refused, for ever.
 *
 * @param created when it was made, cut to the hour; 1970 to 9999
 * @param name what tells it from other keys of its hour: 1 to {@value #NAME_CHARACTERS_MAX}
 *     characters, none of them a control character, such as the number of an order
 */
public record CallKey(Instant created, String name) {
  /** The longest name. */
  public static final int NAME_CHARACTERS_MAX = 200;

  private static final char SEPARATOR = '/';
  private static final byte END = 0;
  private static final Instant LAST = Instant.parse("9999-12-31T23:00:00Z");

  /** Cuts the time to the hour; checks the ranges. */
  public CallKey {
    Objects.requireNonNull(created);
    if (created.isBefore(Instant.EPOCH) || created.isAfter(LAST)) {
      throw new IllegalArgumentException("A key is made in 1970 to 9999, not at " + created + ".");
    }
    created = created.truncatedTo(ChronoUnit.HOURS);
    if (name.isEmpty() || name.length() > NAME_CHARACTERS_MAX) {
      throw new IllegalArgumentException(
          "The name of a key has 1 to %d characters, not %d."
              .formatted(NAME_CHARACTERS_MAX, name.length()));
    }
    if (name.codePoints().anyMatch(Character::isISOControl)
        || name.codePoints()
            .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      throw new IllegalArgumentException(
          "The name of a key has no control characters and no halves of characters.");
    }
  }

  /**
   * The key of a text that {@link #toString} gave.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static CallKey parse(String text) {
    int end = text.indexOf(SEPARATOR);
    try {
      return new CallKey(
          Instant.parse(text.substring(0, Math.max(0, end))), text.substring(end + 1));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'"
              + text.substring(0, Math.min(text.length(), NAME_CHARACTERS_MAX))
              + "' is no key: expected its hour and its name, such as 2026-05-01T12:00:00Z/order-17.",
          e);
    }
  }

  /**
   * The identity of the update at a service, from a SHA-256 of service, hour and name. The keys of
   * one service and hour have one client, and are told apart by 62 bits: of n of them two are taken
   * for one with a chance of n * n / 2^63, one in nine million for a million keys.
   */
  public RequestIdentity identity(String service) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("terrace-key".getBytes(StandardCharsets.UTF_8));
      digest.update(END);
      digest.update(service.getBytes(StandardCharsets.UTF_8));
      digest.update(END);
      byte[] hour = digest.digest(created.toString().getBytes(StandardCharsets.UTF_8));
      digest.update(hour);
      byte[] whole = digest.digest(name.getBytes(StandardCharsets.UTF_8));
      return new RequestIdentity(
          ByteBuffer.wrap(hour).getLong(), (ByteBuffer.wrap(whole).getLong() >>> 2) + 1);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256.", e);
    }
  }

  /** The key as a text, the same for ever: its hour, a slash, its name. */
  @Override
  public String toString() {
    return created.toString() + SEPARATOR + name;
  }
}
