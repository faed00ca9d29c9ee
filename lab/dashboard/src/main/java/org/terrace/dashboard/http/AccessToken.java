package org.terrace.dashboard.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The token that lets people in. It keeps a digest only, and compares in a time that does not
 * depend on what was guessed. Immutable and thread-safe.
 */
public final class AccessToken {
  /** The fewest characters of a token. */
  public static final int FEWEST_CHARACTERS = 20;

  private static final int MOST_BYTES = 4_096;
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_WRITE);

  private final byte[] digest;

  private AccessToken(byte[] digest) {
    this.digest = digest;
  }

  /** A token of as many characters as may be. */
  public static AccessToken of(String token) {
    if (token.length() < FEWEST_CHARACTERS) {
      throw new IllegalArgumentException("a token has at least " + FEWEST_CHARACTERS);
    }
    return new AccessToken(digest(token));
  }

  /**
   * The token in a file: its text without blanks around it.
   *
   * @throws TerraceException if the file cannot be read, may be read by others, or holds no token
   */
  public static AccessToken read(Path file) {
    try {
      var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view != null
          && view.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains)) {
        throw refused(file, "others may read or write it; chmod 600 " + file, null);
      }
      if (Files.size(file) > MOST_BYTES) {
        throw refused(file, "it has more than " + MOST_BYTES + " bytes", null);
      }
      String text = Files.readString(file).strip();
      if (text.length() < FEWEST_CHARACTERS || text.lines().count() > 1) {
        throw refused(file, "it is no line of at least " + FEWEST_CHARACTERS + " characters", null);
      }
      return of(text);
    } catch (IOException e) {
      throw refused(file, "it cannot be read (" + e + ")", e);
    }
  }

  private static TerraceException refused(Path file, String why, @Nullable Exception cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "--token "
            + file
            + ": "
            + why
            + ". Make one with: (umask 077; head -c 24 /dev/urandom | base64 >FILE)",
        cause);
  }

  boolean matches(String guess) {
    // In an address that somebody typed, + stands for itself, and was taken for a blank.
    boolean isTyped = MessageDigest.isEqual(digest, digest(guess.replace(' ', '+')));
    return MessageDigest.isEqual(digest, digest(guess)) || isTyped;
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
