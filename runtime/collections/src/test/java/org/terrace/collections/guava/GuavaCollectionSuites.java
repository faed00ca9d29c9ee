package org.terrace.collections.guava;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.SortedMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.features.MapFeature;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import junit.framework.Test;
import org.terrace.collections.MapOptions;
import org.terrace.collections.Replicas;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.SetOptions;
import org.terrace.collections.SimulatedCluster;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.codec.Codecs;

/**
 * Guava's suites for the interfaces of the JDK's collections: what each test finds in a collection
 * was put there through another replica.
 */
public final class GuavaCollectionSuites {
  private static final MapOptions<String, String> MAP =
      MapOptions.of(Codecs.string(), Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final SetOptions<String> SET =
      SetOptions.of(Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final Feature<?>[] MAP_FEATURES = {
    MapFeature.GENERAL_PURPOSE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE, CollectionSize.ANY
  };

  private GuavaCollectionSuites() {}

  /**
   * The suites, each to be made when the one before is over: a test of JUnit 3 is held by its
   * suite, and holds its collection with all replicas of it.
   */
  public static List<Supplier<Test>> suites() {
    return List.of(
        GuavaCollectionSuites::maps,
        GuavaCollectionSuites::sortedMaps,
        GuavaCollectionSuites::sets,
        GuavaCollectionSuites::lists,
        GuavaCollectionSuites::queues);
  }

  private static Test maps() {
    return ConcurrentMapTestSuiteBuilder.using(
            new TestStringMapGenerator() {
              @Override
              protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                Replicas replicas = new Replicas(2);
                Map<String, String> written = replicas.get(0).map("map", MAP);
                for (Map.Entry<String, String> entry : entries) {
                  written.put(entry.getKey(), entry.getValue());
                }
                replicas.converge();
                return replicas.get(1).map("map", MAP);
              }
            })
        .named("ReplicatedMap")
        .withFeatures(MAP_FEATURES)
        .createTestSuite();
  }

  private static Test sortedMaps() {
    return SortedMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                Replicas replicas = new Replicas(2);
                Map<String, String> written = open(replicas.get(0));
                for (Map.Entry<String, String> entry : entries) {
                  written.put(entry.getKey(), entry.getValue());
                }
                replicas.converge();
                return open(replicas.get(1));
              }

              private SortedMap<String, String> open(ReplicatedCollections collections) {
                return collections.sortedMap("map", MAP, Comparator.<String>naturalOrder());
              }
            })
        .named("ReplicatedSortedMap")
        .withFeatures(MAP_FEATURES)
        .withFeatures(CollectionFeature.KNOWN_ORDER)
        .createTestSuite();
  }

  private static Test sets() {
    return SetTestSuiteBuilder.using(
            new TestStringSetGenerator() {
              @Override
              protected Set<String> create(String[] elements) {
                Replicas replicas = new Replicas(2);
                replicas.get(0).set("set", SET).addAll(List.of(elements));
                replicas.converge();
                return replicas.get(1).set("set", SET);
              }
            })
        .named("ReplicatedSet")
        .withFeatures(
            CollectionFeature.SUPPORTS_ADD,
            CollectionFeature.SUPPORTS_REMOVE,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
            CollectionSize.ANY)
        .createTestSuite();
  }

  private static Test lists() {
    return ListTestSuiteBuilder.using(
            new TestStringListGenerator() {
              @Override
              protected List<String> create(String[] elements) {
                Replicas replicas = new Replicas(2);
                replicas.get(0).list("list", SET).addAll(List.of(elements));
                replicas.converge();
                return replicas.get(1).list("list", SET);
              }
            })
        .named("ReplicatedList")
        .withFeatures(ListFeature.GENERAL_PURPOSE, CollectionSize.ANY)
        .createTestSuite();
  }

  private static Test queues() {
    return QueueTestSuiteBuilder.using(
            new TestStringQueueGenerator() {
              @Override
              protected Queue<String> create(String[] elements) {
                Replicas replicas = new Replicas(2);
                // Time stands still in a test of the suite, so it takes where nobody need be asked.
                int giver = replicas.first();
                Queue<String> queue = replicas.get(giver).queue("queue", SET);
                replicas.get(1 - giver).queue("queue", SET).addAll(List.of(elements));
                replicas.converge();
                replicas.simulation.runFor(SimulatedCluster.SECOND);
                return queue;
              }
            })
        .named("ReplicatedQueue")
        .withFeatures(
            CollectionFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER, CollectionSize.ANY)
        .createTestSuite();
  }
}
