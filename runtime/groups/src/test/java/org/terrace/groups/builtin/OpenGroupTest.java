package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.TimeSource;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Member;
import org.terrace.groups.ProtocolVersions;
import org.terrace.groups.membership.MembershipCodec;
import org.terrace.groups.membership.MembershipMessage;

/** A group without a secret: what anybody may send makes no member deaf, and none is misled. */
@Tag("real-processes")
class OpenGroupTest {
  private static final int CHANNEL = 5;

  private static void hurl(Group at, ByteBuffer payload, int channel, long sender, long number)
      throws Exception {
    ByteBuffer datagram = ByteBuffer.allocate(400);
    new Frame(channel, Frame.groupNumber("test"), sender, Frame.ANYBODY, number).encode(datagram);
    datagram.put(payload);
    new Authenticator(Optional.empty()).seal(datagram);
    datagram.flip();
    byte[] bytes = new byte[datagram.remaining()];
    datagram.get(bytes);
    try (DatagramSocket socket = new DatagramSocket(0, BuiltInGroups.ADDRESS)) {
      socket.send(new DatagramPacket(bytes, bytes.length, at.self().address()));
    }
  }

  @Test
  void aForgedNumberOrAddressOrAnErrorOfAHandlerMakesNobodyDeaf() throws Exception {
    BuiltInGroups groups = new BuiltInGroups();
    try (Group victim = groups.open(groups.options("victim"));
        Group friend = groups.open(groups.options("friend"))) {
      AtomicInteger received = new AtomicInteger();
      victim.subscribe(
          CHANNEL,
          (from, message) -> {
            if (received.incrementAndGet() == 1) {
              throw new AssertionError("a handler's error, on purpose");
            }
          });
      BuiltInGroups.await("they meet", () -> victim.view().members().size() == 2);
      long friendId = friend.self().id();
      Member lie =
          new Member(
              "liar",
              Member.idAt("liar", TimeSource.system().epochNanos()),
              InetSocketAddress.createUnresolved("no such host", 1));
      ByteBuffer greeting =
          MembershipCodec.encode(
              new MembershipMessage(
                  MembershipMessage.Kind.SYNC,
                  lie,
                  ProtocolVersions.ofThisBuild(),
                  0,
                  1,
                  null,
                  List.of()),
              Group.PROTOCOL_VERSION);
      hurl(victim, ByteBuffer.allocate(1), CHANNEL, friendId, Long.MAX_VALUE);
      hurl(victim, greeting, Frame.MEMBERSHIP, lie.id(), 1);
      BuiltInGroups.await("the error is thrown", () -> received.get() >= 1);
      for (int i = 0; i < 20; i++) {
        friend.send(victim.self(), CHANNEL, ByteBuffer.wrap(new byte[] {1}));
      }

      BuiltInGroups.await("the friend is heard again", () -> received.get() >= 21);
    }
  }

  @Test
  void aContactThatHasNoAddressYetHoldsUpNobody() {
    BuiltInGroups groups = new BuiltInGroups();
    try (Group first = groups.open(groups.options("first"))) {
      List<InetSocketAddress> contacts =
          List.of(
              InetSocketAddress.createUnresolved("no-such-host.invalid", 1),
              new InetSocketAddress(InetAddress.ofLiteral("::1"), 1),
              first.self().address());
      try (Group second =
          Groups.open(
              GroupOptions.of("test", "second", Discovery.of(contacts))
                  .withAddress(BuiltInGroups.ADDRESS, 0))) {
        BuiltInGroups.await("they meet", () -> second.view().members().size() == 2);
      }
    }
  }

  @Test
  void whoIsKnownBesideAContactWithoutAnAddressIsFoundAgainAfterEachEnd() {
    BuiltInGroups groups = new BuiltInGroups();
    Group live = groups.open(groups.options("live"));
    InetSocketAddress place = live.self().address();
    List<InetSocketAddress> contacts =
        List.of(InetSocketAddress.createUnresolved("no-such-host.invalid", 1), place);
    GroupOptions options =
        GroupOptions.of("test", "seeker", Discovery.of(contacts))
            .withAddress(BuiltInGroups.ADDRESS, 0);
    try (Group seeker = Groups.open(options)) {
      for (int i = 0; i < 3; i++) {
        BuiltInGroups.await("they meet", () -> seeker.view().members().size() == 2);
        live.close();
        BuiltInGroups.await("it is alone", () -> seeker.view().members().size() == 1);
        live =
            Groups.open(
                GroupOptions.of("test", "live", Discovery.none())
                    .withAddress(BuiltInGroups.ADDRESS, place.getPort()));
      }
      BuiltInGroups.await("they meet at last", () -> seeker.view().members().size() == 2);
    } finally {
      live.close();
    }
  }

