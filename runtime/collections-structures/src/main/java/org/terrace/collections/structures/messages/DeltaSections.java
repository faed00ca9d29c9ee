package org.terrace.collections.structures.messages;

import java.util.ArrayList;
import java.util.List;
import org.terrace.collections.structures.WriterLog;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * Updates of one or more writers, in runs of consecutive sequence numbers, as a message has them.
 */
public final class DeltaSections {
  private static final int SECTIONS_MAX = 65_536;
  private static final int DELTAS_MAX = 1 << 20;

  private record Section(long writer, long first, List<byte[]> deltas) {}

  /** A receiver of updates, one at a time; it says whether each was new. */
  @FunctionalInterface
  public interface Visitor {
    boolean visit(long writer, long sequence, byte[] delta);
  }

  private final List<Section> sections = new ArrayList<>();
  private int size;
  private int bytes;

  /** Whether there are no updates. */
  public boolean isEmpty() {
    return sections.isEmpty();
  }

  /** Number of updates. */
  public int size() {
    return size;
  }

  /** The number of bytes that the updates take, about. */
  public int bytes() {
    return bytes;
  }

  /** Adds a run of one writer's updates. */
  public void add(long writer, long first, List<byte[]> deltas) {
    sections.add(new Section(writer, first, deltas));
    size += deltas.size();
  }

  /**
   * Adds the updates that the log still holds, up to about that many bytes, but not without those
   * that travel with them; says whether the log held all it was asked for.
   */
  public boolean addKnown(List<VersionVector.Span> spans, DeltaLog log, int bytesMax) {
    boolean all = true;
    for (VersionVector.Span span : spans) {
      List<byte[]> run = new ArrayList<>();
      long next = span.range().first();
      for (WriterLog.Logged logged : log.get(span.writer(), span.range())) {
        if (bytes >= bytesMax && !Delta.isWithPrevious(logged.delta())) {
          break;
        }
        if (logged.sequence() != next) {
          all = false;
          endRun(span.writer(), next, run);
          run = new ArrayList<>();
        }
        run.add(logged.delta());
        bytes += logged.delta().length;
        next = logged.sequence() + 1;
      }
      endRun(span.writer(), next, run);
      all &= next > span.range().last() || bytes >= bytesMax;
    }
    return all;
  }

  private void endRun(long writer, long end, List<byte[]> run) {
    if (!run.isEmpty()) {
      add(writer, end - run.size(), run);
    }
  }

  /** A message of that kind with these updates. */
  public Encoder toMessage(int kind, int flags) {
    Encoder out = new Encoder();
    out.putByte(kind);
    out.putByte(flags);
    encode(out);
    return out;
  }

  /** Writes the updates. */
  public void encode(Encoder out) {
    out.putUnsigned(sections.size());
    for (Section section : sections) {
      out.putFixedLong(section.writer);
      out.putUnsigned(section.first);
      out.putUnsigned(section.deltas.size());
      section.deltas.forEach(out::putBytes);
    }
  }

  /** Visits the updates of a message; says how many were new. */
  public static int forEach(Decoder in, Visitor visitor) {
    int fresh = 0;
    int count = in.getCount(SECTIONS_MAX);
    for (int i = 0; i < count; i++) {
      long writer = in.getFixedLong();
      long first = in.getUnsigned();
      int deltas = in.getCount(DELTAS_MAX);
      if (first < 1 || first > Long.MAX_VALUE - deltas) {
        throw new MalformedDataException("a sequence number out of range: " + first);
      }
      for (int j = 0; j < deltas; j++) {
        fresh += visitor.visit(writer, first + j, in.getBytes()) ? 1 : 0;
      }
    }
    return fresh;
  }
}
