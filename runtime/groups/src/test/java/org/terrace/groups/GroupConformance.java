package org.terrace.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requirements that every implementation of {@link Group} must meet. */
public abstract class GroupConformance {
  private static final int CHANNEL = Group.INVOCATION_CHANNEL;

  private final List<Group> groups = new ArrayList<>();

  /** Opens the group of that member; all members of one test find each other. */
  protected abstract Group open(String member);

  /** Lets time pass until the condition holds; fails when it does not within some seconds. */
  protected abstract void await(String what, BooleanSupplier condition);

  @AfterEach
  void closeAll() {
    groups.forEach(Group::close);
  }

  private List<Group> openAll(int count) {
    for (int i = 0; i < count; i++) {
      groups.add(open("m" + i));
    }
    await(
        "all members see each other",
        () -> groups.stream().allMatch(group -> group.view().members().size() == count));
    return groups;
  }

  private static Queue<String> listen(Group group) {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    group.subscribe(
        CHANNEL,
        (from, message) -> {
          byte[] bytes = new byte[message.remaining()];
          message.get(bytes);
          heard.add(from.name() + ":" + new String(bytes, StandardCharsets.UTF_8));
        });
    return heard;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void membersSeeEachOther() {
    List<Group> members = openAll(3);

    for (Group member : members) {
      assertThat(member.view().members())
          .containsExactlyInAnyOrderElementsOf(members.stream().map(Group::self).toList());
      assertThat(member.view().self()).isEqualTo(member.self());
    }
  }

  @Test
  void aMessageReachesItsReceiverAlone() {
    List<Group> members = openAll(3);
    List<Queue<String>> heard = members.stream().map(GroupConformance::listen).toList();

    members.get(0).send(members.get(1).self(), CHANNEL, bytes("hello"));
    await("the message arrives", () -> !heard.get(1).isEmpty());

    assertThat(heard.get(1)).containsExactly("m0:hello");
    assertThat(heard.get(0)).isEmpty();
    assertThat(heard.get(2)).isEmpty();
  }

  @Test
  void aMulticastReachesAllOthersAndNotItsSender() {
    List<Group> members = openAll(4);
    List<Queue<String>> heard = members.stream().map(GroupConformance::listen).toList();

    members.get(0).multicast(CHANNEL, bytes("all"));
    await("the message arrives", () -> heard.subList(1, 4).stream().noneMatch(Queue::isEmpty));

    assertThat(heard.get(0)).isEmpty();
    assertThat(heard.subList(1, 4)).allSatisfy(one -> assertThat(one).containsExactly("m0:all"));
  }

  @Test
  void aLargeMessageArrivesWhole() {
    List<Group> members = openAll(2);
    Queue<String> heard = listen(members.get(1));
    String large = "0123456789".repeat(300_000);

    members.get(0).send(members.get(1).self(), CHANNEL, bytes(large));
    members.get(0).multicast(CHANNEL, bytes(large));
    await("both messages arrive", () -> heard.size() == 2);

    assertThat(heard).containsOnly("m0:" + large);
  }

  @Test
  void aMessageTooLargeIsRefused() {
    List<Group> members = openAll(2);
    ByteBuffer tooLarge = ByteBuffer.allocate(Group.MESSAGE_BYTES_MAX + 1);

    assertThatThrownBy(() -> members.get(0).send(members.get(1).self(), CHANNEL, tooLarge))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aGoodbyeLeavesTheView() {
    List<Group> members = openAll(3);

    members.get(2).close();
    await(
        "the others see two",
        () -> members.subList(0, 2).stream().allMatch(m -> m.view().members().size() == 2));

    assertThat(members.get(0).view().lost()).isEmpty();
  }

  @Test
  void aWatcherGetsThePresentViewAndEachNewOne() {
    Group first = open("m0");
    groups.add(first);
    Queue<View> views = new ConcurrentLinkedQueue<>();
    first.watch(views::add);
    assertThat(views).hasSize(1);

    groups.add(open("m1"));
    await("the second view comes", () -> views.size() == 2);

    assertThat(views.stream().map(View::version).toList()).isSorted();
    assertThat(first.view().members()).hasSize(2);
  }

  @Test
  void aPeriodicTaskRunsAgainAndAgain() {
    Group group = open("m0");
    groups.add(group);
    Queue<Integer> runs = new ConcurrentLinkedQueue<>();
    group.every(Duration.ofMillis(5), () -> runs.add(1));

    await("it runs three times", () -> runs.size() >= 3);

    assertThat(runs).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void aChannelHasOneHandlerAndANumberInRange() {
    Group group = open("m0");
    groups.add(group);
    group.subscribe(CHANNEL, (from, message) -> {});

    assertThatThrownBy(() -> group.subscribe(CHANNEL, (from, message) -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> group.multicast(0, bytes("x")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> group.multicast(Group.CHANNELS, bytes("x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closingTwiceIsClosingOnce() {
    Group group = open("m0");
    group.close();
    group.close();

    assertThat(group.view().members()).containsExactly(group.self());
  }
}
