package org.terrace.protocols.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.CaptureSecrets;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/**
 * The secrets of connections of TLS, by the random numbers of their clients: read from key logs in
 * the format that {@code SSLKEYLOGFILE} names, which are files or parts of a capture. Lines with
 * other labels are passed over; damaged ones are passed over and counted. No secret is ever told by
 * a message or by {@link #toString()}. Confined to one thread.
 *
 * <p>Source: draft-ietf-tls-keylogfile.
 */
public final class TlsKeys implements CaptureSecrets {
  /**
   * The most secrets that are kept, four a connection of TLS 1.3: about 80 MB. The latest are: a
   * program goes on writing to its log for months, and a capture is seldom older than its end.
   */
  private static final int SECRETS_MAX = 400_000;

  /** A line that is longer is damaged; the longest that is sound has 230 characters. */
  static final int LINE_BYTES_MAX = 1024;

  private static final int READ_BYTES = 64 << 10;
  private static final int FIELDS = 3;
  private static final HexFormat HEX = HexFormat.of();

  /**
   * The name of a secret within a key log. A log can be made whose names all have one hash, as an
   * untrusted capture may carry it: their order keeps the table from searching through all of them.
   */
  private record Name(ClientRandom random, KeyLabel label) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int byRandom = random.compareTo(other.random);
      return byRandom != 0 ? byRandom : label.compareTo(other.label);
    }
  }

  private final Counters counters;
  private final int secretsMax;
  private final SequencedMap<Name, byte[]> secrets = new LinkedHashMap<>();
  private final byte[] line = new byte[LINE_BYTES_MAX];
  private int lineLength;
  private long usableLines;

  /** No keys yet; counts what is damaged of those that come. */
  public TlsKeys(Counters counters) {
    this(counters, SECRETS_MAX);
  }

  /** No keys yet, of which so many will be kept. */
  TlsKeys(Counters counters, int secretsMax) {
    this.counters = counters;
    this.secretsMax = secretsMax;
  }

  /**
   * Adds the secrets of a key log.
   *
   * @throws TerraceException when the file cannot be read, or holds something else
   */
  public void read(Path file) {
    long usableBefore = usableLines;
    byte[] bytes = new byte[READ_BYTES];
    long total = 0;
    try (InputStream input = Files.newInputStream(file)) {
      for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
        keyLog(bytes, 0, count);
        total += count;
      }
    } catch (NoSuchFileException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, file + ": there is no such file. Check the path of the key log.", e);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file
              + ": expected a readable key log of TLS, but reading it failed ("
              + e.getMessage()
              + "). Check that it is a file and that you may read it.",
          e);
    }
    keyLogEnds();
    if (total > 0 && usableLines == usableBefore) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          file
              + ": expected a key log of TLS, as programs write to the file that SSLKEYLOGFILE"
              + " names, but no line of it is one with a secret, such as 'CLIENT_RANDOM' and two"
              + " hexadecimal numbers. Name the file that the client or the server wrote.");
    }
  }

  @Override
  public void keyLog(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n') {
        lineEnds();
      } else {
        if (lineLength < LINE_BYTES_MAX) {
          line[lineLength] = bytes[at];
        }
        lineLength = Math.min(lineLength + 1, LINE_BYTES_MAX + 1);
      }
    }
  }

  @Override
  public void keyLogEnds() {
    lineEnds();
  }

  private void lineEnds() {
    int length = lineLength;
    lineLength = 0;
    if (length > LINE_BYTES_MAX) {
      counters.increment(WireCount.DAMAGED_KEY_LINES);
      return;
    }
    String text = new String(line, 0, length, StandardCharsets.ISO_8859_1).strip();
    if (!text.isEmpty() && text.charAt(0) != '#' && !read(text)) {
      counters.increment(WireCount.DAMAGED_KEY_LINES);
    }
  }

  /** Takes a line; false when it is damaged. */
  private boolean read(String text) {
    String[] fields = text.split(" +", FIELDS + 1);
    if (fields.length != FIELDS) {
      return false;
    }
    byte[] random = hex(fields[1]);
    byte[] secret = hex(fields[2]);
    if (random == null || secret == null) {
      return false;
    }
    KeyLabel label = KeyLabel.named(fields[0]);
    if (label == null) {
      return fields[0].chars().allMatch(c -> c == '_' || Character.isLetterOrDigit(c));
    }
    if (random.length != ClientRandom.LENGTH || !label.mayHave(secret.length)) {
      return false;
    }
    usableLines++;
    secrets.putLast(new Name(ClientRandom.at(random, 0), label), secret);
    if (secrets.size() > secretsMax) {
      secrets.pollFirstEntry();
      counters.increment(WireCount.KEYS_BEYOND_LIMIT);
    }
    return true;
  }

  private static byte @Nullable [] hex(String digits) {
    if (digits.isEmpty() || digits.length() % 2 != 0 || !digits.chars().allMatch(TlsKeys::isHex)) {
      return null;
    }
    return HEX.parseHex(digits);
  }

  private static boolean isHex(int character) {
    return HexFormat.isHexDigit(character);
  }

  /** Whether there are no secrets at all. */
  boolean isEmpty() {
    return secrets.isEmpty();
  }

  /** A secret of a connection, or null; not to be changed. */
  byte @Nullable [] secret(ClientRandom random, KeyLabel label) {
    return secrets.get(new Name(random, label));
  }

  /** Whether any secret of a connection is known. */
  boolean knows(ClientRandom random) {
    for (KeyLabel label : KeyLabel.values()) {
      if (secrets.containsKey(new Name(random, label))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return secrets.size() + " secrets of TLS";
  }
}
