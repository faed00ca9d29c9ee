package org.terrace.spring.boot.starter;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.groups.Group;

/** The health of this server's replica, where the actuator is. */
@AutoConfiguration(after = TerraceAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
public final class TerraceHealthAutoConfiguration {
  /** A configuration, for Spring. */
  public TerraceHealthAutoConfiguration() {}

  /** The indicator, by the name {@code terrace}. */
  @Bean
  @ConditionalOnMissingBean(name = "terraceHealthIndicator")
  public HealthIndicator terraceHealthIndicator(Group group, ReplicatedCollections collections) {
    return new TerraceHealthIndicator(group, collections);
  }
}
