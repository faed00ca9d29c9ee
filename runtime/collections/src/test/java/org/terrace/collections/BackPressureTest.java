package org.terrace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replica.PendingWrite;
import org.terrace.collections.replica.Replica;
import org.terrace.collections.replica.Steps;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.collections.state.Store;
import org.terrace.collections.structures.ListPlace;
import org.terrace.collections.structures.Position;
import org.terrace.collections.structures.Ticket;
import org.terrace.collections.structures.Turn;
import org.terrace.collections.structures.causality.Version;
import org.terrace.core.codec.Codecs;

/** The waiting for room, before the step of an update, while too much of others is on the way. */
class BackPressureTest {
  private static final MapOptions<Position, String> LIST =
      MapOptions.of(Position.CODEC, Codecs.string()).withLevel(WriteLevel.LOCAL);
  private static final MapOptions<Ticket, String> QUEUE =
      MapOptions.of(Ticket.CODEC, Codecs.string()).withLevel(WriteLevel.LOCAL);

  private final ReplicatedCollections collections = new Replicas(1).get(0);
  private final Replica replica = collections.replica();
  private final List<String> noted = new ArrayList<>();
  private int depth;

  /** The replica's steps, which notes what they are waited for and begun. */
  private final Steps steps =
      new Steps() {
        @Override
        public void enter() {
          noted.add(depth++ == 0 ? "step" : "within");
          replica.enter();
        }

        @Override
        public void leave() {
          depth--;
          replica.leave();
        }

        @Override
        public void awaitRoom() {
          noted.add(depth == 0 ? "room" : "none");
        }

        @Override
        public void await(PendingWrite write, String collection) {
          replica.await(write, collection);
        }

        @Override
        public <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> call) {
          return replica.submit(call);
        }
      };

  private void assertWaitsFirst(Runnable update) {
    noted.clear();
    update.run();
    assertThat(noted).startsWith("room", "step");
  }

  @Test
  void updatesOfAListWaitForRoom() {
    ConcurrentSkipListMap<Position, Version> slots = new ConcurrentSkipListMap<>();
    Store<Position, String> store =
        collections.state().open("list", Position.CODEC, Codecs.string(), slots);
    Store<Position, ListPlace> places =
        collections
            .state()
            .open("places", Position.CODEC, ListPlace.CODEC, new ConcurrentHashMap<>());
    ReplicatedList<String> list =
        new ReplicatedList<>(
            new Updates<>(steps, replica.writes(), store, LIST, null),
            new ListOrder(store, slots, places),
            places);

    assertWaitsFirst(() -> list.add("e"));
    assertWaitsFirst(() -> list.add(0, "f"));
    assertWaitsFirst(() -> list.addFirst("g"));
    assertThat(list).hasSize(3); // and is read, which is a step by itself
    assertWaitsFirst(() -> list.set(0, "h"));
    assertWaitsFirst(list::removeLast);
    assertWaitsFirst(() -> list.remove(0));
    assertThat(list).containsExactly("f");
  }

  @Test
  void updatesOfAQueueWaitForRoom() {
    Store<Ticket, String> store =
        collections
            .state()
            .open("queue", Ticket.CODEC, Codecs.string(), new ConcurrentSkipListMap<>());
    Store<Ticket, Turn> turns =
        collections.state().open("turns", Ticket.CODEC, Turn.CODEC, new ConcurrentSkipListMap<>());
    Updates<Ticket, String> updates = new Updates<>(steps, replica.writes(), store, QUEUE, null);
    ReplicatedQueue<String> queue =
        new ReplicatedQueue<>(updates, new QueueTurns<>(replica, updates, turns));

    assertWaitsFirst(() -> queue.offer("e"));
    assertThat(queue).containsExactly("e");
  }
}
