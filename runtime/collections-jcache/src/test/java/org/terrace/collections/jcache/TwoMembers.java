package org.terrace.collections.jcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.cache.CacheManager;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/** Two real replicas with a manager each, as two servers have them, in one process. */
public final class TwoMembers implements AutoCloseable {
  public static final Duration SOON = Duration.ofSeconds(60);

  private final Group firstGroup;
  private final Group secondGroup;
  private final ReplicatedCollections first;
  private final ReplicatedCollections second;
  private final TerraceCachingProvider provider = new TerraceCachingProvider();

  /** Opens both, and waits until they know each other. */
  public TwoMembers(String group) {
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
            .withAddress(InetAddress.ofLiteral("127.67.2.2"), 0));
  }

  public ReplicatedCollections first() {
    return first;
  }

  /** A manager over the first replica. */
  public CacheManager firstManager(String... admitted) {
    return provider.getCacheManager(
        URI.create("first"), null, TerraceCachingProvider.properties(first, List.of(admitted)));
  }

  /** A manager over the second replica. */
  public CacheManager secondManager(String... admitted) {
    return provider.getCacheManager(
        URI.create("second"), null, TerraceCachingProvider.properties(second, List.of(admitted)));
  }

  /** Waits for what one of them is told by the other. */
  public static void await(String what, BooleanSupplier condition) {
    assertThat(Await.until(SOON, condition)).as(what).isTrue();
  }

  @Override
  public void close() {
    provider.close();
    second.close();
    first.close();
    secondGroup.close();
    firstGroup.close();
  }
}
