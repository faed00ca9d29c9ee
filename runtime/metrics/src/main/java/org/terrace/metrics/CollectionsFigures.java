package org.terrace.metrics;

import java.util.List;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsMetrics;

/** The figures of a replica of collections. */
final class CollectionsFigures {
  private CollectionsFigures() {}

  static List<RuntimeMetric> of(ReplicatedCollections collections) {
    Figures<CollectionsMetrics> figures = Figures.ofLocked(collections::metrics);
    holdings(figures);
    work(figures);
    faults(figures);
    return figures.list();
  }

  private static void holdings(Figures<CollectionsMetrics> figures) {
    figures
        .gauge("entries", "live entries of all collections", CollectionsMetrics::entries)
        .gauge(
            "writers",
            "incarnations that made an update and are not retired",
            CollectionsMetrics::writers)
        .gauge("replicasKnown", "replicas ever heard of", CollectionsMetrics::replicasKnown)
        .gauge(
            "replicasAway",
            "replicas that are out of the view and have not left",
            CollectionsMetrics::replicasAway)
        .gauge("gaps", "writers of which an update is missing", CollectionsMetrics::gaps)
        .gauge(
            "supersededAhead",
            "puts known to be superseded before they came",
            CollectionsMetrics::supersededAhead)
        .gauge("logUpdates", "updates kept for sending again", CollectionsMetrics::logUpdates)
        .gauge("logBytes", "bytes of the updates kept", CollectionsMetrics::logBytes)
        .gauge(
            "writesWaiting",
            "updates that wait for acknowledgement",
            CollectionsMetrics::writesWaiting)
        .flag(
            "isExcluded",
            "updates are refused, as the group does not count this member",
            CollectionsMetrics::isExcluded);
  }

  private static void work(Figures<CollectionsMetrics> figures) {
    figures
        .counter(
            "retirements",
            "times that incarnations were found retired",
            CollectionsMetrics::retirements)
        .counter(
            "updatesApplied",
            "updates of others applied as they came",
            CollectionsMetrics::updatesApplied)
        .counter(
            "updatesRepaired",
            "updates of others that gossip brought",
            CollectionsMetrics::updatesRepaired)
        .counter("updatesResent", "updates sent again", CollectionsMetrics::updatesResent)
        .counter("gossipRounds", "rounds of gossip begun", CollectionsMetrics::gossipRounds)
        .counter("gossipMessages", "messages of gossip sent", CollectionsMetrics::gossipMessages)
        .gauge(
            "gossipMessagesARoundMax",
            "most messages of gossip in one round",
            CollectionsMetrics::gossipMessagesARoundMax)
        .counter(
            "gossipPostponed",
            "messages of gossip that had to wait for a later round",
            CollectionsMetrics::gossipPostponed)
        .counter(
            "reconciliations",
            "repairs that changed something",
            CollectionsMetrics::reconciliations);
  }

  private static void faults(Figures<CollectionsMetrics> figures) {
    figures
        .counter(
            "silentDivergences",
            "times that replicas with the same updates differed: a fault",
            CollectionsMetrics::silentDivergences)
        .counter(
            "malformedMessages",
            "messages that were not understood",
            CollectionsMetrics::malformedMessages)
        .counter(
            "incompatibleMessages",
            "messages of another version",
            CollectionsMetrics::incompatibleMessages)
        .counter(
            "skewedStamps",
            "stamps from further in the future than allowed",
            CollectionsMetrics::skewedStamps)
        .counter(
            "changesDropped",
            "changes that a listener's executor refused",
            CollectionsMetrics::changesDropped);
  }
}
