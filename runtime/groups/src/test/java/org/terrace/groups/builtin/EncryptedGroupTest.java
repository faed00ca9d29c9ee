package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;

/** Members that encrypt all that they send. */
@Tag("real-processes")
@Tag("untimed")
class EncryptedGroupTest extends GroupConformance {
  private static final int MESSAGES = 200;
  private static final int LARGE_BYTES = 20_000;
  private static final Secret OLD = secret("an old key of the test");
  private static final Secret NEW = secret("a new key of the test");

  private final BuiltInGroups groups = new BuiltInGroups();

  private static Secret secret(String text) {
    return new Secret(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  protected Group open(String member) {
    return groups.open(groups.options(member).withKeys(GroupKeys.encrypting(OLD)));
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    BuiltInGroups.await(what, condition);
  }

  @Test
  void keysRotateInARunningGroupOfThreeWithTraffic() {
    List<GroupKeys> keys = new ArrayList<>();
    List<Group> members = new ArrayList<>();
    AtomicLong received = new AtomicLong();
    for (String name : List.of("a", "b", "c")) {
      GroupKeys own = GroupKeys.encrypting(OLD);
      keys.add(own);
      Group member = groups.open(groups.options(name).withKeys(own));
      member.subscribe(Group.COLLECTIONS_CHANNEL, (from, message) -> received.incrementAndGet());
      members.add(member);
    }
    try {
      members.forEach(member -> await("they meet", () -> member.view().members().size() == 3));
      List<Long> views = members.stream().map(member -> member.view().version()).toList();
      List<Consumer<GroupKeys>> steps =
          List.of(own -> own.accept(NEW), own -> own.sealWith(NEW), own -> own.drop(OLD));
      long expected = 0;
      for (Consumer<GroupKeys> step : steps) {
        for (GroupKeys own : keys) {
          step.accept(own);
          for (int i = 0; i < MESSAGES; i++) {
            int bytes = i % 10 == 0 ? LARGE_BYTES : 100;
            members.get(i % 3).multicast(Group.COLLECTIONS_CHANNEL, ByteBuffer.allocate(bytes));
            expected += 2;
          }
          long all = expected;
          await("all arrive", () -> received.get() == all);
        }
      }
      for (Group member : members) {
        assertThat(member.counters().forged()).isZero();
      }
      assertThat(members.stream().map(member -> member.view().version()).toList())
          .as("views")
          .isEqualTo(views);
    } finally {
      members.forEach(Group::close);
    }
  }

  @Test
  void aPortIsFreeAsSoonAsItsGroupIsClosed() {
    GroupOptions options = groups.options("again").withKeys(GroupKeys.encrypting(OLD));
    int port;
    try (Group first = Groups.open(options)) {
      port = first.self().address().getPort();
    }
    for (int i = 0; i < 20; i++) {
      try (Group again = Groups.open(options.withAddress(BuiltInGroups.ADDRESS, port))) {
        assertThat(again.self().address().getPort()).isEqualTo(port);
      }
    }
  }
}
