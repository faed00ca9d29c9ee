package org.terrace.analysis.finding;

/**
 * The time of one class of requests at one server, in complete transactions. Immutable.
 *
 * @param server the name of the server
 * @param requestClass the class
 * @param requests how many there were
 * @param residenceMicros the mean time from arrival to departure, in microseconds
 * @param selfMicros the mean time in which none of its own calls was open, in microseconds
 * @param criticalShare the part of the time of all complete transactions in which they waited for
 *     this class, 0 to 1
 */
public record TransactionClass(
    String server,
    String requestClass,
    long requests,
    double residenceMicros,
    double selfMicros,
    double criticalShare) {}
