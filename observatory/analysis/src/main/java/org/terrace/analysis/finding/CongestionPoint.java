package org.terrace.analysis.finding;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The congestion point N*: the load beyond which a server's throughput grows no more, because of
 * that server itself. Immutable.
 *
 * @param identifiable whether the data can tell; when false, {@code load}, {@code low} and {@code
 *     high} are null
 * @param load the robust estimate, in concurrent requests
 * @param low the lower end of its 95 % interval by bootstrap, with {@code plateau} widened to the
 *     estimates at neighbouring window lengths that agree with it; with {@code order} and {@code
 *     quota} of a range of plausible values, which holds N* in no known part of observations
 * @param high the upper end of that interval or range
 * @param maximumLoadSeen the highest load of any window
 * @param asPublished the estimate by equations 1 and 2 of Wang et al. (2013) as printed; null where
 *     their rule never fires
 * @param scales the robust estimate at every window length that was tried
 * @param capacityPerSecond the throughput at and beyond N*, in work units a second (one unit is an
 *     average request); null when N* is not identifiable
 * @param congestedShare the share of windows whose load exceeds N* though the server waited for no
 *     other, 0 to 1; null when N* is not identifiable
 * @param reason why N* is not identifiable, in a sentence; null when it is
 * @param basis {@code order} where answers overtake no more older requests than that, {@code quota}
 *     where the capacity is that of periods that a quota cut short, {@code plateau} where
 *     throughput was seen to grow no more, {@code drains} where the capacity is that at which the
 *     server worked off what pauses and bursts left; null when N* is not identifiable, and in files
 *     that are older than this field
 * @param windowMillis the window length of the estimate, which is not that of the series where a
 *     quota works in longer periods; null in files that are older than this field
 * @param change how the capacity changed in time, in a sentence; null where it did not
 */
public record CongestionPoint(
    boolean identifiable,
    @Nullable Double load,
    @Nullable Double low,
    @Nullable Double high,
    double maximumLoadSeen,
    @Nullable Double asPublished,
    List<Scale> scales,
    @Nullable Double capacityPerSecond,
    @Nullable Double congestedShare,
    @Nullable String reason,
    @Nullable String basis,
    @Nullable Integer windowMillis,
    @Nullable String change)
    implements Serializable {

  /** The basis of an estimate from the bend of throughput over load. */
  public static final String PLATEAU = "plateau";

  /** The basis of an estimate from how many older requests answers overtake. */
  public static final String ORDER = "order";

  /** The basis of an estimate from the periods that a quota cut short. */
  public static final String QUOTA = "quota";

  /** The basis of an estimate from the pace at which a backlog was worked off. */
  public static final String DRAINS = "drains";

  /** Copies the scales. */
  public CongestionPoint {
    scales = List.copyOf(scales);
  }

  /** The robust estimate of N* at one window length; null where that length cannot tell. */
  public record Scale(
      int millis, @Nullable Double load, @Nullable Double low, @Nullable Double high)
      implements Serializable {}
}
