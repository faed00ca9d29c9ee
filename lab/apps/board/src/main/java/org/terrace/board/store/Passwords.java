package org.terrace.board.store;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Hashes of passwords: PBKDF2 with HMAC-SHA-256 (RFC 8018), a salt of each password's own and the
 * number of rounds kept beside it, written as {@code rounds$salt$hash} in hexadecimal digits.
 *
 * <p>The rounds are few on purpose. A benchmark wants to see its tiers, not a hash function, and
 * the passwords of generated users are in the documentation; a board that is to keep real secrets
 * would raise {@link #ROUNDS} a thousandfold, and old hashes would still be understood.
 * Thread-safe.
 */
public final class Passwords {
  /** Rounds of a password that a visitor chose: about 0.2 ms of CPU time. */
  public static final int ROUNDS = 256;

  /** Rounds of a generated, published password: half a million are hashed when data are loaded. */
  public static final int GENERATED_ROUNDS = 4;

  /** Length of a salt in bytes. */
  public static final int SALT_BYTES = 8;

  private static final int HASH_BYTES = 16;
  private static final int MOST_ROUNDS = 10_000_000;
  private static final HexFormat HEX = HexFormat.of();

  private Passwords() {}

  /** The hash of a password. */
  public static String hash(String password, byte[] salt, int rounds) {
    return rounds + "$" + HEX.formatHex(salt) + "$" + HEX.formatHex(derive(password, salt, rounds));
  }

  /** Whether this is the password that was hashed. */
  public static boolean matches(String password, String hash) {
    String[] parts = hash.split("\\$", -1);
    if (parts.length != 3) {
      return false;
    }
    try {
      int rounds = Integer.parseInt(parts[0]);
      if (rounds < 1 || rounds > MOST_ROUNDS || password.isEmpty()) {
        return false;
      }
      byte[] derived = derive(password, HEX.parseHex(parts[1]), rounds);
      return MessageDigest.isEqual(derived, HEX.parseHex(parts[2]));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static byte[] derive(String password, byte[] salt, int rounds) {
    PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, rounds, HASH_BYTES * Byte.SIZE);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
    } finally {
      spec.clearPassword();
    }
  }
}
