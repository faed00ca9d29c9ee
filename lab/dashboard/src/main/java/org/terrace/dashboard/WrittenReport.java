package org.terrace.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.report.ReportWriter;

/**
 * A report that lies in a result, read piece by piece: before it is sent, to know whether it is one
 * of this version, and while it is sent, since it may be another by then. Immutable.
 */
final class WrittenReport {
  private static final Map<String, String> POLICIES = ReportWriter.policiesByBeginning();
  private static final int LONGEST_BEGINNING =
      POLICIES.keySet().stream().mapToInt(beginning -> bytes(beginning).length).max().orElse(0);
  private static final int PIECE = 1 << 16;

  private final Path file;
  private final String policy;
  private final long length;

  private WrittenReport(Path file, String policy, long length) {
    this.file = file;
    this.policy = policy;
    this.length = length;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The answer with a report as it lies in a file; empty if it is none of this version. */
  static Optional<PageResponse> of(Path file) throws IOException {
    return read(file, OutputStream.nullOutputStream())
        .map(report ->
            Reports.under(
                report.policy,
                PageResponse.streamed(
                    Reports.TYPE, report.length, (output, _) -> report.write(output))));
  }

  private void write(OutputStream output) throws IOException {
    Optional<WrittenReport> sent = read(file, output);
    if (sent.filter(each -> each.length == length && each.policy.equals(policy)).isEmpty()) {
      throw new IOException(file + " changed while it was sent");
    }
  }

  /**
   * Copies a file as far as it is a report of this version; empty if it is not to its end.
   *
   * @param output takes what was looked at
   */
  private static Optional<WrittenReport> read(Path file, OutputStream output) throws IOException {
    try (InputStream input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] piece = input.readNBytes(LONGEST_BEGINNING);
      Optional<String> policy = policy(piece);
      Orders orders = new Orders();
      long length = 0;
      int read = piece.length;
      while (policy.isPresent() && read > 0) {
        if (orders.leadAway(piece, read)) {
          return Optional.empty();
        }
        output.write(piece, 0, read);
        length += read;
        piece = piece.length < PIECE ? new byte[PIECE] : piece;
        read = input.read(piece);
      }
      long all = length;
      return policy.map(known -> new WrittenReport(file, known, all));
    }
  }

  /**
   * The policy of a page that begins, byte for byte, as one of this version does. Anything before
   * the policy's element could be an order to go elsewhere, a comment around it, or the mark of
   * another encoding, in which the rest reads otherwise than it is searched here.
   */
  static Optional<String> policy(byte[] page) {
    return POLICIES.entrySet().stream()
        .filter(each -> begins(page, bytes(each.getKey())))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean begins(byte[] page, byte[] with) {
    return page.length >= with.length && Arrays.equals(page, 0, with.length, with, 0, with.length);
  }

  /**
   * The search for orders to go elsewhere, which no policy forbids, and for a sandbox that lets
   * scripts run: the report's own one {@code http-equiv} is that of its policy.
   */
  private static final class Orders {
    private static final byte[] WORD = bytes("http-equiv");

    private int matched;
    private int found;

    /** Whether the pieces so far may hold one. */
    boolean leadAway(byte[] piece, int length) {
      for (int at = 0; at < length && found < 2; at++) {
        byte one = piece[at];
        int lower = one >= 'A' && one <= 'Z' ? one + ('a' - 'A') : one;
        // No beginning of the word but its first letter recurs in it.
        matched = lower == WORD[matched] ? matched + 1 : lower == WORD[0] ? 1 : 0;
        if (matched == WORD.length) {
          found++;
          matched = 0;
        }
      }
      return found > 1;
    }
  }
}
