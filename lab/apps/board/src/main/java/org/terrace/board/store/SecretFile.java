package org.terrace.board.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** A file with a password or another secret, which no command line shows. Stateless. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * The secret in a file, without the space around it.
   *
   * @param flag the flag that names the file, for messages
   * @param file the file; empty: there is no secret
   * @return empty when there is none
   * @throws TerraceException if the file cannot be read or holds nothing
   */
  public static String read(String flag, String file) {
    if (file.isEmpty()) {
      return "";
    }
    try {
      String secret = Files.readString(Path.of(file)).strip();
      if (secret.isEmpty()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT, "%s: %s is empty, expected a secret".formatted(flag, file));
      }
      return secret;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "%s: %s cannot be read (%s); expected a file with a secret".formatted(flag, file, e),
          e);
    }
  }
}
