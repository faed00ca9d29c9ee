package org.terrace.nodes.monitor;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import org.terrace.observation.Sample;

/**
 * The samples of a watch, in columns: {@value #SAMPLE_BYTES} bytes each, as an agent that keeps an
 * hour of them has a small heap. Those that find no room are counted. Thread-safe.
 */
public final class KeptSamples {
  /** The bytes of a time, a value and a number of a series. */
  static final int SAMPLE_BYTES = Long.BYTES + Double.BYTES + Integer.BYTES;

  /** The bytes of the first sample of a resource of a node, beside those of its names. */
  static final int SERIES_BYTES = 256;

  private static final int PIECE = 4_096;

  private final ReadingRoom room;
  private final Map<Series, Integer> numbers = new HashMap<>();
  private final List<Series> series = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private int size;
  private long leftOut;

  private record Series(String node, String resource) {
    long bytes() {
      return (long) SERIES_BYTES + node.length() + resource.length();
    }
  }

  /** Samples in columns, which are filled from the beginning. */
  private static final class Piece {
    private final int[] series = new int[PIECE];
    private final long[] times = new long[PIECE];
    private final double[] values = new double[PIECE];
  }

  /** No samples yet, for which there is some room. */
  public KeptSamples(ReadingRoom room) {
    this.room = room;
  }

  /** Keeps a sample, or counts it where there is no room. */
  public synchronized void add(Sample sample) {
    Series of = new Series(sample.node(), sample.resource());
    Integer known = numbers.get(of);
    if (!room.take(SAMPLE_BYTES + (known == null ? of.bytes() : 0))) {
      leftOut++;
      return;
    }
    int number = Objects.requireNonNullElse(known, series.size());
    if (known == null) {
      numbers.put(of, number);
      series.add(of);
    }
    int at = size % PIECE;
    if (at == 0) {
      pieces.add(new Piece());
    }
    Piece piece = pieces.getLast();
    piece.series[at] = number;
    piece.times[at] = sample.timeNanos();
    piece.values[at] = sample.value();
    size++;
  }

  /** The samples so far, in a list that does not change and makes each when it is asked for. */
  public synchronized List<Sample> list() {
    return new View(List.copyOf(series), List.copyOf(pieces), size);
  }

  /** Forgets all samples; lists of them stay as they are. */
  public synchronized void clear() {
    numbers.clear();
    series.clear();
    pieces.clear();
    size = 0;
  }

  /** The number of samples for which there was no room. */
  public synchronized long leftOut() {
    return leftOut;
  }

  /** The samples at one moment. What is kept after it lies behind them in the same columns. */
  private static final class View extends AbstractList<Sample> implements RandomAccess {
    private final List<Series> series;
    private final List<Piece> pieces;
    private final int size;

    View(List<Series> series, List<Piece> pieces, int size) {
      this.series = series;
      this.pieces = pieces;
      this.size = size;
    }

    @Override
    public Sample get(int index) {
      Piece piece = pieces.get(Objects.checkIndex(index, size) / PIECE);
      int at = index % PIECE;
      Series of = series.get(piece.series[at]);
      return new Sample(of.node(), of.resource(), piece.times[at], piece.values[at]);
    }

    @Override
    public int size() {
      return size;
    }
  }
}
