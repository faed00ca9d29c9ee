package org.terrace.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.CaptureInput;
import org.terrace.wire.file.CaptureSecrets;
import org.terrace.wire.file.DropTimes;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.file.PacketClock;
import org.terrace.wire.file.PacketStream;
import org.terrace.wire.statistics.Counters;

/**
 * The packets of captures that follow each other in time, as one: those of one capture point, or of
 * one recording. Confined to one thread.
 */
final class PointPackets implements Closeable {
  private final List<? extends CaptureSource.OneCapture> captures;
  private final PacketClock clock;
  private final long framesBefore;
  private final int reorderPackets;
  private final Counters counters;
  private final HostNames hostNames;
  private final CaptureSecrets secrets;
  private final List<DropTimes.Drop> drops = new ArrayList<>();
  private int opened;
  private long packetsBefore;
  private long read;
  private @Nullable InputStream input;
  private @Nullable PacketStream stream;
  private @Nullable ReadProgress progress;
  private long told;

  /**
   * The packets of captures.
   *
   * @param clock converts their times, and gets numbers that go on from one capture to the next
   * @param framesBefore packets of what was read before, after which these are numbered
   */
  PointPackets(
      List<? extends CaptureSource.OneCapture> captures,
      PacketClock clock,
      long framesBefore,
      int reorderPackets,
      Counters counters,
      HostNames hostNames,
      CaptureSecrets secrets) {
    this.captures = List.copyOf(captures);
    this.clock = clock;
    this.framesBefore = framesBefore;
    this.reorderPackets = reorderPackets;
    this.counters = counters;
    this.hostNames = hostNames;
    this.secrets = secrets;
  }

  /** Moves to the next packet; false after the last. */
  boolean next() {
    while (true) {
      PacketStream current = stream;
      if (current != null && current.next()) {
        if ((++read & (ReadProgress.PACKETS_EACH - 1)) == 0) {
          tell();
        }
        return true;
      }
      if (current != null) {
        end(current);
      }
      if (opened == captures.size()) {
        return false;
      }
      open(captures.get(opened++));
    }
  }

  private void tell() {
    ReadProgress watching = progress;
    if (watching != null) {
      watching.addPackets(read - told);
    }
    told = read;
  }

  private void open(CaptureSource.OneCapture capture) {
    progress = capture.progress();
    long before = packetsBefore;
    try {
      InputStream source = capture.open();
      input = source;
      input = CaptureInput.unpacked(source);
      stream =
          new PacketStream(
              capture.name(),
              input,
              reorderPackets,
              counters,
              hostNames,
              secrets,
              before == 0
                  ? clock
                  : (number, rawNanos) -> clock.timeNanos(before + number, rawNanos));
    } catch (NoSuchFileException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          capture.name() + ": there is no such file. Check the path of the capture.",
          e);
    } catch (IOException e) {
      throw unreadable(capture, e);
    }
  }

  private static TerraceException unreadable(CaptureSource capture, IOException cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        capture.name()
            + ": expected a readable packet capture, but opening it failed ("
            + cause.getMessage()
            + "). Check that it is a whole file and that you may read it.",
        cause);
  }

  private void end(PacketStream current) {
    for (DropTimes.Drop drop : current.drops().all()) {
      drops.add(
          new DropTimes.Drop(
              clock.timeNanos(read, drop.startNanos()),
              clock.timeNanos(read, drop.endNanos()),
              drop.packets()));
    }
    packetsBefore = read;
    tell();
    close();
  }

  /** The stream in which the current packet lies. */
  PacketStream stream() {
    return Objects.requireNonNull(stream);
  }

  /** The converted time of the current packet. */
  long timeNanos() {
    return stream().timeNanos();
  }

  /** The number of the current packet among these, counted from 1 in the order of the files. */
  long number() {
    return packetsBefore + stream().number();
  }

  /** The number of the current packet among all that are read. */
  long frame() {
    return framesBefore + number();
  }

  /** The packets so far. */
  long packets() {
    return read;
  }

  /** The times in which the captures dropped packets themselves, as far as they were read. */
  List<DropTimes.Drop> drops() {
    return List.copyOf(drops);
  }

  @Override
  public void close() {
    stream = null;
    InputStream open = input;
    input = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw unreadable(captures.get(opened - 1), e);
      }
    }
  }
}
