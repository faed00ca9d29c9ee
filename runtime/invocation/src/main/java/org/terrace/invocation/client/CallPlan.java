package org.terrace.invocation.client;

/**
 * The rules by which a call is carried through.
 *
 * @param otherReplicas whether the client may turn to another replica by itself
 * @param promptNotice whether it acts on a new reference without asking
 * @param hedgeNanos after which time without a reply a second replica is asked as well; 0 for never
 * @param signNanos after which time without a reply its replica is asked for a sign of life, and
 *     another one is asked to do the call if there is none; 0 for never
 * @param attemptNanos how long one attempt is waited for
 * @param deadlineNanos until when the call may last, on the monotonic clock
 * @param keyed whether its identity may have a history before this call, of which attempts of this
 *     call tell nothing
 */
record CallPlan(
    boolean otherReplicas,
    boolean promptNotice,
    long hedgeNanos,
    long signNanos,
    long attemptNanos,
    long deadlineNanos,
    boolean keyed) {}
