package org.terrace.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The names of folders {@code key=value} and of files in a data set, as Hive writes them: what has
 * a meaning in paths is a percent sign and two hexadecimal digits. Stateless.
 */
final class PartitionNames {
  /** The characters that readers of such folders take apart, or file systems refuse. */
  private static final String ESCAPED = "\"#%'*/:=?\\{}[]^<>|\u007f";

  /** The longest name that every file system takes, less what stands before and behind it. */
  private static final int BYTES_MAX = 200;

  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("uuuu-MM-dd-HH", Locale.ROOT).withZone(ZoneOffset.UTC);

  private PartitionNames() {}

  /** The folder of a trial's part of a table. */
  static String ofTrial(String table, String trial) {
    return table + "/" + folder("trial", trial);
  }

  /** The folder of a value. */
  static String folder(String key, String value) {
    return key + "=" + escaped(value);
  }

  /** A value as a part of a name. */
  static String escaped(String value) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      if (each < ' ' || ESCAPED.indexOf(each) >= 0) {
        name.append(String.format(Locale.ROOT, "%%%02X", (int) each));
      } else {
        name.append(each);
      }
    }
    if (value.isEmpty() || name.toString().getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "the name '"
              + value
              + "' cannot be that of a folder: expected 1 to "
              + BYTES_MAX
              + " bytes. Give it another name.");
    }
    return name.toString();
  }

  /** The error of a name that this process can give no file. */
  static TerraceException notOfLocale(String what, InvalidPathException cause) {
    return new TerraceException(
        ErrorCode.MACHINE_LACKS,
        what
            + ": the locale of this process has no form for a name in it ("
            + cause.getMessage()
            + "). Set LC_ALL=C.UTF-8 where the process is started, on all machines.",
        cause);
  }

  /** The value of a folder {@code key=value}; null if it is none of that key. */
  static @Nullable String value(String key, String folder) {
    if (!folder.startsWith(key + "=")) {
      return null;
    }
    String escaped = folder.substring(key.length() + 1);
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      boolean code = escaped.charAt(i) == '%' && i + 2 < escaped.length();
      int high = code ? Character.digit(escaped.charAt(i + 1), 16) : -1;
      int low = code ? Character.digit(escaped.charAt(i + 2), 16) : -1;
      if (high >= 0 && low >= 0) {
        value.append((char) (16 * high + low));
        i += 2;
      } else {
        value.append(escaped.charAt(i));
      }
    }
    return value.toString();
  }

  /** The number of the hour in which a moment lies, from 1970 on. */
  static long hourOf(long epochNanos) {
    return Math.floorDiv(epochNanos, HOUR_NANOS);
  }

  /** The name of an hour in UTC, such as {@code 2026-11-27-09}. */
  static String hour(long number) {
    return HOUR.format(Instant.ofEpochSecond(number * 3_600));
  }
}
