package org.terrace.spring.boot.starter;

import java.util.Optional;
import java.util.TreeSet;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.groups.Group;
import org.terrace.groups.Member;

/**
 * The health of this server's replica: down when the others do not count it any more, so that it
 * can save nothing. A server that sees nobody is up: it serves alone. Thread-safe.
 */
final class TerraceHealthIndicator extends AbstractHealthIndicator {
  private final Group group;
  private final ReplicatedCollections collections;

  TerraceHealthIndicator(Group group, ReplicatedCollections collections) {
    super("the state of the group cannot be read");
    this.group = group;
    this.collections = collections;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    TreeSet<String> members = new TreeSet<>();
    for (Member member : group.view().members()) {
      members.add(member.name());
    }
    CollectionsMetrics metrics = collections.metrics();
    Optional<String> reason = ExclusionWatch.reason(group, collections);
    if (reason.isPresent()) {
      health.down().withDetail("excluded", reason.get());
    } else {
      health.up();
    }
    health
        .withDetail("member", group.self().name())
        .withDetail("members", members)
        .withDetail("minority", group.view().isMinority())
        .withDetail("protocolVersion", group.protocol().toAll())
        .withDetail("protocolVersionOfOthers", group.protocol().leastOfOthers())
        .withDetail("entries", metrics.entries())
        .withDetail("replicasAway", metrics.replicasAway());
  }
}
