package org.terrace.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.file.CaptureSecrets;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketClock;
import org.terrace.wire.points.CaptureRelation;
import org.terrace.wire.points.PointScan;
import org.terrace.wire.statistics.Counters;

/**
 * Files of which nothing is said and that seem to be parts of one recording: they are read as such
 * in the order of their first packets, and compared with each other meanwhile, so that parts are
 * read once. Confined to one thread.
 */
public final class CaptureParts implements CaptureSource {
  /** Packets of a file within which it is seen to go on beside the next one, if it does. */
  private static final int PACKETS_LOOKED_AT = 100_000;

  private final List<FileSource> files;
  private final List<PointScan> scans = new ArrayList<>();

  private CaptureParts(List<FileSource> files) {
    this.files = files;
  }

  /** A file with the time of its first packet; the greatest long where it has none. */
  private record Begun(FileSource file, long timeNanos) {}

  /**
   * Files that begin one after the other, each after the beginning of the one before it.
   *
   * @param files at least two
   * @return null when a file goes on beside the next one, so that they are no parts
   * @throws org.terrace.core.TerraceException when a file cannot be read
   */
  public static @Nullable CaptureParts of(List<FileSource> files) {
    List<Begun> order = new ArrayList<>();
    for (FileSource file : files) {
      try (PointPackets packets = opened(file)) {
        order.add(new Begun(file, packets.next() ? packets.timeNanos() : Long.MAX_VALUE));
      }
    }
    order.sort(Comparator.comparingLong(Begun::timeNanos));
    for (int at = 0; at + 1 < order.size(); at++) {
      if (reaches(order.get(at).file(), order.get(at + 1).timeNanos())) {
        return null;
      }
    }
    return new CaptureParts(order.stream().map(Begun::file).toList());
  }

  private static boolean reaches(FileSource file, long timeNanos) {
    try (PointPackets packets = opened(file)) {
      for (int left = PACKETS_LOOKED_AT; left > 0 && packets.next(); left--) {
        if (packets.timeNanos() > timeNanos) {
          return true;
        }
      }
    }
    return false;
  }

  private static PointPackets opened(FileSource file) {
    return new PointPackets(
        List.of(file), PacketClock.RAW, 0, 1, new Counters(), new HostNames(), CaptureSecrets.NONE);
  }

  @Override
  public String name() {
    return files.stream().map(FileSource::name).collect(Collectors.joining(", "));
  }

  /** The files in the order in which they are read. */
  public List<FileSource> files() {
    return files;
  }

  /** The first reading of the next file, to be filled while its packets are taken. */
  PointScan nextScan() {
    PointScan scan = new PointScan(files.size());
    scans.add(scan);
    return scan;
  }

  /**
   * Whether they are parts of one recording indeed; known once they were read. Files of several
   * points whose clocks are hours apart begin one after the other too.
   */
  public boolean areParts() {
    return CaptureRelation.of(scans).kind() == CaptureRelation.Kind.PARTS;
  }
}
