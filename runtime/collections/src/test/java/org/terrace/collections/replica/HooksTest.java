package org.terrace.collections.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.terrace.collections.replication.WriteRefusedException;
import org.terrace.collections.state.ReplicaState;
import org.terrace.collections.state.Store;
import org.terrace.core.codec.Codecs;

class HooksTest {
  private final ReplicaState state = new ReplicaState(0);
  private final Hooks hooks = new Hooks();
  private final List<String> ran = new ArrayList<>();

  private Store<String, String> open(String name) {
    return state.open(name, Codecs.string(), Codecs.string(), new ConcurrentHashMap<>());
  }

  @Test
  void whatATaskThrowsConcernsNoOther() {
    Store<String, String> store = open("map");
    hooks.everyRound(
        store,
        () -> {
          throw new IllegalStateException("on purpose");
        });
    hooks.everyRound(
        store,
        () -> {
          throw new WriteRefusedException("on purpose");
        });
    hooks.everyRound(store, () -> ran.add("last"));
    hooks.roundEnded();
    hooks.roundEnded();

    assertThat(ran).containsExactly("last", "last");
  }

  @Test
  void tasksOfADestroyedCollectionRunNoMore() {
    hooks.afterMessage(open("gone"), () -> ran.add("gone"));
    hooks.afterMessage(open("stays"), () -> ran.add("stays"));
    state.destroy("gone");
    hooks.messageEnded();
    hooks.messageEnded();

    assertThat(ran).containsExactly("stays", "stays");
  }
}
