package org.terrace.collections.replication;

/**
 * The metrics of a replica: its contents now, and its work so far. Immutable.
 *
 * @param entries live entries of all collections
 * @param writers writers in the version vector: incarnations of replicas that made an update and
 *     are not retired
 * @param replicasKnown replicas ever heard of, forgotten ones included
 * @param replicasAway those that are neither in the view nor forgotten and have not left: while
 *     there are any, writers of incarnations that are over keep their places
 * @param retirements times that this replica found incarnations to be retired
 * @param gaps writers of which an update is missing
 * @param supersededAhead puts known to be superseded that have not come
 * @param logUpdates updates kept for sending again
 * @param logBytes their bytes
 * @param writesWaiting updates of this replica that wait for acknowledgement
 * @param updatesApplied updates of others applied as they came
 * @param updatesRepaired updates of others that gossip brought
 * @param updatesResent updates sent again
 * @param gossipRounds rounds begun
 * @param gossipMessages messages of gossip sent: comparisons and what they led to, but neither
 *     updates with their acknowledgements nor transfers of all entries
 * @param gossipMessagesARoundMax the most of them from one round of this replica to its next
 * @param gossipPostponed those that had to wait for a later round
 * @param reconciliations repairs that changed something
 * @param silentDivergences times that replicas with the same updates differed, which is a fault
 * @param malformedMessages messages that could not be understood
 * @param incompatibleMessages messages of members that speak another version of the protocol
 * @param skewedStamps stamps from further in the future than allowed
 * @param changesDropped changes that a listener's executor refused
 * @param isExcluded whether the group does not count this member as one of it any more, so that
 *     updates are refused ({@code Group.exclusion})
 */
public record CollectionsMetrics(
    long entries,
    long writers,
    long replicasKnown,
    long replicasAway,
    long retirements,
    long gaps,
    long supersededAhead,
    long logUpdates,
    long logBytes,
    long writesWaiting,
    long updatesApplied,
    long updatesRepaired,
    long updatesResent,
    long gossipRounds,
    long gossipMessages,
    long gossipMessagesARoundMax,
    long gossipPostponed,
    long reconciliations,
    long silentDivergences,
    long malformedMessages,
    long incompatibleMessages,
    long skewedStamps,
    long changesDropped,
    boolean isExcluded) {}
