package org.terrace.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.analysis.finding.Verdict;

/**
 * All that an analysis computed: the findings, and the series and tables that a report draws.
 * Immutable, except that arrays inside are shared. A renderer computes nothing of its own from it.
 *
 * @param findings the findings
 * @param verdict the findings in a sentence
 * @param stretch the part of the observation that was analysed
 * @param series load and throughput of each server at the chosen window length, in the order of
 *     {@code findings.servers()}
 * @param fineSeries the same at {@value WindowLengths#STALL_MILLIS} ms
 * @param servers details of each server, in the same order
 * @param clients what the clients saw; null when nobody watched from their side
 */
public record AnalysisResult(
    Findings findings,
    Verdict verdict,
    Stretch stretch,
    List<ServerSeries> series,
    List<ServerSeries> fineSeries,
    List<ServerDetail> servers,
    @Nullable ClientSeries clients) {

  /** Copies the lists. */
  public AnalysisResult {
    series = List.copyOf(series);
    fineSeries = List.copyOf(fineSeries);
    servers = List.copyOf(servers);
  }

  /** The same result with findings that know more of the measurement: its capture, its checks. */
  public AnalysisResult withFindings(Findings known) {
    return new AnalysisResult(known, verdict, stretch, series, fineSeries, servers, clients);
  }
}
