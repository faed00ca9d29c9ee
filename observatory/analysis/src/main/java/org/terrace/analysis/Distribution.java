package org.terrace.analysis;

import org.terrace.analysis.finding.Findings;

/**
 * The distribution of a set of times, computed exactly from every one of them. The arrays are
 * shared, not copied: treat them as read-only.
 *
 * @param count how many times there are
 * @param summary their mean and main percentiles, in microseconds; zeros when there are none
 * @param binLowMicros the lower edges of the histogram's bins, ascending, each edge the next one's
 *     upper edge; equally wide on a logarithmic scale. One element more than {@code binCounts}: the
 *     last is the upper edge of the last bin. Empty when there are no times
 * @param binCounts how many times lie in {@code [binLowMicros[i], binLowMicros[i + 1])}; the last
 *     bin includes its upper edge
 * @param percentiles the percentiles of the curve, 0 to 100, ascending; empty when there are no
 *     times
 * @param percentileMicros the time at each percentile: the smallest time that at least that part of
 *     all times does not exceed
 */
public record Distribution(
    long count,
    Findings.Latency summary,
    double[] binLowMicros,
    long[] binCounts,
    double[] percentiles,
    double[] percentileMicros) {}
