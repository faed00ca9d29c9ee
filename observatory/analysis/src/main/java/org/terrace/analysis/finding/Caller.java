package org.terrace.analysis.finding;

import java.io.Serializable;

/**
 * The calls of one server by one caller in the analysed stretch. Immutable.
 *
 * @param caller the name of the server that calls, or {@code clients} for whoever is none
 * @param calls answered calls
 * @param callsPerSecond answered calls a second
 * @param residenceMicros the time of these calls between arrival and departure, in microseconds
 * @param errors calls with an answer that reports an error, and those without a complete answer
 */
public record Caller(
    String caller, long calls, double callsPerSecond, Findings.Latency residenceMicros, long errors)
    implements Serializable {}
