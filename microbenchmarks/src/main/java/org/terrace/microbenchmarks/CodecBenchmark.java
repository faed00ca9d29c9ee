package org.terrace.microbenchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.FieldNumber;
import org.terrace.core.codec.RecordCodec;

/** Time of the record codec on an order of three lines: to bytes, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
  /** A line of an order. */
  public record Line(
      @FieldNumber(1) String product,
      @FieldNumber(2) int pieces,
      @FieldNumber(3) long priceCents) {}

  /** An order of a shop. */
  public record Order(
      @FieldNumber(1) long number,
      @FieldNumber(2) String customer,
      @FieldNumber(3) boolean paid,
      @FieldNumber(4) List<Line> lines) {}

  private final RecordCodec<Order> codec = RecordCodec.of(Order.class);
  private final Encoder encoder = new Encoder();
  private final Order order =
      new Order(
          1_234_567,
          "anna.muster@shop.test",
          true,
          List.of(
              new Line("EST-6", 2, 1_850), new Line("K9-RT-01", 1, 25_000), new Line("FI", 9, 1)));
  private final byte[] encoded = encodeAnew();

  /** Writes the order into an encoder that is used again and again. */
  @Benchmark
  public int encode() {
    encoder.clear();
    codec.encode(order, encoder);
    return encoder.length();
  }

  /** Reads the order from its bytes. */
  @Benchmark
  public Order decode() {
    Order decoded = codec.decode(new Decoder(encoded));
    if (decoded.number() != order.number()) {
      throw new IllegalStateException("decoded " + decoded);
    }
    return decoded;
  }

  private byte[] encodeAnew() {
    Encoder out = new Encoder();
    codec.encode(order, out);
    return out.toBytes();
  }
}
