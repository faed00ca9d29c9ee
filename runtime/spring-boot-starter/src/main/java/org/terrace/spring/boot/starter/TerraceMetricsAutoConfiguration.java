package org.terrace.spring.boot.starter;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.groups.Group;
import org.terrace.metrics.MetricSet;
import org.terrace.metrics.MicrometerMetrics;

/** The figures of the group and the replica, where Micrometer is. */
@AutoConfiguration(after = TerraceAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
public final class TerraceMetricsAutoConfiguration {
  /** A configuration, for Spring. */
  public TerraceMetricsAutoConfiguration() {}

  /** The group's figures, {@code terrace.group.*}. */
  @Bean
  public MeterBinder terraceGroupMetrics(Group group) {
    return new MicrometerMetrics(MetricSet.of(group));
  }

  /** The replica's figures, {@code terrace.collections.*}. */
  @Bean
  public MeterBinder terraceCollectionsMetrics(Group group, ReplicatedCollections collections) {
    return new MicrometerMetrics(MetricSet.of(group.self().name(), collections));
  }
}