  @Test
  void aGroupFormsOverIPv6() {
    InetAddress loopback = InetAddress.ofLiteral("::1");
    GroupOptions options = GroupOptions.of("six", "a", Discovery.none()).withAddress(loopback, 0);
    try (Group a = Groups.open(options);
        Group b =
            Groups.open(
                GroupOptions.of("six", "b", Discovery.of(List.of(a.self().address())))
                    .withAddress(loopback, 0))) {
      AtomicInteger received = new AtomicInteger();
      a.subscribe(CHANNEL, (from, message) -> received.incrementAndGet());
      BuiltInGroups.await("they meet", () -> b.view().members().size() == 2);
      BuiltInGroups.await("both know", () -> a.view().members().size() == 2);
      b.multicast(CHANNEL, ByteBuffer.wrap(new byte[] {1}));
      b.multicast(CHANNEL, ByteBuffer.wrap(new byte[100_000]));

      BuiltInGroups.await("both messages arrive", () -> received.get() == 2);
    }
  }

  @Test
  void aMemberThatStartsWithAnEarlierClockIsToldAndSaysSo() {
    BuiltInGroups groups = new BuiltInGroups();
    try (Group steady = groups.open(groups.options("steady"))) {
      long[] before = new long[1];
      try (Group first = groups.open(groups.options("c"))) {
        before[0] = first.self().id();
        BuiltInGroups.await("they meet", () -> steady.view().members().size() == 2);
      }
      BuiltInGroups.await("it has left", () -> steady.view().members().size() == 1);
      TimeSource late = new EarlierClock(5_000_000_000L);
      try (Group again = groups.open(groups.options("c").withTime(late))) {
        assertThat(again.self().id()).isLessThan(before[0]);
        BuiltInGroups.await("it is told", () -> again.exclusion().isPresent());

        assertThat(again.exclusion().orElseThrow()).contains("later incarnation");
        assertThat(steady.exclusion()).isEmpty();
      }
    }
  }

  @Test
  void aGroupThatCannotHaveItsMulticastSaysSo() throws Exception {
    InetSocketAddress multicast = BuiltInGroups.freshMulticast();
    BuiltInGroups groups = new BuiltInGroups();
    List<String> errors = new CopyOnWriteArrayList<>();
    try (DatagramSocket _ = new DatagramSocket(multicast.getPort());
        LoggedErrors _ = LoggedErrors.of(Datagrams.class, errors);
        Group group = groups.open(groups.options("a").withMulticast(multicast))) {
      assertThat(group.view().members()).hasSize(1);
      assertThat(errors).singleElement().asString().contains("goes on without multicast");
    }
  }

  @Test
  void theOlderOfTwoProcessesOfOneNameIsToldThatItIsOutdated() {
    BuiltInGroups groups = new BuiltInGroups();
    List<String> errors = new CopyOnWriteArrayList<>();
    try (Group steady = groups.open(groups.options("steady"));
        Group older = groups.open(groups.options("c"));
        LoggedErrors _ = LoggedErrors.of(Exclusion.class, errors)) {
      BuiltInGroups.await("they meet", () -> steady.view().members().size() == 2);
      try (Group later = groups.open(groups.options("c"))) {
        BuiltInGroups.await("the older is told", () -> older.exclusion().isPresent());
        BuiltInGroups.await("it is logged", () -> !errors.isEmpty());

        assertThat(older.exclusion().orElseThrow())
            .contains(older.self().toString(), later.self().toString(), "later incarnation");
        assertThat(errors).containsExactly(older.exclusion().orElseThrow());
        assertThat(later.exclusion()).isEmpty();
        assertThat(steady.exclusion()).isEmpty();
        BuiltInGroups.await(
            "the later one takes its place", () -> steady.view().contains(later.self().id()));
        assertThat(steady.view().contains(older.self().id())).isFalse();
      }
    }
  }

