package org.terrace.collections.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/** Two real replicas of collections, as two servers have them, in one process. */
public final class TwoReplicas implements AutoCloseable {
  /** Held by both, even if one of them takes the other for dead on a busy machine. */
  public static final WriteLevel BOTH = WriteLevel.allOf(2);

  public static final Duration SOON = Duration.ofSeconds(60);

  private final Group firstGroup;
  private final Group secondGroup;
  private final ReplicatedCollections first;
  private final ReplicatedCollections second;

  /** Opens both, and waits until they know each other. */
  public TwoReplicas(String group) {
    firstGroup = open(group, "app1");
    secondGroup = open(group, "app2", firstGroup.self().address());
    CollectionsOptions patient =
        CollectionsOptions.defaults().withWriteTimeout(SOON, Duration.ZERO);
    first = ReplicatedCollections.open(firstGroup, patient);
    second = ReplicatedCollections.open(secondGroup, patient);
    await(
        "both members",
        () -> firstGroup.view().members().size() == 2 && secondGroup.view().members().size() == 2);
  }

  private static Group open(String group, String member, InetSocketAddress... others) {
    return Groups.open(
        GroupOptions.of(group, member, Discovery.of(List.of(others)))
            .withAddress(InetAddress.ofLiteral("127.67.1.1"), 0));
  }

  public ReplicatedCollections first() {
    return first;
  }

  public ReplicatedCollections second() {
    return second;
  }

  /** Waits for what one of them is told by the other. */
  public static void await(String what, BooleanSupplier condition) {
    assertThat(Await.until(SOON, condition)).as(what).isTrue();
  }

  @Override
  public void close() {
    second.close();
    first.close();
    secondGroup.close();
    firstGroup.close();
  }
}
