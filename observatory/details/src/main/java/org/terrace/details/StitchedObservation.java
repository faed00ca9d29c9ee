package org.terrace.details;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.analysis.Analysis;
import org.terrace.analysis.Stretch;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.TransactionProfile;
import org.terrace.observation.Observation;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;
import org.terrace.tracing.stitch.Stitcher;
import org.terrace.tracing.transaction.TierSums;
import org.terrace.tracing.transaction.TransactionProfiles;
import org.terrace.tracing.transaction.TransactionSummary;

/**
 * An observation with its transactions: stitched where none are told, and as findings. Immutable.
 *
 * @param observation the observation, whose requests have their places in transactions if there are
 *     any
 * @param findings what is found of them, or why there are none
 */
public record StitchedObservation(Observation observation, Findings.Transactions findings) {
  /** The calls of a trial that are stitched at its end; as many take about a minute. */
  public static final int TRIAL_CALLS_MAX = 300_000;

  /** Classes that the findings list. */
  private static final int CLASSES_MAX = 200;

  /**
   * The transactions of what {@code terrace analyze} has read.
   *
   * @param notes receives a sentence if there are too many requests for that
   */
  public static StitchedObservation ofAnalysis(Observation read, List<String> notes) {
    return of(
        read,
        Stitcher.CALLS_MAX,
        "they are not stitched into transactions. A shorter capture would be.",
        notes);
  }

  /**
   * The transactions of a trial, whose end should not be awaited for long.
   *
   * @param notes receives a sentence if there are too many requests for that
   */
  public static StitchedObservation ofTrial(Observation observed, List<String> notes) {
    return of(
        observed,
        TRIAL_CALLS_MAX,
        "the run does not stitch them into transactions. terrace analyze of the result directory"
            + " does, up to %,d.".formatted(Stitcher.CALLS_MAX),
        notes);
  }

  private static StitchedObservation of(
      Observation read, int callsMax, String otherwise, List<String> notes) {
    RequestTable requests = read.requests();
    if (Stitcher.isStitched(requests)) {
      return new StitchedObservation(read, found(read, 0));
    }
    long calls = calls(requests);
    if (calls > callsMax) {
      String reason =
          "There are %,d calls between servers, more than %,d: ".formatted(calls, callsMax)
              + otherwise;
      notes.add(reason);
      return new StitchedObservation(read, skipped(read, calls, reason));
    }
    Observation stitched =
        new Observation(
            read.servers(),
            Stitcher.stitch(requests),
            read.samples(),
            read.events(),
            read.connections());
    return new StitchedObservation(stitched, found(stitched, calls));
  }

  /** The calls between servers. */
  private static long calls(RequestTable requests) {
    Set<String> servers = new TreeSet<>(requests.servers());
    servers.remove(Server.CLIENTS);
    boolean[] isServer = new boolean[requests.clients().size()];
    for (int client = 0; client < isServer.length; client++) {
      isServer[client] = servers.contains(requests.clients().get(client));
    }
    int clients = requests.servers().indexOf(Server.CLIENTS);
    long calls = 0;
    for (int row = 0; row < requests.size(); row++) {
      calls += requests.server(row) != clients && isServer[requests.client(row)] ? 1 : 0;
    }
    return calls;
  }

  private static Findings.Transactions found(Observation observation, long calls) {
    RequestTable requests = observation.requests();
    Stretch stretch = Analysis.stretchOf(observation);
    TransactionSummary summary = TransactionSummary.of(requests);
    long without = TransactionProfiles.callsWithoutParent(requests);
    return new Findings.Transactions(
        summary.count(),
        summary.complete(),
        new Findings.Confidence(summary.confidenceMedian(), summary.confidenceLow()),
        summary.calls(),
        summary.classes().stream().limit(CLASSES_MAX).map(TransactionFindings::of).toList(),
        without,
        TransactionProfiles.of(observation, stretch.startNanos(), stretch.endNanos()).stream()
            .map(TransactionFindings::of)
            .toList(),
        tiers(observation, stretch),
        summary.calls() > 0 ? null : reason(observation, calls));
  }

  private static Findings.Transactions skipped(Observation observation, long calls, String reason) {
    return new Findings.Transactions(
        0,
        0,
        new Findings.Confidence(0, 0),
        0,
        List.of(),
        calls,
        List.of(),
        tiers(observation, Analysis.stretchOf(observation)),
        reason);
  }

  private static List<TransactionProfile.TierTime> tiers(Observation observation, Stretch stretch) {
    return TierSums.of(observation, stretch.startNanos(), stretch.endNanos()).stream()
        .map(TransactionFindings::of)
        .toList();
  }

  private static String reason(Observation observation, long calls) {
    if (observation.requests().servers().stream().allMatch(Server.CLIENTS::equals)) {
      return "No requests of servers were observed, so there is nothing to stitch.";
    }
    if (calls == 0) {
      return "No server was seen to call another, so each request is a transaction by itself.";
    }
    return "None of the %,d calls between servers has a parent: at each server too many requests"
            .formatted(calls)
        + " were in flight together to tell for which of them it called. Less load, or traces,"
        + " would tell.";
  }
}
