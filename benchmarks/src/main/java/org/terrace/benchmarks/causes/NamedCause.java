package org.terrace.benchmarks.causes;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.ServerFindings;
import org.terrace.testing.CauseScore;
import org.terrace.testing.Holdup;

/** The cause that findings name first for what a holdup did at one server. */
final class NamedCause {
  /** The time in which queues empty after a holdup. */
  private static final long AFTER_NANOS = 60_000_000;

  private NamedCause() {}

  /** A stretch of time in which a server was held up, by the findings. */
  private record Span(long from, long to, List<Findings.Cause> causes) {
    long shared(long start, long end) {
      return Math.min(to, end) - Math.max(from, start);
    }
  }

  /** The answer of the findings at the server that was held up itself. */
  static CauseScore.Answer atHeld(Findings findings, Holdup held) {
    Findings.@Nullable Cause cause =
        first(findings, held.by().server(), held.startNanos(), held.endNanos() + AFTER_NANOS);
    return answer(held.by().toString(), held, cause);
  }

  /** The answer of the findings at a server that got at once what came during a holdup. */
  static CauseScore.Answer released(Findings findings, String server, Holdup held) {
    long end = held.endNanos() + 2 * AFTER_NANOS;
    return answer("released-to-" + server, held, first(findings, server, held.endNanos(), end));
  }

  /** The answers at servers that waited for the one that was held up. */
  static List<CauseScore.Answer> atWaiting(Findings findings, Holdup held) {
    return findings.servers().stream()
        .filter(server -> !server.name().equals(held.by().server()))
        .filter(server ->
            stalls(server).anyMatch(span -> span.shared(held.startNanos(), held.endNanos()) > 0))
        .map(server ->
            answer(
                (held.by().told().isEmpty() ? "wait-for-untold-" : "wait-for-")
                    + held.by().server(),
                held,
                first(findings, server.name(), held.startNanos(), held.endNanos())))
        .toList();
  }

  private static CauseScore.Answer answer(
      String truth, Holdup held, Findings.@Nullable Cause cause) {
    boolean told = !held.by().told().isEmpty();
    if (cause == null) {
      return new CauseScore.Answer(truth, told, CauseScore.NONE, false, 1);
    }
    boolean right =
        held.by().told().contains(cause.kind()) && held.by().node().equals(cause.node());
    Double adjusted = cause.adjustedP();
    return new CauseScore.Answer(
        truth, told, cause.kind() + " " + cause.node(), right, adjusted == null ? 1 : adjusted);
  }

  private static Findings.@Nullable Cause first(
      Findings findings, String name, long from, long to) {
    ServerFindings server =
        findings.servers().stream().filter(each -> each.name().equals(name)).findFirst().get();
    return Stream.of(stalls(server), episodes(server))
        .flatMap(spans ->
            spans
                .filter(span -> span.shared(from, to) > 0)
                .sorted(Comparator.comparingLong((Span span) -> -span.shared(from, to))))
        .flatMap(span -> span.causes.stream().filter(Findings.Cause::significant).limit(1))
        .findFirst()
        .orElse(null);
  }

  private static Stream<Span> stalls(ServerFindings server) {
    return server.stalls().stream()
        .map(each -> new Span(each.startNanos(), each.endNanos(), each.causes()));
  }

  private static Stream<Span> episodes(ServerFindings server) {
    return server.episodes().stream()
        .map(each -> new Span(each.startNanos(), each.endNanos(), each.causes()));
  }
}
