package org.terrace.protocols.correlated;

import java.util.List;

/** The requests of Kafka's protocol by their keys (Apache Kafka, "Protocol guide"). */
final class KafkaApi {
  static final int PRODUCE = 0;

  /** A broker answers a fetch of a version only up to some number; none has reached this one. */
  static final int VERSION_MAX = 40;

  /** Forks have requests of their own; beyond this key nobody has. */
  static final int KEY_MAX = 1_000;

  /** The names by key, from 0 on. */
  private static final String[] NAMES =
      ("Produce Fetch ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata"
              + " ControlledShutdown OffsetCommit OffsetFetch FindCoordinator JoinGroup Heartbeat"
              + " LeaveGroup SyncGroup DescribeGroups ListGroups SaslHandshake ApiVersions"
              + " CreateTopics DeleteTopics DeleteRecords InitProducerId OffsetForLeaderEpoch"
              + " AddPartitionsToTxn AddOffsetsToTxn EndTxn WriteTxnMarkers TxnOffsetCommit"
              + " DescribeAcls CreateAcls DeleteAcls DescribeConfigs AlterConfigs"
              + " AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions"
              + " CreateDelegationToken RenewDelegationToken ExpireDelegationToken"
              + " DescribeDelegationToken DeleteGroups ElectLeaders IncrementalAlterConfigs"
              + " AlterPartitionReassignments ListPartitionReassignments OffsetDelete"
              + " DescribeClientQuotas AlterClientQuotas DescribeUserScramCredentials"
              + " AlterUserScramCredentials Vote BeginQuorumEpoch EndQuorumEpoch DescribeQuorum"
              + " AlterPartition UpdateFeatures Envelope FetchSnapshot DescribeCluster"
              + " DescribeProducers BrokerRegistration BrokerHeartbeat UnregisterBroker"
              + " DescribeTransactions ListTransactions AllocateProducerIds ConsumerGroupHeartbeat"
              + " ConsumerGroupDescribe ControllerRegistration GetTelemetrySubscriptions"
              + " PushTelemetry AssignReplicasToDirs ListConfigResources DescribeTopicPartitions"
              + " ShareGroupHeartbeat ShareGroupDescribe ShareFetch ShareAcknowledge AddRaftVoter"
              + " RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState ReadShareGroupState"
              + " WriteShareGroupState DeleteShareGroupState ReadShareGroupStateSummary"
              + " StreamsGroupHeartbeat StreamsGroupDescribe DescribeShareGroupOffsets"
              + " AlterShareGroupOffsets DeleteShareGroupOffsets")
          .split(" ");

  /** The requests that wait at the broker for data or for other members, by their own wish. */
  private static final List<String> WAITING =
      List.of("Fetch", "JoinGroup", "SyncGroup", "ShareFetch");

  private KafkaApi() {}

  /** Whether there is a request of this key. */
  static boolean isKnown(int key) {
    return key < NAMES.length;
  }

  /** Its name. */
  static String nameOf(int key) {
    return isKnown(key) ? NAMES[key] : "(unknown request)";
  }

  /** Whether it may wait by the client's wish. */
  static boolean mayWait(int key) {
    return isKnown(key) && WAITING.contains(NAMES[key]);
  }
}
