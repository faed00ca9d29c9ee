package org.terrace.nodes.fault;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The text of faults as a specification has it, from which a reader makes the same fault again.
 * Stateless.
 */
public final class FaultText {
  private static final int KIBIBYTE_SHIFT = 10;

  /** Units of time, the largest first. */
  private static final List<Map.Entry<String, Long>> UNIT_NANOS =
      List.of(
          Map.entry("h", 3_600_000_000_000L),
          Map.entry("m", 60_000_000_000L),
          Map.entry("s", 1_000_000_000L),
          Map.entry("ms", 1_000_000L));

  private FaultText() {}

  /** An entry of {@code faults}, for example <code>{pause: app1, at: 3s, for: 200ms}</code>. */
  public static String of(Fault fault) {
    List<String> fields = new ArrayList<>();
    boolean ofUsers = fault instanceof Fault.Burst;
    fields.add(fault.word() + ": " + (ofUsers ? "" : fault.server()));
    fields.add("at: " + duration(fault.schedule().at()));
    switch (fault) {
      case Fault.Kill kill ->
          kill.restart().ifPresent(after -> fields.add("restart: " + duration(after)));
      case Fault.Checkpoint checkpoint -> fields.add("dirty: " + bytes(checkpoint.dirtyBytes()));
      default -> fault.length().ifPresent(length -> fields.add("for: " + duration(length)));
    }
    switch (fault) {
      case Fault.GarbagePressure pressure -> fields.add("live: " + number(pressure.livePart()));
      case Fault.MemoryPressure pressure -> fields.add("share: " + number(pressure.share()));
      case Fault.SlowDisk slow -> fields.add("rate: " + bytes(slow.bytesPerSecond()));
      case Fault.Network network -> addEffect(network.effect(), fields);
      case Fault.Burst burst -> fields.set(0, "burst: " + number(burst.factor()));
      default -> {
        // Its length says all.
      }
    }
    if (fault.schedule().count() > 1) {
      fields.add("every: " + duration(fault.schedule().every()));
      fields.add("count: " + fault.schedule().count());
    }
    return "{" + String.join(", ", fields) + "}";
  }

  /** The entries of several, in the order in which they begin. */
  public static List<String> ofAll(List<Fault> faults) {
    return faults.stream()
        .sorted(Comparator.comparing(fault -> fault.schedule().at()))
        .map(FaultText::of)
        .toList();
  }

  private static void addEffect(NetworkEffect effect, List<String> fields) {
    switch (effect) {
      case NetworkEffect.Cut _ -> {
        // All packets, whose share needs not be said.
      }
      case NetworkEffect.Loss(double share) -> fields.add("share: " + number(share));
      case NetworkEffect.Bandwidth(long rate) -> fields.add("rate: " + bytes(rate));
      case NetworkEffect.Delay(Duration by, Duration jitter) -> {
        fields.add("by: " + duration(by));
        if (!jitter.isZero()) {
          fields.add("jitter: " + duration(jitter));
        }
      }
    }
  }

  /** The text of a duration, in the largest unit that leaves no fraction; in microseconds else. */
  public static String duration(Duration duration) {
    long nanos = duration.toNanos();
    for (Map.Entry<String, Long> unit : UNIT_NANOS) {
      if (nanos >= unit.getValue() && nanos % unit.getValue() == 0) {
        return nanos / unit.getValue() + unit.getKey();
      }
    }
    return nanos == 0 ? "0s" : nanos / 1_000 + "us";
  }

  private static String bytes(long bytes) {
    for (int shift = 3 * KIBIBYTE_SHIFT; shift > KIBIBYTE_SHIFT; shift -= KIBIBYTE_SHIFT) {
      if (bytes > 0 && bytes % (1L << shift) == 0) {
        return (bytes >> shift) + (shift == 3 * KIBIBYTE_SHIFT ? "g" : "m");
      }
    }
    return (bytes >> KIBIBYTE_SHIFT) + "k";
  }

  private static String number(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
