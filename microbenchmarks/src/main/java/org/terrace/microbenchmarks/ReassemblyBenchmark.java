package org.terrace.microbenchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Moment;

/** Time of parsing and reassembling a whole capture of web traffic, with nobody decoding it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ReassemblyBenchmark {
  /** Whether packets come in order, or neighbours of one stream the wrong way round. */
  @Param({"ordered", "swapped"})
  String packets = "";

  private Packets capture = Packets.of(BoardTraffic.http());
  private long expectedBytes;

  /** Counts the bytes that both sides say in an ordered capture. */
  @Setup
  public void count() {
    expectedBytes = bytesOf(capture);
    if (packets.equals("swapped")) {
      capture = capture.swapped();
    }
  }

  /** One capture of {@link BoardTraffic#CONNECTIONS} connections. */
  @Benchmark
  public long reassemble() {
    long bytes = bytesOf(capture);
    if (bytes != expectedBytes) {
      throw new IllegalStateException(bytes + " bytes were reassembled, not " + expectedBytes);
    }
    return bytes;
  }

  private static long bytesOf(Packets packets) {
    Total total = new Total();
    packets.reassemble(connection -> total);
    return total.bytes;
  }

  /** Adds up the bytes of all conversations. */
  private static final class Total implements Conversation {
    private long bytes;

    @Override
    public void data(int direction, byte[] data, int from, int to, Moment moment) {
      bytes += to - from;
    }

    @Override
    public void missing(int direction, long byteCount, Moment moment) {
      throw new IllegalStateException(byteCount + " bytes are missing in a whole capture");
    }

    @Override
    public void finished(int direction, Moment moment) {}

    @Override
    public void end(Ending ending, Moment moment) {}
  }
}
