package org.terrace.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.analysis.AnalysisOptions;
import org.terrace.dashboard.http.AnswerMemory;
import org.terrace.dashboard.http.PageResponse;
import org.terrace.dashboard.results.ResultFiles;
import org.terrace.dashboard.results.ResultPlace;
import org.terrace.dashboard.results.ServedDirectory;
import org.terrace.report.FindingsFile;
import org.terrace.report.ResultDirectory;

/**
 * The reports of results, as the command writes them. One that lies there and is of this version is
 * sent as it is; any other is made anew from the tables, one at a time. Either way the browser runs
 * none but the report's own scripts, whoever wrote the file. Thread-safe.
 */
final class Reports {
  static final String TYPE = "text/html; charset=utf-8";

  private final AnswerMemory memory;

  /** One analysis at a time: each may need as much memory as its tables. */
  private final ReentrantLock one = new ReentrantLock();

  /**
   * Reports.
   *
   * @param memory what is left for answers, of which one that is made anew takes its part
   */
  Reports(AnswerMemory memory) {
    this.memory = memory;
  }

  /** The report of a place; empty if it has none, and nothing that one could be made of. */
  Optional<PageResponse> of(ResultPlace place) {
    try {
      Optional<Path> written = ServedDirectory.file(place, ResultFiles.REPORT);
      if (written.isPresent()) {
        Optional<PageResponse> sent = WrittenReport.of(written.get());
        if (sent.isPresent()) {
          return sent;
        }
      }
      if (ServedDirectory.file(place, FindingsFile.NAME).isEmpty()) {
        return Optional.empty();
      }
      byte[] made = made(place);
      String policy = WrittenReport.policy(made).orElseThrow();
      return Optional.of(under(policy, PageResponse.of(200, TYPE, made)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] made(ResultPlace place) {
    long bytes = ServedDirectory.requireReadable(place);
    one.lock();
    try (AnswerMemory.Held _ = memory.takeToRead(bytes)) {
      return ResultDirectory.page(place.directory(), AnalysisOptions.defaults())
          .getBytes(StandardCharsets.UTF_8);
    } finally {
      one.unlock();
    }
  }

  /** The answer with the policy of its page's own head once more, where no page can omit it. */
  static PageResponse under(String policy, PageResponse page) {
    return page.with("Content-Security-Policy", policy + "; frame-ancestors 'none'");
  }
}
