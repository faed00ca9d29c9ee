package org.terrace.collections.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.collections.CheckpointFile;
import org.terrace.collections.Expiry;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedCounter;
import org.terrace.collections.ReplicatedMap;
import org.terrace.collections.SessionToken;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.RecordCodec;
import org.terrace.core.codec.TypeNumber;
import org.terrace.core.codec.TypeRegistry;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.builtin.Groups;
import org.terrace.testing.Await;

/** The examples of the guide and of the README, word for word, run on two replicas. */
@Tag("real-processes")
@Tag("untimed")
class SoftStateGuideTest {
  record Cart(@FieldNumber(1) String owner, @FieldNumber(2) List<String> items) {}

  sealed interface Event permits Opened, Closed {}

  @TypeNumber(1)
  record Opened(@FieldNumber(1) String by) implements Event {}

  @TypeNumber(2)
  record Closed(@FieldNumber(1) Duration after) implements Event {}

  private static Group open(String name, InetSocketAddress... others) {
    return Groups.open(
        GroupOptions.of("guide", name, Discovery.of(List.of(others)))
            .withAddress(InetAddress.ofLiteral("127.28.5.1"), 0));
  }

  private static void awaitTwo(Group group) {
    assertThat(Await.until(Duration.ofSeconds(30), () -> group.view().members().size() == 2))
        .isTrue();
  }

