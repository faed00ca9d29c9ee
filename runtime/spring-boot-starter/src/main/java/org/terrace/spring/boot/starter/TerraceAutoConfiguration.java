package org.terrace.spring.boot.starter;

import java.lang.System.Logger.Level;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.terrace.collections.CheckpointFile;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.core.TimeSource;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.Groups;

/**
 * The server's place in the group and its replica of the collections, unless the application has
 * its own. The replica has what the other servers have before the application serves anybody.
 */
@AutoConfiguration
@EnableConfigurationProperties(TerraceProperties.class)
public final class TerraceAutoConfiguration {
  private static final System.Logger LOG =
      System.getLogger(TerraceAutoConfiguration.class.getName());

  /** A configuration, for Spring. */
  public TerraceAutoConfiguration() {}

  /** The place in the group. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  public Group terraceGroup(TerraceProperties properties) {
    GroupOptions named =
        GroupOptions.of(
                properties.group(),
                properties.memberOrHost(),
                Discovery.of(properties.contactAddresses()))
            .withAddress(properties.address(), properties.port());
    Integer expected = properties.expectedMembers();
    GroupOptions options = expected == null ? named : named.withExpectedMembers(expected);
    if (properties.secret() == null && !properties.address().isLoopbackAddress()) {
      LOG.log(
          Level.WARNING,
          "terrace.secret is not set: whoever reaches {0} may read and change all sessions",
          properties.address().getHostAddress());
    }
    return Groups.open(
        properties
            .secretBytes()
            .map(bytes -> options.withKeys(GroupKeys.encrypting(new Secret(bytes))))
            .orElse(options));
  }

  /** The replica, which has caught up. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  public ReplicatedCollections terraceCollections(Group group, TerraceProperties properties) {
    CollectionsOptions defaults = CollectionsOptions.defaults();
    CollectionsOptions options =
        defaults.withWriteTimeout(properties.writeTimeout(), defaults.acknowledgementSpin());
    ReplicatedCollections collections =
        properties.checkpoint() == null
            ? ReplicatedCollections.open(group, options)
            : ReplicatedCollections.open(
                group,
                options,
                new CheckpointFile(properties.checkpoint(), properties.checkpointPeriod()));
    new StartWait(group, collections, TimeSource.system())
        .await(properties.contactAddresses(), properties.catchUpTimeout());
    return collections;
  }

  /** The goodbye when this server is stopped, before the replica is closed. */
  @Bean
  @ConditionalOnMissingBean
  public HandOver terraceHandOver(
      Group group, ReplicatedCollections collections, TerraceProperties properties) {
    return new HandOver(group, collections, properties.leaveTimeout());
  }

  /** The watch over whether the others still count this server. */
  @Bean
  @ConditionalOnMissingBean
  public ExclusionWatch terraceExclusionWatch(
      Group group, ReplicatedCollections collections, ApplicationContext context) {
    return new ExclusionWatch(group, collections, context);
  }
}
