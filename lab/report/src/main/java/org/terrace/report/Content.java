package org.terrace.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.terrace.analysis.AnalysisResult;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.observation.Event;
import org.terrace.report.page.Glyph;

/**
 * The contents of a report, and its origin of time: the start of the analysed stretch.
 *
 * @param result what was computed
 * @param facts what else is known of the trial
 */
record Content(AnalysisResult result, TrialFacts facts) {
  private static final String PHASE = "phase-";
  private static final String FAULT = "fault-";

  /** Characters of an event's text. */
  private static final int LONGEST = 80;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

  /** Seconds from the origin. */
  double seconds(long epochNanos) {
    return (epochNanos - result.stretch().startNanos()) / 1e9;
  }

  /** The length of the analysed stretch in seconds. */
  double length() {
    return result.stretch().seconds();
  }

  /** The origin as a date. */
  String date() {
    long nanos = result.stretch().startNanos();
    return DATE.format(Instant.ofEpochSecond(nanos / 1_000_000_000L));
  }

  List<ServerFindings> servers() {
    return result.findings().servers();
  }

  /** The faults of the whole system that touch the analysed stretch. */
  List<Event> faults() {
    return facts.events().stream()
        .filter(event -> event.kind().startsWith(FAULT) && inStretch(event))
        .toList();
  }

  /** The events of one node within the analysed stretch, phases and faults left out. */
  List<Event> eventsOf(String node) {
    return facts.events().stream()
        .filter(event -> event.node().equals(node) && inStretch(event))
        .filter(event -> !event.kind().startsWith(FAULT) && !event.kind().startsWith(PHASE))
        .toList();
  }

  private boolean inStretch(Event event) {
    return event.endNanos() >= result.stretch().startNanos()
        && event.startNanos() <= result.stretch().endNanos();
  }

  /** An event as words, with its cause where it has one. */
  static String words(Event event) {
    String backend = event.attributes().get("backend");
    if (event.kind().equals("backend-down") && backend != null) {
      return cut(backend + " out of service");
    }
    String cause = event.attributes().get("cause");
    return cut(words(event.kind()) + (cause == null ? "" : ", " + cause));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  /** A kind of event as words. */
  static String words(String kind) {
    return Glyph.words(kind);
  }
}
