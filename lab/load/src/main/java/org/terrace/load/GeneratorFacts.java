package org.terrace.load;

/**
 * The load generator's own figures of the run phase, from which its validity is judged. Immutable.
 * Lateness is the time from the moment at which a user was due to act (and free to) to the moment
 * it acted.
 *
 * @param users users, or the most sessions of an open load
 * @param requests pages asked for in the run phase
 * @param errors pages of those that failed
 * @param expectedPerSecond requests a second that the plan implies
 * @param achievedPerSecond requests a second that were sent
 * @param responseP50Micros median time from the actual start to the end of a page
 * @param responseP99Micros 99th percentile of the same
 * @param intendedP99Micros 99th percentile of the time from the intended start to the end
 * @param latenessP50Micros median lateness
 * @param latenessP99Micros 99th percentile of lateness
 * @param sentinelP50Micros median lateness of a thread that does nothing but wake every 10 ms
 * @param sentinelP99Micros 99th percentile of the same
 * @param cpuCores CPU seconds of the process a second
 * @param peakResidentBytes the most memory the process ever held, as the kernel counts it
 * @param collections garbage collections in the run phase
 * @param longestCollectionMicros the longest of them
 * @param detours pages that did not offer the state the walk chose, so that the user went to the
 *     start page
 * @param reconnects connections found closed by the server when the user wanted to reuse them
 * @param sessions sessions begun
 * @param arrivalsDropped arrivals of an open load beyond the backlog limit
 * @param rowsLost requests that were made but could not be recorded
 * @param clockDriftMicros how far the wall clock moved against the monotonic one, which stamps all
 *     rows
 */
public record GeneratorFacts(
    int users,
    long requests,
    long errors,
    double expectedPerSecond,
    double achievedPerSecond,
    double responseP50Micros,
    double responseP99Micros,
    double intendedP99Micros,
    double latenessP50Micros,
    double latenessP99Micros,
    double sentinelP50Micros,
    double sentinelP99Micros,
    double cpuCores,
    long peakResidentBytes,
    long collections,
    double longestCollectionMicros,
    long detours,
    long reconnects,
    long sessions,
    long arrivalsDropped,
    long rowsLost,
    double clockDriftMicros) {}
