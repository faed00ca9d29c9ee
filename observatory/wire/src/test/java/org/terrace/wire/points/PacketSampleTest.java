package org.terrace.wire.points;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;
import org.terrace.wire.packet.PacketParser;

/** Samples of more packets than fit, and of bytes that are no packets. */
class PacketSampleTest {
  private static final int ETHERNET = 1;

  private static SeenPacket packet(int number) {
    return new SeenPacket(
        TwoPoints.NEAR, TwoPoints.FAR, 40_000 << 16 | 80, number * 10, 7, 0x10, 10, number);
  }

  private static void add(PacketSample sample, SeenPacket packet, long number, long timeNanos) {
    PacketParser parser = new PacketParser();
    byte[] bytes = packet.bytes();
    parser.parse(bytes, 0, bytes.length, bytes.length, ETHERNET);
    PacketMark mark = new PacketMark();
    mark.fill(parser, bytes);
    sample.add(mark, number, timeNanos);
  }

  @Test
  void samplesOfOtherSizesShareWhatTheSmallerHolds() {
    PacketSample large = new PacketSample(50_000);
    PacketSample small = new PacketSample(1_000);
    for (int i = 1; i <= 20_000; i++) {
      add(large, packet(i), i, i * 1_000_000L);
      add(small, packet(i), i + 7, i * 1_000_000L + 5);
    }

    assertThat(large.size()).isEqualTo(20_000);
    assertThat(small.size()).isBetween(300, 999);
    for (SharedPackets shared :
        List.of(
            large.sharedWith(small, PieceClock.REFERENCE),
            small.sharedWith(large, PieceClock.REFERENCE))) {
      assertThat(shared.size()).isEqualTo(small.size());
    }
    SharedPackets shared = large.sharedWith(small, PieceClock.REFERENCE);
    for (int at = 0; at < shared.size(); at++) {
      assertThat(shared.leadNanos(at)).isEqualTo(5);
      assertThat(shared.timeNanos(at)).isEqualTo(shared.number(at) * 1_000_000L);
      assertThat(at == 0 || shared.number(at) > shared.number(at - 1)).isTrue();
    }
  }

  @Test
  void whatWasSentTwiceIsNotComparedThoughOnePointMissedOneOfThem() {
    PacketSample near = new PacketSample(100);
    PacketSample far = new PacketSample(100);
    SeenPacket first = packet(1);
    SeenPacket again =
        new SeenPacket(
            first.source(),
            first.destination(),
            first.ports(),
            first.sequence(),
            first.acknowledgement(),
            first.flags(),
            first.payload(),
            99);
    add(near, first, 1, 0);
    add(near, again, 2, 300_000);
    add(far, again, 1, 300_100);
    add(near, packet(2), 3, 400_000);
    add(far, packet(2), 2, 400_100);

    assertThat(far.sharedWith(near, PieceClock.REFERENCE).size()).isEqualTo(1);
  }

  @Test
  void aTransmissionThatIsLikeTheFirstInEverythingIsNotTakenForIt() {
    PacketSample near = new PacketSample(100);
    PacketSample far = new PacketSample(100);
    add(near, packet(1), 1, 0);
    add(near, packet(1), 2, 300_000_000);
    add(far, packet(1), 1, 300_070_000);

    assertThat(far.sharedWith(near, PieceClock.REFERENCE).size()).isZero();
    assertThat(near.sharedWith(far, PieceClock.REFERENCE).size()).isZero();
  }

  @Test
  void aCopyOfAPacketInTheSameCaptureIsNoRetransmission() {
    PacketSample near = new PacketSample(100);
    PacketSample far = new PacketSample(100);
    add(near, packet(1), 1, 0);
    add(near, packet(1), 2, 5_000);
    add(far, packet(1), 1, 70_000);

    SharedPackets shared = far.sharedWith(near, PieceClock.REFERENCE);
    assertThat(shared.size()).isEqualTo(1);
    assertThat(shared.leadNanos(0)).isEqualTo(-70_000);
  }

  @Test
  void anyBytesThatPassForPacketsAreTaken() {
    RandomGenerator random = Seeds.generator(Seeds.next("any bytes"));
    PointScan one = new PointScan(2);
    PointScan other = new PointScan(2);
    PacketParser parser = new PacketParser();
    List<byte[]> known = new ArrayList<>();
    int taken = 0;
    for (int i = 1; i <= 20_000; i++) {
      byte[] bytes =
          i % 3 == 0 && !known.isEmpty()
              ? known.get(random.nextInt(known.size())).clone()
              : packet(i).bytes();
      known.add(bytes.clone());
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      int captured = random.nextInt(bytes.length + 1);
      if (parser.parse(bytes, 0, captured, bytes.length, ETHERNET) == PacketParser.Kind.TCP) {
        taken++;
        PointScan scan = random.nextBoolean() ? one : other;
        long timeNanos = random.nextLong();
        scan.packet(i, timeNanos);
        scan.tcp(parser, bytes, i, timeNanos);
      }
    }
    assertThat(taken).isGreaterThan(1_000);
    PointPair.of(one, other, PieceClock.REFERENCE, 0);
  }
}
