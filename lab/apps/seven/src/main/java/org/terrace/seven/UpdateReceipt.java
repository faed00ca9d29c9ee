package org.terrace.seven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The word that a client was given of an update that has an effect of its own. In a file it is a
 * line {@code method,key}, without a key where the client does not know whether the update was
 * done.
 *
 * @param method the update
 * @param key the effect that was acknowledged; empty where the outcome is unknown
 */
record UpdateReceipt(String method, OptionalLong key) {
  static UpdateReceipt done(String method, long key) {
    return new UpdateReceipt(method, OptionalLong.of(key));
  }

  static UpdateReceipt unknown(String method) {
    return new UpdateReceipt(method, OptionalLong.empty());
  }

  String line() {
    return method + "," + (key.isPresent() ? Long.toString(key.getAsLong()) : "");
  }

  /**
   * Reads a file of them.
   *
   * @throws TerraceException if it is absent or damaged
   */
  static List<UpdateReceipt> read(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.map(line -> parse(file, line)).toList();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "the acknowledgements " + file + " cannot be read: " + e, e);
    }
  }

  private static UpdateReceipt parse(Path file, String line) {
    String[] columns = line.split(",", -1);
    try {
      if (columns.length == 2) {
        return columns[1].isEmpty()
            ? unknown(columns[0])
            : done(columns[0], Long.parseLong(columns[1]));
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT, file + " holds '" + line + "'; expected METHOD,KEY or METHOD,");
  }
}
