package org.terrace.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.testing.Seeds;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.packet.PacketParser;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;

/** Reassembly against a simple model: an array of bytes and the set of those that were captured. */
class ReassemblyTest {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final int CASES = 3_000;

  private record Piece(int from, int to) {}

  @Test
  void everyOrderOverlapAndLossGivesTheCapturedBytesAndCountsTheOthers() {
    long seed = Seeds.next("reassembly");
    RandomGenerator seeds = Seeds.generator(seed);
    for (int i = 0; i < CASES; i++) {
      long caseSeed = seeds.nextLong();
      try {
        check(Seeds.generator(caseSeed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("case " + i + " of seed " + seed, e);
      }
    }
  }

  private static void check(RandomGenerator random) {
    byte[] stream = new byte[random.nextInt(1, 5_000)];
    random.nextBytes(stream);
    List<Piece> pieces = pieces(random, stream.length);
    double lossShare = random.nextBoolean() ? 0 : random.nextDouble(0.3);
    boolean fromClient = random.nextBoolean();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BitSet captured = new BitSet();
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    connection.open(START);
    long time = START + 1_000_000;
    int first = connection.sequence(fromClient);
    for (Piece piece : pieces) {
      if (random.nextDouble() >= lossShare) {
        time += 10_000_000;
        connection.segment(
            fromClient,
            time,
            TcpCapture.ACK,
            first + piece.from,
            connection.sequence(!fromClient),
            stream,
            piece.from,
            piece.to);
        captured.set(piece.from, piece.to);
      }
    }
    connection.lose(fromClient, stream.length);
    connection.acknowledge(!fromClient, time + 10_000_000);
    connection.close(time + 20_000_000);

    Recorder recorder = read(bytes.toByteArray());

    int direction = recorder.clientDirection == 0 == fromClient ? 0 : 1;
    recorder.assertDelivered(direction, stream, captured);
    assertThat(recorder.endings).containsExactly(Conversation.Ending.CLOSED);
    assertThat(recorder.counters.of(WireCount.GAP_BYTES))
        .isEqualTo(stream.length - captured.cardinality());
  }

  /**
   * Pieces that cover the stream, some overlapping, some twice, in a disorder that may be large.
   */
  private static List<Piece> pieces(RandomGenerator random, int length) {
    List<Piece> pieces = new ArrayList<>();
    // Fewer than the segments that are held, so that none is given up early.
    int sizeMax = random.nextInt(2 + length / 250, 1_000);
    for (int from = 0; from < length; ) {
      int to = Math.min(length, from + random.nextInt(1, sizeMax + 1));
      int overlap = random.nextInt(4) == 0 ? random.nextInt(Math.min(from, 300) + 1) : 0;
      pieces.add(new Piece(from - overlap, to));
      if (random.nextInt(8) == 0) {
        pieces.add(new Piece(from, to));
      }
      from = to;
    }
    int swaps = random.nextBoolean() ? random.nextInt(pieces.size() * 2) : 0;
    for (int i = 0; i < swaps; i++) {
      int at = random.nextInt(pieces.size());
      int other = Math.min(pieces.size() - 1, at + random.nextInt(8));
      pieces.set(at, pieces.set(other, pieces.get(at)));
    }
    return pieces;
  }

  @Test
  void limitOnBuffersMakesAGapAndReadingGoesOn() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    connection.open(START);
    connection.lose(true, 100);
    byte[] data = new byte[100_000];
    connection.send(true, START + 1_000, data);

    Recorder recorder = read(bytes.toByteArray(), new TcpLimits(16, 10_000, 10_000, 1L << 60));

    assertThat(recorder.counters.of(WireCount.GAPS)).isEqualTo(1);
    assertThat(recorder.counters.of(WireCount.GAP_BYTES)).isEqualTo(100);
    assertThat(recorder.counters.of(WireCount.REORDERED_SEGMENTS)).isLessThan(10);
  }

  @Test
  void copiesOfPacketsCountOnce() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TcpCapture capture = TcpCapture.inMemory(bytes);
    TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
    connection.open(START);
    connection.send(true, START + 1_000, "hello");
    connection.close(START + 2_000);
    byte[] once = bytes.toByteArray();
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    twice.write(once, 0, 24);
    int at = 24;
    while (at < once.length) {
      int length = 16 + (once[at + 8] & 0xff) + ((once[at + 9] & 0xff) << 8);
      twice.write(once, at, length);
      twice.write(once, at, length);
      at += length;
    }

    Recorder recorder = read(twice.toByteArray());

    assertThat(recorder.counters.of(WireCount.DUPLICATE_PACKETS)).isEqualTo(7);
    assertThat(recorder.counters.of(WireCount.RETRANSMITTED_SEGMENTS)).isZero();
    assertThat(recorder.counters.of(WireCount.CONNECTIONS)).isEqualTo(1);
  }

