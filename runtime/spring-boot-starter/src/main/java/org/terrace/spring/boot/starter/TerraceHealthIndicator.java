package org.terrace.spring.boot.starter;

import java.util.Optional;
import java.util.TreeSet;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsMetrics;
import org.terrace.groups.Group;
import org.terrace.groups.Member;
import org.terrace.groups.View;

/**
 * The health of this server's replica: down when the others do not count it any more, so that it
 * can save nothing. A server that sees nobody, or fewer than it expects, is up and says so: it
 * serves alone. Thread-safe.
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
    View view = group.view();
    for (Member member : view.members()) {
      members.add(member.name());
    }
    CollectionsMetrics metrics = collections.metrics();
    Optional<String> reason = ExclusionWatch.reason(group, collections);
    if (reason.isPresent()) {
      health.down().withDetail("excluded", reason.get());
    } else {
      health.up();
    }
    view.expectedMembers().ifPresent(expected -> health.withDetail("expectedMembers", expected));
    health
        .withDetail("member", group.self().name())
        .withDetail("members", members)
        .withDetail("belowExpected", view.isBelowExpected())
        .withDetail("minority", view.isMinority())
        .withDetail("protocolVersion", group.protocol().toAll())
        .withDetail("protocolVersionOfOthers", group.protocol().leastOfOthers())
        .withDetail("entries", metrics.entries())
        .withDetail("replicasAway", metrics.replicasAway());
  }
}