  @Test
  void membersWithoutACommonVersionRefuseEachOtherAndSaySo() {
    BuiltInGroups groups = new BuiltInGroups();
    List<String> errors = new CopyOnWriteArrayList<>();
    try (Group one = groups.open(groups.options("one"));
        Group two = groups.open(groups.options("two"));
        LoggedErrors _ = LoggedErrors.of(Exclusion.class, errors)) {
      BuiltInGroups.await("they meet", () -> one.view().members().size() == 2);
      int[] beyond = {Group.PROTOCOL_VERSION + 1, Group.PROTOCOL_VERSION_LEAST - 1};
      for (int version : beyond) {
        GroupOptions options =
            groups
                .options("of version " + version)
                .withProtocol(new ProtocolVersions(version, version));
        try (Group other = Groups.open(options)) {
          BuiltInGroups.await("it is refused", () -> other.exclusion().isPresent());

          assertThat(other.exclusion().orElseThrow())
              .contains(
                  other.self().toString(),
                  "understands version " + version,
                  "version "
                      + (version > Group.PROTOCOL_VERSION
                          ? Group.PROTOCOL_VERSION
                          : Group.PROTOCOL_VERSION_LEAST));
          assertThat(other.counters().incompatible()).isPositive();
          assertThat(other.view().members()).containsExactly(other.self());
          BuiltInGroups.await(
              "both sides have logged it",
              () ->
                  errors.contains(other.exclusion().orElseThrow())
                      && errors.stream().anyMatch(text -> text.contains("it is not let in")));
          errors.clear();
        }
      }
      assertThat(one.counters().incompatible() + two.counters().incompatible()).isPositive();
      assertThat(one.exclusion()).isEmpty();
      assertThat(two.exclusion()).isEmpty();
      assertThat(one.view().members()).hasSize(2);
    }
  }

  @Test
  void membersOfTwoVersionsAreOneGroupThatRisesWhenTheLastOldOneHasLeft() {
    BuiltInGroups groups = new BuiltInGroups();
    List<String> told = new CopyOnWriteArrayList<>();
    try (LoggedErrors _ = LoggedErrors.of(SpokenVersion.class, Level.INFO, told);
        Group one = groups.open(groups.options("one"));
        Group two = groups.open(groups.options("two"))) {
      try (Group old = groups.open(groups.options("old").withProtocolVersionMax(3))) {
        AtomicInteger received = new AtomicInteger();
        old.subscribe(CHANNEL, (from, message) -> received.incrementAndGet());
        one.subscribe(CHANNEL, (from, message) -> received.incrementAndGet());
        BuiltInGroups.await(
            "they meet",
            () ->
                List.of(old, one, two).stream()
                    .allMatch(group -> group.view().members().size() == 3));
        BuiltInGroups.await(
            "all know what each understands",
            () ->
                two.protocol().with(one.self()) == 4
                    && one.protocol().with(two.self()) == 4
                    && old.protocol().leastOfOthers() == 4);
        assertThat(two.protocol().toAll()).isEqualTo(3);
        assertThat(two.protocol().with(old.self())).isEqualTo(3);
        two.multicast(CHANNEL, ByteBuffer.wrap(new byte[] {1}));
        BuiltInGroups.await("both hear two", () -> received.get() == 2);
        assertThat(old.counters().incompatible()).isZero();
        assertThat(old.exclusion()).isEmpty();
        told.clear();
      }

      BuiltInGroups.await(
          "both speak version 4", () -> one.protocol().toAll() == 4 && two.protocol().toAll() == 4);
      BuiltInGroups.await(
          "it is logged",
          () ->
              told.contains(
                  "Group member %s speaks version 4 of the protocol to all from now on, before it was 3: all members of its view understand it"
                      .formatted(two.self())));
      assertThat(one.counters().incompatible() + two.counters().incompatible()).isZero();
    }
  }

  /** The system's clocks, the wall clock being behind. */
  private record EarlierClock(long nanos) implements TimeSource {
    @Override
    public long epochNanos() {
      return TimeSource.system().epochNanos() - nanos;
    }

    @Override
    public long elapsedNanos() {
      return TimeSource.system().elapsedNanos();
    }
  }
}