  @Test
  void portUsedAgainIsAnotherConnectionAndSilentOnesAreForgotten() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TcpCapture capture = TcpCapture.inMemory(bytes);
    for (int i = 0; i < 3; i++) {
      TcpCapture.Connection connection = capture.connection("127.0.9.1", 40_000, "127.0.2.1", 8080);
      if (i == 2) {
        connection.lose(true, 1_000_000);
      }
      connection.open(START + i * 1_000_000L);
      connection.send(true, START + i * 1_000_000L + 1_000, "hello");
      if (i == 0) {
        connection.close(START + 2_000);
      }
    }
    TcpCapture.Connection later = capture.connection("127.0.9.1", 40_001, "127.0.2.1", 8080);
    later.open(START + 100_000_000_000L);

    Recorder recorder = read(bytes.toByteArray(), new TcpLimits(16, 1, 1, 60_000_000_000L));

    assertThat(recorder.counters.of(WireCount.CONNECTIONS)).isEqualTo(4);
    assertThat(recorder.endings)
        .containsExactly(
            Conversation.Ending.CLOSED, Conversation.Ending.REPLACED, Conversation.Ending.EVICTED);
    assertThat(recorder.silentEndings).containsExactly(Conversation.Ending.CAPTURE_ENDED);
  }

  private static Recorder read(byte[] capture) {
    return read(capture, new TcpLimits(16, 1 << 20, 1 << 20, 1L << 60));
  }

  private static Recorder read(byte[] capture, TcpLimits limits) {
    Recorder recorder = new Recorder();
    Counters counters = recorder.counters;
    Reassembler reassembler = new Reassembler(limits, counters, new TrafficTable(), recorder);
    PacketStream packets =
        new PacketStream("test", new ByteArrayInputStream(capture), 1, counters, new HostNames());
    PacketParser parser = new PacketParser();
    Moment moment = new Moment();
    while (packets.next()) {
      PacketParser.Kind kind =
          parser.parse(
              packets.bytes(),
              packets.offset(),
              packets.capturedBytes(),
              packets.wireBytes(),
              packets.linkType());
      assertThat(kind).isEqualTo(PacketParser.Kind.TCP);
      moment.set(packets.timeNanos(), packets.number());
      reassembler.packet(parser, packets.bytes(), packets.wireBytes(), moment);
    }
    reassembler.end();
    return recorder;
  }

  /** Writes down what it is told, at the place in the stream where it is told. */
  private static final class Recorder implements Conversation, Conversations {
    private final Counters counters = new Counters();
    private final byte[][] delivered = {new byte[8_192], new byte[8_192]};
    private final BitSet[] present = {new BitSet(), new BitSet()};
    private final int[] length = new int[2];
    private final List<Ending> endings = new ArrayList<>();
    private final List<Ending> silentEndings = new ArrayList<>();
    private int clientDirection;

    @Override
    public Conversation open(Connection connection) {
      clientDirection = connection.openerDirection();
      return this;
    }

    @Override
    public void endedWithoutData(Connection connection, Ending ending) {
      silentEndings.add(ending);
    }

    @Override
    public void data(int direction, byte[] bytes, int from, int to, Moment moment) {
      int at = length[direction];
      if (at + to - from > delivered[direction].length) {
        delivered[direction] = Arrays.copyOf(delivered[direction], (at + to - from) * 2);
      }
      System.arraycopy(bytes, from, delivered[direction], at, to - from);
      present[direction].set(at, at + to - from);
      length[direction] = at + to - from;
    }

    @Override
    public void missing(int direction, long byteCount, Moment moment) {
      length[direction] += (int) byteCount;
    }

    @Override
    public void finished(int direction, Moment moment) {}

    @Override
    public void end(Ending ending, Moment moment) {
      endings.add(ending);
    }

    void assertDelivered(int direction, byte[] stream, BitSet captured) {
      assertThat(length[direction]).isEqualTo(stream.length);
      assertThat(present[direction].equals(captured)).as("the captured bytes").isTrue();
      byte[] expected = new byte[stream.length];
      for (int i = captured.nextSetBit(0); i >= 0; i = captured.nextSetBit(i + 1)) {
        expected[i] = stream[i];
      }
      assertThat(Arrays.copyOf(delivered[direction], stream.length)).isEqualTo(expected);
    }
  }
}
