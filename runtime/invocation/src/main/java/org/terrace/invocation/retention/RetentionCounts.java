package org.terrace.invocation.retention;

/**
 * The outcomes of one replica's updates since it began, counted. Immutable.
 *
 * @param executed committed with their reply, refusals included
 * @param repeated answered with a reply that was there already
 * @param mismatched rejected: another payload under a known identity
 * @param stale rejected: acknowledged before, or of a client whose lease is over
 * @param fenced not executed: of an epoch that is over
 * @param failed rolled back after an error
 * @param inDoubt whose connection broke during the commit
 * @param conflicts transactions that were rolled back and run again
 * @param collectedReplies retained replies that this replica has deleted
 * @param expiredClients clients whose leases this replica has found to be over
 * @param failedCollections collections that the database cut short; a later one makes up for each
 */
public record RetentionCounts(
    long executed,
    long repeated,
    long mismatched,
    long stale,
    long fenced,
    long failed,
    long inDoubt,
    long conflicts,
    long collectedReplies,
    long expiredClients,
    long failedCollections) {}
