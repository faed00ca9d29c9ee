package org.terrace.hosts.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of files, by which a host knows those that it has. Stateless. */
public final class FileDigests {
  private static final int BUFFER_BYTES = 1 << 16;

  private FileDigests() {}

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String ofText(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  public static String ofFile(Path file) throws IOException {
    return ofBeginning(file, Long.MAX_VALUE);
  }

  /** The digest of a file's first bytes, or of all if it has no more. */
  public static String ofBeginning(Path file, long bytes) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = bytes;
    try (InputStream in = Files.newInputStream(file)) {
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          break;
        }
        digest.update(buffer, 0, read);
        left -= read;
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
