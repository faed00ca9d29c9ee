package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.monitor.ListeningSocket.End;
import org.terrace.testing.ManualTimeSource;
import org.terrace.testing.Seeds;

/** The kernel's word about listening sockets, as bytes. */
class ListeningSocketTest {
  private static final long SECOND = 1_000_000_000L;
  private static final InetAddress HERE = InetAddress.ofLiteral("127.44.2.1");

  @Test
  void aMessageTellsTheQueueItsLimitAndWhatWasTurnedAway() {
    List<ListeningSocket> sockets = new ArrayList<>();
    byte[] two = joined(message(7, HERE, 8080, 3, 2, 82), message(8, mapped(), 80, 0, 4096, 0));

    assertThat(ListeningSocket.read(two, sockets)).isEqualTo(End.OPEN);

    assertThat(sockets)
        .containsExactly(
            new ListeningSocket(7, HERE, 8080, 3, 2, 82),
            new ListeningSocket(8, HERE, 80, 0, 4096, 0));
    assertThat(sockets.getFirst().share()).isEqualTo(1);
    assertThat(ListeningSocket.read(control(3), sockets)).isEqualTo(End.WHOLE);
    assertThat(ListeningSocket.read(control(2), sockets)).isEqualTo(End.REFUSED);
  }

  @Test
  void aConnectionThatIsNoListenerIsPassedOver() {
    byte[] established = message(7, HERE, 8080, 3, 2, 82);
    established[17] = 1;
    List<ListeningSocket> sockets = new ArrayList<>();

    ListeningSocket.read(established, sockets);

    assertThat(sockets).isEmpty();
  }

  @Test
  void cutAndDamagedMessagesAreReadWithoutHarm() {
    byte[] whole = joined(message(7, HERE, 8080, 3, 2, 82), message(8, mapped(), 80, 0, 1, 0));
    for (int length = 0; length < whole.length; length++) {
      ListeningSocket.read(Arrays.copyOf(whole, length), new ArrayList<>());
    }
    RandomGenerator random = Seeds.generator(Seeds.next("ListeningSocketTest.damaged"));
    for (int round = 0; round < 2_000; round++) {
      byte[] damaged = whole.clone();
      for (int change = random.nextInt(6); change >= 0; change--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      List<ListeningSocket> sockets = new ArrayList<>();
      ListeningSocket.read(damaged, sockets);
      assertThat(sockets).hasSizeLessThan(10).allMatch(socket -> socket.share() >= 0);
    }
  }

  @Test
  void theSocketAtTheAddressIsTakenBeforeOneAtAllAndOtherAddressesAreNot() {
    ListeningSocket here = new ListeningSocket(1, HERE, 8080, 1, 3, 0);
    ListeningSocket all = new ListeningSocket(2, InetAddress.ofLiteral("0.0.0.0"), 8080, 3, 3, 0);
    ListeningSocket other =
        new ListeningSocket(3, InetAddress.ofLiteral("127.44.2.2"), 8080, 4, 3, 0);

    assertThat(queue().next(Optional.of(List.of(all, other, here)), 0, SECOND))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.25));
    assertThat(queue().next(Optional.of(List.of(all, other)), 0, SECOND))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.75));
    assertThat(queue().next(Optional.of(List.of(other)), 0, SECOND)).isEmpty();
  }

  @Test
  void aQueueThatTurnedConnectionsAwaySinceTheLastReadingWasFullInBetween() {
    AcceptQueue queue = queue();
    queue.next(Optional.of(List.of(socket(1, 0, 0xFFFF_FFFFL))), 0, SECOND);

    assertThat(queue.next(Optional.of(List.of(socket(1, 0, 0xFFFF_FFFFL))), 0, 2 * SECOND))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.0, Resources.ACCEPT_QUEUE_DROPS, 0.0));
    // The counter has 32 bits.
    assertThat(queue.next(Optional.of(List.of(socket(1, 0, 4))), 1, 4 * SECOND))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 1.0, Resources.ACCEPT_QUEUE_DROPS, 2.5));
    assertThat(queue.next(Optional.of(List.of(socket(1, 1, 4))), 1, 5 * SECOND))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.25, Resources.ACCEPT_QUEUE_DROPS, 0.0));
    // Another socket, as of a server that was started again, counts from a beginning of its own.
    assertThat(queue.next(Optional.of(List.of(socket(2, 1, 900))), 1, 6 * SECOND))
        .isEqualTo(Map.of(Resources.ACCEPT_QUEUE, 0.25));
  }

  private static AcceptQueue queue() {
    return new AcceptQueue(new InetSocketAddress(HERE, 8080), new ManualTimeSource(0));
  }

  private static ListeningSocket socket(long inode, long queued, long dropped) {
    return new ListeningSocket(inode, HERE, 8080, queued, 3, dropped);
  }

  /** The address as a socket of both families has it. */
  private static byte[] mapped() {
    byte[] bytes = new byte[16];
    bytes[10] = -1;
    bytes[11] = -1;
    System.arraycopy(HERE.getAddress(), 0, bytes, 12, 4);
    return bytes;
  }

  private static byte[] message(
      int inode, InetAddress address, int port, int queued, int limit, int dropped) {
    return message(inode, address.getAddress(), port, queued, limit, dropped);
  }

  private static byte[] message(
      int inode, byte[] address, int port, int queued, int limit, int dropped) {
    ByteBuffer bytes = ByteBuffer.allocate(16 + 72 + 8 + 40).order(ByteOrder.nativeOrder());
    bytes.putInt(0, bytes.capacity()).putShort(4, (short) 20);
    bytes.put(16, (byte) (address.length == 4 ? 2 : 10)).put(17, (byte) 10);
    bytes.put(20, (byte) (port >> 8)).put(21, (byte) port).put(24, address);
    bytes.putInt(16 + 56, queued).putInt(16 + 60, limit).putInt(16 + 68, inode);
    // A short attribute, padded, before the one that is read.
    bytes.putShort(88, (short) 5).putShort(90, (short) 8);
    bytes.putShort(96, (short) 40).putShort(98, (short) 7).putInt(100 + 32, dropped);
    return bytes.array();
  }

  private static byte[] control(int type) {
    return ByteBuffer.allocate(20)
        .order(ByteOrder.nativeOrder())
        .putInt(20)
        .putShort((short) type)
        .array();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }
}
