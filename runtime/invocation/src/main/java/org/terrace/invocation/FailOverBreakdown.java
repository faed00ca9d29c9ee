package org.terrace.invocation;

/**
 * The breakdown of the time of a call that met a fault, in nanoseconds. What is left of the call's
 * time was spent between these.
 *
 * @param detectNanos from sending to noticing that an attempt is in vain, or to hedging it
 * @param namingNanos asking the naming service
 * @param waitNanos waiting before asking again
 * @param connectNanos opening connections
 * @param restoreNanos restoring the client's session at another replica
 * @param resendNanos sending the request for the last time
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
