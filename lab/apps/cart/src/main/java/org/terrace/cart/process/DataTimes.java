package org.terrace.cart.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.terrace.core.TimeSource;

/**
 * The time that a server's calls spent with their data, sampled in every quarter of a second, so
 * that each measurement can pick the quarters that belong to it. Every call of a quarter has the
 * same chance to be in its sample (Vitter's algorithm R).
 *
 * <p>Thread-safe; memory is bounded by {@link #SLOTS_MAX} slots of twice {@link #SAMPLES_MAX}.
 */
public final class DataTimes {
  /** The length of a slot, in milliseconds. */
  public static final int SLOT_MILLIS = 250;

  /** Most slots kept, an hour; what comes later is counted as dropped. */
  static final int SLOTS_MAX = 14_400;

  /** Most samples of a slot, of reads and of updates each. */
  static final int SAMPLES_MAX = 512;

  private static final int SAMPLES_FIRST = 16;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A sample of the calls of a slot, or of those of one kind. */
  private static final class Sample {
    private long calls;
    private long[] nanos = new long[SAMPLES_FIRST];

    void add(long elapsedNanos, RandomGenerator random) {
      calls++;
      long place = calls <= SAMPLES_MAX ? calls - 1 : random.nextLong(calls);
      if (place >= SAMPLES_MAX) {
        return;
      }
      if (place == nanos.length) {
        nanos = Arrays.copyOf(nanos, Math.min(SAMPLES_MAX, 2 * nanos.length));
      }
      nanos[(int) place] = elapsedNanos;
    }

    String values() {
      return Arrays.toString(Arrays.copyOf(nanos, (int) Math.min(SAMPLES_MAX, calls)));
    }
  }

  /** One slot. */
  private static final class Slot {
    private final Sample reads = new Sample();
    private final Sample updates = new Sample();

    String toJson(long slot) {
      return """
      {"startMillis": %d, "reads": %d, "updates": %d, "readNanos": %s, "updateNanos": %s}\
      """
          .formatted(
              slot * SLOT_MILLIS, reads.calls, updates.calls, reads.values(), updates.values());
    }
  }

  private final TimeSource time = TimeSource.system();
  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(SLOTS_MAX);
  private final TreeMap<Long, Slot> slots = new TreeMap<>();
  private long dropped;

  /** Takes note of a call that ends now. */
  public synchronized void add(boolean isUpdate, long elapsedNanos) {
    long number = time.epochNanos() / NANOS_PER_MILLI / SLOT_MILLIS;
    Slot slot = slots.get(number);
    if (slot == null) {
      if (slots.size() == SLOTS_MAX) {
        dropped++;
        return;
      }
      slot = new Slot();
      slots.put(number, slot);
    }
    (isUpdate ? slot.updates : slot.reads).add(elapsedNanos, random);
  }

  /** Writes a line of JSON for each slot; the last line tells how many calls were dropped. */
  public synchronized void write(Path file) {
    List<String> lines = new ArrayList<>();
    slots.forEach((number, slot) -> lines.add(slot.toJson(number)));
    lines.add("{\"dropped\": " + dropped + "}");
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      Files.write(part, lines);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
