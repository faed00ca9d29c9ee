package org.terrace.groups.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.groups.Group;
import org.terrace.groups.Member;

/** Restarts under the same name, and stacks of the user's own. */
@Tag("real-processes")
@Tag("untimed")
class JGroupsIncarnationsTest {
  private static final long SEND_PAUSE_NANOS = 200_000;

  private final JGroupsMembers members = new JGroupsMembers();
  private final List<JGroupsGroup> open = new ArrayList<>();

  @AfterEach
  void closeAll() {
    open.forEach(JGroupsGroup::close);
  }

  private JGroupsGroup open(String member) {
    JGroupsGroup group = members.open(member);
    open.add(group);
    return group;
  }

  private static Queue<Long> numbersHeard(Group group) {
    Queue<Long> heard = new ConcurrentLinkedQueue<>();
    group.subscribe(Group.INVOCATION_CHANNEL, (from, message) -> heard.add(message.getLong()));
    return heard;
  }

  private static ByteBuffer number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).flip();
  }

  @Test
  void whatWasSentToOneIncarnationNeverReachesALaterOne() throws InterruptedException {
    JGroupsGroup sender = open("sender");
    JGroupsGroup first = open("twice");
    JGroupsMembers.awaitSize(List.of(sender, first), 2);
    AtomicBoolean stop = new AtomicBoolean();
    Member firstIncarnation = first.self();
    Queue<Long> sentToFirst = new ConcurrentLinkedQueue<>();
    Thread sending =
        Thread.ofPlatform()
            .start(() -> {
              for (long i = 1; !stop.get(); i++) {
                sentToFirst.add(i);
                sender.send(firstIncarnation, Group.INVOCATION_CHANNEL, number(i));
                if (!sender.view().contains(firstIncarnation.id())) {
                  sender.multicast(Group.INVOCATION_CHANNEL, number(-i));
                }
                LockSupport.parkNanos(SEND_PAUSE_NANOS);
              }
            });
    first.close();
    JGroupsGroup second = open("twice");
    Queue<Long> heard = numbersHeard(second);
    JGroupsMembers.awaitSize(List.of(sender, second), 2);
    JGroupsMembers.await("the second incarnation hears multicasts", () -> heard.size() > 100);
    stop.set(true);
    sending.join();

    assertThat(second.self().id()).isGreaterThan(firstIncarnation.id());
    assertThat(second.self().isSameProcessAs(firstIncarnation)).isTrue();
    assertThat(heard).doesNotContainAnyElementsOf(List.copyOf(sentToFirst));
    assertThat(sender.view().contains(firstIncarnation.id())).isFalse();
  }

  @Test
  void aStackOfTheUsersOwnIsUsed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("own.xml");
    String xml = JGroupsStack.unicast(JGroupsMembers.freeAddress(), List.of()).xml();
    Files.writeString(file, xml.replace("<UNICAST3 xmit_interval=\"100\"/>", "<UNICAST4/>"));

    JGroupsGroup group = JGroupsGroup.open(JGroupsOptions.of("own", "m", JGroupsStack.file(file)));
    open.add(group);

    assertThat(group.self().address().getAddress()).isEqualTo(JGroupsMembers.ADDRESS);
    assertThat(group.self().address().getPort()).isPositive();
  }

  @Test
  void aStackThatIsNoneIsRefusedByName(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("bad.xml");
    Files.writeString(file, "<config><NO_SUCH_PROTOCOL/></config>");

    assertThatThrownBy(
            () -> JGroupsGroup.open(JGroupsOptions.of("own", "m", JGroupsStack.file(file))))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("bad.xml")
        .hasMessageContaining("NO_SUCH_PROTOCOL");
    assertThatThrownBy(() -> JGroupsStack.file(folder.resolve("absent.xml")))
        .hasMessageContaining("absent.xml");
  }
}
