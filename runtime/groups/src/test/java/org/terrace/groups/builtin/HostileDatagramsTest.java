package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.Secret;
import org.terrace.testing.Seeds;

@Tag("real-processes")
@Tag("untimed")
class HostileDatagramsTest {
  private static final int CHANNEL = Group.COLLECTIONS_CHANNEL;

  private final Secret secret =
      new Secret("a key of the test, 28 bytes.".getBytes(StandardCharsets.UTF_8));
  private final AtomicInteger received = new AtomicInteger();
  private Group victim;
  private Group friend;

  @BeforeEach
  void open() {
    BuiltInGroups groups = new BuiltInGroups();
    victim = groups.open(groups.options("victim").withSecret(secret));
    friend = groups.open(groups.options("friend").withSecret(secret));
    victim.subscribe(CHANNEL, (from, message) -> received.incrementAndGet());
    BuiltInGroups.await("they meet", () -> victim.view().members().size() == 2);
  }

  @AfterEach
  void close() {
    victim.close();
    friend.close();
  }

  private void hurl(ByteBuffer datagram) throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, BuiltInGroups.ADDRESS)) {
      byte[] bytes = new byte[datagram.remaining()];
      datagram.get(bytes);
      socket.send(new DatagramPacket(bytes, bytes.length, victim.self().address()));
    }
  }

  private ByteBuffer sealedByFriend(Optional<Secret> key, long sender, long number) {
    ByteBuffer datagram = ByteBuffer.allocate(200);
    new Frame(CHANNEL, Frame.groupNumber("test"), sender, Frame.ANYBODY, number).encode(datagram);
    datagram.put((byte) 42);
    new Authenticator(key.map(GroupKeys::authenticating)).seal(datagram);
    return datagram.flip();
  }

  @Test
  void aReplayedDatagramIsDroppedAndCounted() throws Exception {
    long number = 1_000_000;
    hurl(sealedByFriend(Optional.of(secret), friend.self().id(), number));
    hurl(sealedByFriend(Optional.of(secret), friend.self().id(), number));
    hurl(sealedByFriend(Optional.of(secret), friend.self().id(), 1));
    BuiltInGroups.await("two are dropped", () -> victim.counters().replayed() >= 2);

    assertThat(received).hasValue(1);
  }

  @Test
  void aForgedDatagramIsDroppedAndCounted() throws Exception {
    Secret other = new Secret(new byte[16]);
    hurl(sealedByFriend(Optional.of(other), friend.self().id(), 1_000_000));
    hurl(sealedByFriend(Optional.empty(), friend.self().id(), 1_000_001));
    BuiltInGroups.await("both are dropped", () -> victim.counters().forged() >= 2);

    assertThat(received).hasValue(0);
  }

  @Test
  void aStrangersDatagramIsDroppedAndCounted() throws Exception {
    hurl(sealedByFriend(Optional.of(secret), 77, 1));
    BuiltInGroups.await("it is dropped", () -> victim.counters().unknownSender() == 1);

    assertThat(received).hasValue(0);
  }

  @Test
  void anOversizedDatagramIsDroppedAndCounted() throws Exception {
    hurl(ByteBuffer.allocate(50_000));
    BuiltInGroups.await("it is dropped", () -> victim.counters().oversized() == 1);

    assertThat(received).hasValue(0);
  }

  @Test
  void garbageIsDroppedAndCountedAndTheGroupGoesOn() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("garbage"));
    for (int i = 0; i < 500; i++) {
      byte[] garbage = new byte[random.nextInt(300)];
      random.nextBytes(garbage);
      if (garbage.length > 0 && random.nextBoolean()) {
        garbage[0] = 1;
      }
      hurl(ByteBuffer.wrap(garbage));
    }
    friend.send(victim.self(), CHANNEL, ByteBuffer.wrap(new byte[] {1}));
    BuiltInGroups.await("the genuine one arrives", () -> received.get() == 1);

    GroupCounters counters = victim.counters();
    assertThat(counters.malformed() + counters.forged()).isGreaterThan(400);
  }

  @Test
  void aWrongSecretFindsNobody() {
    BuiltInGroups groups = new BuiltInGroups();
    try (Group stranger =
        groups.open(groups.options("stranger").withSecret(new Secret(new byte[16])))) {
      friend.send(stranger.self(), CHANNEL, ByteBuffer.wrap(new byte[] {1}));
      BuiltInGroups.await("it is dropped", () -> stranger.counters().forged() == 1);

      assertThat(stranger.view().members()).containsExactly(stranger.self());
    }
  }
}
