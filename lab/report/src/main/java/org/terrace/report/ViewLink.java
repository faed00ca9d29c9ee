package org.terrace.report;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The fragment of an address that shows a stretch of the time line: {@code #t=18.300-22.000} and,
 * where one server is meant, {@code &server=app2}. The page's script reads it, and writes the same
 * form when a reader zooms, so that a view can be shared. Stateless.
 */
final class ViewLink {
  /** Shown on either side, as a part of the stretch. */
  private static final double MARGIN = 0.5;

  /** Shown on either side at least, in seconds. */
  private static final double LEAST_MARGIN = 0.25;

  private ViewLink() {}

  /** The fragment for a stretch in seconds from the origin, with some time on either side. */
  static String of(Content content, double from, double to, String server) {
    double margin = Math.max(LEAST_MARGIN, (to - from) * MARGIN);
    return String.format(
        Locale.ROOT,
        "#t=%.3f-%.3f&server=%s",
        Math.max(0, from - margin),
        Math.min(content.length(), to + margin),
        URLEncoder.encode(server, StandardCharsets.UTF_8));
  }
}
