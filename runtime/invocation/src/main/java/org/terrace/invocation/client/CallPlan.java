package org.terrace.invocation.client;

/**
 * The rules by which a call is carried through.
 *
 * @param otherReplicas whether the client may turn to another replica by itself
 * @param promptNotice whether it acts on a new reference without asking
 * @param hedgeNanos after which time without a reply a second replica is asked as well; 0 for never
 * @param attemptNanos how long one attempt is waited for
 * @param deadlineNanos until when the call may last, on the monotonic clock
 */
record CallPlan(
    boolean otherReplicas,
    boolean promptNotice,
    long hedgeNanos,
    long attemptNanos,
    long deadlineNanos) {}
