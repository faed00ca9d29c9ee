package org.terrace.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A secret that naming processes, managers, replicas and their clients share: with one, each of
 * them talks to nobody who does not have it, and what they say is encrypted. Without one they
 * listen on loopback alone. Never printed. Immutable.
 */
public final class ControlSecret {
  /** Least length, in bytes. */
  public static final int BYTES_MIN = 16;

  /** Greatest length, in bytes. */
  public static final int BYTES_MAX = 4_096;

  private static final ControlSecret NONE = new ControlSecret(new byte[0]);

  private final byte[] bytes;
  private final @Nullable ControlSecret other;

  private ControlSecret(byte[] bytes) {
    this(bytes, null);
  }

  private ControlSecret(byte[] bytes, @Nullable ControlSecret other) {
    this.bytes = bytes;
    this.other = other;
  }

  /** The absence of a secret: nobody is asked for one. */
  public static ControlSecret none() {
    return NONE;
  }

  /**
   * The secret of these bytes, which are copied.
   *
   * @throws TerraceException if they are fewer than {@value #BYTES_MIN} or more than {@value
   *     #BYTES_MAX}
   */
  public static ControlSecret of(byte[] secret) {
    return of(secret, "the secret");
  }

  private static ControlSecret of(byte[] secret, String where) {
    if (secret.length < BYTES_MIN || secret.length > BYTES_MAX) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "%s has %d bytes: expected %d to %d, for example the output of 'openssl rand -hex 32'"
              .formatted(where, secret.length, BYTES_MIN, BYTES_MAX));
    }
    return new ControlSecret(secret.clone());
  }

  /**
   * This secret, by which others are talked to, and one more that those who connect may have: the
   * one before, or the one after, while processes are given another one by one.
   *
   * @throws IllegalArgumentException if one of the two is none
   */
  public ControlSecret orAlso(ControlSecret alsoAccepted) {
    if (!isSet() || !alsoAccepted.isSet()) {
      throw new IllegalArgumentException("the absence of a secret is not another secret");
    }
    return new ControlSecret(bytes, new ControlSecret(alsoAccepted.bytes));
  }

  /**
   * The secret in a file, without the white space around it. A second line is one more that those
   * who connect may have.
   *
   * @throws TerraceException if it cannot be read, if everybody may read it, or if what it holds is
   *     too short or too long
   */
  public static ControlSecret ofFile(Path file) {
    try {
      if (mayBeReadByAnybody(file)) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "everybody on this machine may read the secret in "
                + file
                + ": take that away with 'chmod o= "
                + file
                + "', and draw another if somebody may have read it");
      }
      List<ControlSecret> lines =
          Files.readString(file, StandardCharsets.ISO_8859_1)
              .strip()
              .lines()
              .map(line -> line.strip().getBytes(StandardCharsets.ISO_8859_1))
              .map(line -> of(line, "the secret in " + file))
              .toList();
      if (lines.size() > 2) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "%s has %d lines: expected a secret, and a second one if two are in use for a while"
                .formatted(file, lines.size()));
      }
      return switch (lines.size()) {
        case 0 -> of(new byte[0], "the secret in " + file);
        case 1 -> lines.getFirst();
        default -> lines.getFirst().orAlso(lines.getLast());
      };
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "cannot read the secret in "
              + file
              + " ("
              + e
              + "): give a file that holds "
              + BYTES_MIN
              + " bytes or more",
          e);
    }
  }

  /** The secret of a file, read as {@link #ofFile(Path)} does, or none without a file. */
  public static ControlSecret ofFile(Optional<Path> file) {
    return file.map(ControlSecret::ofFile).orElse(NONE);
  }

  private static boolean mayBeReadByAnybody(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return false;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    return permissions.contains(PosixFilePermission.OTHERS_READ);
  }

  /** Whether there is one. */
  public boolean isSet() {
    return bytes.length > 0;
  }

  /**
   * The key that other keys are derived from.
   *
   * @throws IllegalStateException if there is no secret
   */
  public SecretKeySpec key() {
    if (!isSet()) {
      throw new IllegalStateException("there is no secret");
    }
    return new SecretKeySpec(bytes, "HKDF");
  }

  /** The secrets that those who connect may have, each alone: this one first. */
  public List<ControlSecret> accepted() {
    return other == null ? List.of(this) : List.of(new ControlSecret(bytes), other);
  }

  @Override
  public boolean equals(Object another) {
    return another instanceof ControlSecret secret
        && MessageDigest.isEqual(bytes, secret.bytes)
        && Objects.equals(other, secret.other);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return isSet() ? "a secret" : "no secret";
  }
}
