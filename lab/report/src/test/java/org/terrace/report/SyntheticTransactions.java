package org.terrace.report;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionClass;
import org.terrace.analysis.finding.TransactionExample;
import org.terrace.analysis.finding.TransactionExample.TransactionSpan;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.analysis.finding.TransactionProfile.CallNode;
import org.terrace.analysis.finding.TransactionProfile.TierTime;

/** The transactions of a {@link SyntheticTrial} as findings tell them, with everything in them. */
final class SyntheticTransactions {
  private static final long FIRST_FRAME = 120_000;

  private SyntheticTransactions() {}

  /** Transactions whose classes of requests have some names. */
  static Findings.Transactions of(List<String> classes, long startNanos) {
    List<TransactionProfile> profiles = new ArrayList<>();
    for (String requestClass : classes) {
      profiles.add(profile(requestClass, profiles.size(), startNanos));
    }
    return new Findings.Transactions(
        19_812,
        14_020,
        new Findings.Confidence(0.995, 0.962),
        51_870,
        List.of(new TransactionClass("app1", classes.getFirst(), 9_000, 12_800, 3_300, 0.4)),
        12_410,
        profiles,
        List.of(
            new TierTime("app", 31_000, null, null, 0.77),
            new TierTime("database", 8_000, null, null, 0.2),
            new TierTime("web", 1_200, null, null, 0.03)),
        null);
  }

  private static TransactionProfile profile(String requestClass, int place, long startNanos) {
    double part = 1.0 / (place + 2);
    long count = Math.round(12_000 * part);
    double millis = 18_000 * (1 + place);
    return new TransactionProfile(
        List.of("web1"),
        requestClass,
        count,
        place == 3 ? 0 : Math.round(count * 0.7),
        place == 3 ? 0 : millis,
        place == 0 ? 12 : 0,
        new Findings.Latency(millis, millis * 0.8, millis * 9, millis * 14, millis * 22),
        part,
        place == 3
            ? List.of()
            : List.of(
                new TierTime("database", millis * 0.52, millis * 0.48, millis * 0.56, 0.52),
                new TierTime("app", millis * 0.39, millis * 0.35, millis * 0.43, 0.39),
                new TierTime("web", millis * 0.09, null, null, 0.09)),
        place == 3 ? List.of() : calls(requestClass, millis),
        place,
        place == 3 ? List.of() : examples(requestClass, millis, startNanos, place == 0));
  }

  private static List<CallNode> calls(String requestClass, double micros) {
    String statement = "select id, title, body, writer, date from stories where id = ?";
    return List.of(
        new CallNode(-1, List.of("web1"), requestClass, 900, 1, 1, micros, micros * 0.1, 0.09),
        new CallNode(
            0, List.of("app1", "app2"), requestClass, 900, 1, 1, micros * 0.9, 5_800, 0.39),
        new CallNode(1, List.of("db1"), statement, 2_200, 2.44, 0.998, 2_900, 7_100, 0.4),
        new CallNode(1, List.of("db1"), "begin", 900, 1, 0.31, 90, 80, 0.12),
        new CallNode(1, List.of("db1"), "", 12, 0.013, 0.011, 400, 5.2, 0.001));
  }

  private static List<TransactionExample> examples(
      String requestClass, double micros, long startNanos, boolean failed) {
    List<TransactionExample> examples =
        new ArrayList<>(
            List.of(
                example("slowest", requestClass, micros * 20, startNanos, 3, "ok"),
                example("slowest_complete", requestClass, micros * 18, startNanos, 21, "ok"),
                example("typical", requestClass, micros * 0.8, startNanos, 3, "ok")));
    if (failed) {
      examples.add(example("failed", requestClass, micros * 3, startNanos, 2, "aborted"));
    }
    return examples;
  }

  private static TransactionExample example(
      String choice, String requestClass, double micros, long start, int statements, String end) {
    List<TransactionSpan> spans = new ArrayList<>();
    spans.add(span(-1, "web1", requestClass, 0, micros, micros * 0.05, spans, end));
    spans.add(
        span(0, "app1", requestClass, micros * 0.02, micros * 0.95, micros * 0.3, spans, end));
    double each = micros * 0.9 / statements;
    for (int i = 0; i < statements; i++) {
      spans.add(
          span(
              1,
              "db1",
              "select c.id, c.subject, u.nickname from comments c where c.story = ?",
              micros * 0.04 + i * each,
              each * 0.7,
              each * 0.7,
              spans,
              "ok"));
    }
    return new TransactionExample(
        choice,
        start + 18_300_000_000L,
        micros,
        end,
        !choice.equals("failed") && !choice.equals("slowest"),
        FIRST_FRAME,
        FIRST_FRAME + 90,
        "frame.number >= 120000 && frame.number <= 120090 && tcp.port in {40001, 40002, 40003}",
        choice.equals("slowest_complete") ? 4 : 0,
        spans);
  }

  private static TransactionSpan span(
      int parent,
      String server,
      String requestClass,
      double start,
      double micros,
      double self,
      List<TransactionSpan> before,
      String outcome) {
    return new TransactionSpan(
        parent,
        server,
        requestClass,
        start,
        micros,
        self,
        self,
        parent < 0 ? 1 : 0.985,
        parent < 0 ? "entry" : before.size() % 3 == 0 ? "nesting" : "connection",
        outcome,
        FIRST_FRAME + 2L * before.size(),
        FIRST_FRAME + 2L * before.size() + 1);
  }
}
