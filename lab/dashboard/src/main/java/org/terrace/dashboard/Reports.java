package org.terrace.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.dashboard.results.ResultFiles;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ServedDirectory;
import org.terrace.report.FindingsFile;
import org.terrace.report.ReportWriter;
import org.terrace.report.ResultDirectory;

/**
 * The reports of results, as the command writes them. One that lies there and is of this version is
 * sent as it is; any other is made anew from the tables, one at a time. Either way the browser runs
 * none but the report's own scripts, whoever wrote the file. Thread-safe.
 */
final class Reports {
  private static final String HTTP_EQUIV = "http-equiv";

  /** One analysis at a time: each may need as much memory as its tables. */
  private final ReentrantLock one = new ReentrantLock();

  private static final Map<String, String> POLICIES = ReportWriter.policiesByBeginning();

  /** The report of a place; empty if it has none, and nothing that one could be made of. */
  Optional<PageResponse> of(ResultPlace place) {
    try {
      Optional<Path> written = ServedDirectory.file(place, ResultFiles.REPORT);
      if (written.isPresent()) {
        byte[] page = Files.readAllBytes(written.get());
        Optional<String> policy = policy(page);
        if (policy.isPresent() && !leadsAway(page)) {
          return Optional.of(sent(page, policy.get()));
        }
      }
      if (ServedDirectory.file(place, FindingsFile.NAME).isEmpty()) {
        return Optional.empty();
      }
      byte[] made = made(place).getBytes(StandardCharsets.UTF_8);
      return Optional.of(sent(made, policy(made).orElseThrow()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether a page may hold an order to go elsewhere, which no policy forbids, nor a sandbox that
   * lets scripts run: the report's own one {@code http-equiv} is that of its policy.
   */
  private static boolean leadsAway(byte[] page) {
    String text = new String(page, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    int first = text.indexOf(HTTP_EQUIV);
    return text.indexOf(HTTP_EQUIV, first + 1) >= 0;
  }

  private String made(ResultPlace place) {
    ServedDirectory.requireReadable(place);
    one.lock();
    try {
      return ResultDirectory.page(place.directory(), AnalysisOptions.defaults());
    } finally {
      one.unlock();
    }
  }

  /** The page with the policy of its own head once more, where no page can leave it out. */
  private static PageResponse sent(byte[] page, String policy) {
    return PageResponse.of(200, "text/html; charset=utf-8", page)
        .with("Content-Security-Policy", policy + "; frame-ancestors 'none'");
  }

  /**
   * The policy of a page that begins, byte for byte, as one of this version does. Anything before
   * the policy's element could be an order to go elsewhere, a comment around it, or the mark of
   * another encoding, in which the rest reads otherwise than it is searched here.
   */
  private static Optional<String> policy(byte[] page) {
    return POLICIES.entrySet().stream()
        .filter(each -> begins(page, each.getKey().getBytes(StandardCharsets.UTF_8)))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean begins(byte[] page, byte[] with) {
    return page.length >= with.length && Arrays.equals(page, 0, with.length, with, 0, with.length);
  }
}
