package org.terrace.details;

import java.io.Serializable;
import java.util.Arrays;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;

/**
 * The requests of one server in cells of {@value DelayReplay#CELL_MILLIS} ms: how many were there
 * at first, and how many came and ended in each. All that {@link DelayRanking} needs of them, in
 * about two bytes a cell. Immutable; its serialized form is for programs of one version.
 */
public final class DelayCells implements Serializable {
  private static final long serialVersionUID = 1;

  private final int cells;
  private final int presentAtFirst;

  /** The numbers of requests that came and that ended in each cell in turn, of varying length. */
  private final byte[] counts;

  private DelayCells(int presentAtFirst, int[] came, int[] ended) {
    cells = came.length;
    this.presentAtFirst = presentAtFirst;
    Encoder encoder = new Encoder();
    for (int i = 0; i < cells; i++) {
      encoder.putUnsigned(came[i]);
      encoder.putUnsigned(ended[i]);
    }
    counts = encoder.toBytes();
  }

  /** Counts requests as they are read, in any order. Confined to one thread. */
  public static final class Tally {
    private final long startNanos;
    private final int[] came;
    private final int[] ended;
    private int presentAtFirst;

    /** Counts those of a stretch of time, since the Unix epoch. */
    public Tally(long startNanos, long endNanos) {
      this.startNanos = startNanos;
      came = new int[of(startNanos, endNanos)];
      ended = new int[came.length];
    }

    /** Counts a request; those that may wait by their client's own wish are not to be. */
    public void add(long arrivalNanos, long departureNanos) {
      long arrived = arrivalNanos - startNanos;
      long departed = departureNanos - startNanos;
      long end = came.length * DelayReplay.CELL_NANOS;
      if (departed >= 0 && arrived < end) {
        if (arrived < 0) {
          presentAtFirst++;
        } else {
          came[(int) (arrived / DelayReplay.CELL_NANOS)]++;
        }
        if (departed < end) {
          ended[(int) (departed / DelayReplay.CELL_NANOS)]++;
        }
      }
    }

    /** The cells of what was counted so far. */
    public DelayCells cells() {
      return new DelayCells(presentAtFirst, came, ended);
    }
  }

  /** The whole cells of a stretch of time. */
  static int of(long startNanos, long endNanos) {
    return (int) (Math.max(0, endNanos - startNanos) / DelayReplay.CELL_NANOS);
  }

  /** The replay of these requests, of whom it is told when they were held up. */
  DelayReplay replay(boolean[] stalled, boolean[] slow) {
    Decoder decoder = new Decoder(counts);
    double[] came = new double[cells];
    int[] ended = new int[cells];
    for (int i = 0; i < cells; i++) {
      came[i] = decoder.getUnsigned();
      ended[i] = (int) decoder.getUnsigned();
    }
    return new DelayReplay(presentAtFirst, came, ended, stalled, slow);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DelayCells that
        && presentAtFirst == that.presentAtFirst
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }
}
