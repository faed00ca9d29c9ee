package org.terrace.analysis;

import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;

/**
 * One request class at one server, over the analysed stretch: a row of the table of classes.
 * Immutable.
 *
 * @param requestClass the class
 * @param completed its completed requests
 * @param errors those of them that reported an error, and those that were aborted
 * @param perSecond completed requests a second
 * @param residenceMicros their time between arrival and departure
 * @param timeShare the part of the server's whole residence time that was spent on this class, 0 to
 *     1
 * @param lowLoadMicros the mean residence while the server was lightly loaded, which approximates
 *     the service time; null when too few were seen
 * @param workUnits the work units that one request counts for: its low-load mean over that of the
 *     average request; 1 when unknown
 * @param publishedWorkUnits the whole work units by the greatest common divisor of the class
 *     service times, as in Wang et al. (2013); 1 when unknown
 */
public record ClassSummary(
    String requestClass,
    long completed,
    long errors,
    double perSecond,
    Findings.Latency residenceMicros,
    double timeShare,
    @Nullable Double lowLoadMicros,
    double workUnits,
    double publishedWorkUnits) {}
