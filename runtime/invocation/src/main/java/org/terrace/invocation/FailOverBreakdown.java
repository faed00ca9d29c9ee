package org.terrace.invocation;

/**
 * Where the time of a call went that met a fault, in nanoseconds; all but the reply are zero for
 * one that met none.
 *
 * @param detectNanos from sending to noticing that there will be no reply
 * @param namingNanos asking the naming service
 * @param waitNanos waiting before asking again
 * @param connectNanos opening connections
 * @param restoreNanos restoring the client's session at the new replica
 * @param resendNanos sending the request again
 * @param replyNanos waiting for the reply that counted
 */
public record FailOverBreakdown(
    long detectNanos,
    long namingNanos,
    long waitNanos,
    long connectNanos,
    long restoreNanos,
    long resendNanos,
    long replyNanos) {}