  @Test
  void aMemberThatWasToldTheSizeOfItsGroupKnowsAtOnceThatItSeesFewer() {
    List<InetSocketAddress> others = List.of();
    GroupOptions three =
        GroupOptions.of("shop", "app1", Discovery.of(others)).withExpectedMembers(3);
    try (Group group = Groups.open(three);
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults())) {
      assertThat(group.view().isBelowExpected()).isTrue();
      ReplicatedCounter visits = collections.counter("visits", WriteLevel.replicas(2));
      assertThatThrownBy(() -> visits.add(1)).isInstanceOf(WriteRefusedException.class);
      assertThat(visits.get()).isZero();
    }
  }

  @Test
  void theExampleOfTheReadmeRuns() throws IOException {
    int port;
    try (var socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    List<InetSocketAddress> others =
        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    try (Group group = Groups.open(GroupOptions.of("shop", "app1", Discovery.of(others)));
        var collections = ReplicatedCollections.open(group, CollectionsOptions.defaults())) {
      ReplicatedMap<String, Cart> carts =
          collections.map("carts", MapOptions.of(Codecs.string(), RecordCodec.of(Cart.class)));
      carts.put("ann", new Cart("ann", List.of("tea"))); // returns when every member holds it
      carts.computeIfPresent("ann", (key, cart) -> new Cart("ann", List.of("tea", "cup")));
      System.out.println(carts.get("ann")); // a local read
      assertThat(carts.get("ann").items()).containsExactly("tea", "cup");
    }
  }

  @Test
  void theExamplesOfTheGuideRun(@TempDir Path folder) {
    try (Group group = open("a");
        Group second = open("b", group.self().address())) {
      awaitTwo(group);
      awaitTwo(second);
      CheckpointFile checkpoint =
          new CheckpointFile(folder.resolve("app1.checkpoint"), Duration.ofSeconds(30));
      try (var collections =
              ReplicatedCollections.open(group, CollectionsOptions.defaults(), checkpoint);
          var other = ReplicatedCollections.open(second, CollectionsOptions.defaults())) {
        levels(collections);
        async(collections);
        lifetimes(collections);
        session(collections, other);
        forget(collections);
        types(collections, other);
        collections.writeCheckpoint(checkpoint.path());
        destroy(collections);
        leave(collections);
        assertThat(checkpoint.path()).doesNotExist();
      }
      assertThat(checkpoint.path()).doesNotExist();
    }
  }

  @Test
  void aReplicaThatIsClosedWithoutLeavingKeepsItsCheckpoint(@TempDir Path folder) {
    Path file = folder.resolve("app1.checkpoint");
    CheckpointFile checkpoint = new CheckpointFile(file, Duration.ofSeconds(30));
    try (Group group = open("a")) {
      try (var collections =
          ReplicatedCollections.open(group, CollectionsOptions.defaults(), checkpoint)) {
        assertThat(collections.leave(Duration.ZERO)).isFalse();
        assertThat(file).doesNotExist();
      }
    }
    assertThat(file).exists();
  }

  private static void levels(ReplicatedCollections collections) {
    ReplicatedMap<String, String> drafts =
        collections.map("drafts", MapOptions.of(Codecs.string(), Codecs.string()));
    drafts.withLevel(WriteLevel.LOCAL).put("ann", "Dear");
    drafts.withLevel(WriteLevel.replicas(2)).put("ann", "Dear Bob");
    drafts.withLevel(WriteLevel.allOf(2)).put("ann", "Dear Bob,");
    assertThat(drafts.get("ann")).isEqualTo("Dear Bob,");
    assertThatThrownBy(() -> drafts.withLevel(WriteLevel.replicas(3)).put("ann", "lost?"))
        .isInstanceOf(UnacknowledgedWriteException.class);
  }

  private static void async(ReplicatedCollections collections) {
    ReplicatedMap<String, Cart> carts =
        collections.map("carts", MapOptions.of(Codecs.string(), RecordCodec.of(Cart.class)));
    ReplicatedCounter counter = collections.counter("visits", WriteLevel.ALL);
    CompletionStage<Cart> before = carts.async().put("ann", new Cart("ann", List.of()));
    CompletionStage<Long> visits =
        collections.submit(() -> {
          counter.add(1);
          return counter.get();
        });
    assertThat(visits.toCompletableFuture().join()).isEqualTo(1);
    assertThat(before.toCompletableFuture().join()).isNull();
  }

  private static void lifetimes(ReplicatedCollections collections) {
    MapOptions<String, Cart> idle =
        MapOptions.of(Codecs.string(), RecordCodec.of(Cart.class))
            .withExpiry(Expiry.sinceUse(Duration.ofMinutes(30)));
    ReplicatedMap<String, Cart> open = collections.map("open", idle);
    open.put("ann", new Cart("ann", List.of()));
    open.withExpiry(Expiry.sinceUpdate(Duration.ofHours(8))).put("bob", new Cart("bob", List.of()));
    open.touch("ann", Duration.ofDays(1));
    assertThat(open).containsOnlyKeys("ann", "bob");
  }

  private static void session(ReplicatedCollections collections, ReplicatedCollections other) {
    SessionToken token = collections.token(); // travels with the client, in a cookie for example
    boolean readsItsOwnWrites = other.await(token, Duration.ofSeconds(1));
    assertThat(readsItsOwnWrites).isTrue();
  }

  private static void forget(ReplicatedCollections collections) {
    boolean forgotten = collections.forget("app3", Duration.ofSeconds(30));
    assertThat(forgotten).isTrue();
  }

  private static void destroy(ReplicatedCollections collections) {
    boolean destroyed = collections.destroy("drafts", Duration.ofSeconds(10));
    assertThat(destroyed).isTrue();
  }

  private static void leave(ReplicatedCollections collections) {
    boolean handedOver = collections.leave(Duration.ofSeconds(10));
    assertThat(handedOver).isTrue();
  }

  private static void types(ReplicatedCollections collections, ReplicatedCollections other) {
    MapOptions<String, Event> options =
        MapOptions.of(Codecs.string(), TypeRegistry.of(Event.class));
    ReplicatedMap<String, Event> events = collections.map("events", options);
    events.put("door", new Opened("ann"));
    events.put("gate", new Closed(Duration.ofMinutes(5)));
    assertThat(other.map("events", options).get("gate"))
        .isEqualTo(new Closed(Duration.ofMinutes(5)));
  }
}
