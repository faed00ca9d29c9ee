package org.terrace.details;

import java.util.Locale;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionClass;
import org.terrace.analysis.finding.TransactionExample;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.observation.Outcome;
import org.terrace.tracing.transaction.ClassProfile;
import org.terrace.tracing.transaction.TransactionSummary;

/** The values of tracing as those of findings, field by field. Stateless. */
final class TransactionFindings {
  private TransactionFindings() {}

  static TransactionClass of(TransactionSummary.ClassTimes times) {
    return new TransactionClass(
        times.server(),
        times.requestClass(),
        times.requests(),
        times.residenceMicros(),
        times.selfMicros(),
        times.criticalShare());
  }

  static TransactionProfile of(ClassProfile profile) {
    ClassProfile.Times times = profile.times();
    return new TransactionProfile(
        profile.servers(),
        profile.requestClass(),
        profile.count(),
        profile.complete(),
        profile.completeMicros(),
        profile.failed(),
        new Findings.Latency(times.mean(), times.p50(), times.p99(), times.p999(), times.max()),
        profile.timeShare(),
        profile.tiers().stream().map(TransactionFindings::of).toList(),
        profile.calls().stream().map(TransactionFindings::of).toList(),
        profile.callsLeftOut(),
        profile.examples().stream().map(TransactionFindings::of).toList());
  }

  static TransactionProfile.TierTime of(ClassProfile.TierTime time) {
    return new TransactionProfile.TierTime(
        time.tier(), time.micros(), time.low(), time.high(), time.share());
  }

  private static TransactionProfile.CallNode of(ClassProfile.Call call) {
    return new TransactionProfile.CallNode(
        call.parent(),
        call.servers(),
        call.requestClass(),
        call.calls(),
        call.callsPerTransaction(),
        call.presence(),
        call.residenceMicros(),
        call.selfMicros(),
        call.criticalShare());
  }

  private static TransactionExample of(ClassProfile.Example example) {
    return new TransactionExample(
        example.choice().name().toLowerCase(Locale.ROOT),
        example.startNanos(),
        example.micros(),
        word(example.outcome()),
        example.complete(),
        example.firstFrame(),
        example.lastFrame(),
        example.displayFilter(),
        example.spansLeftOut(),
        example.spans().stream().map(TransactionFindings::of).toList());
  }

  private static TransactionExample.TransactionSpan of(ClassProfile.ExampleSpan span) {
    return new TransactionExample.TransactionSpan(
        span.parent(),
        span.server(),
        span.requestClass(),
        span.startMicros(),
        span.micros(),
        span.selfMicros(),
        span.criticalMicros(),
        span.confidence(),
        span.source(),
        word(span.outcome()),
        span.firstFrame(),
        span.lastFrame());
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
