package org.terrace.collections.structures.messages;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.terrace.collections.structures.causality.VersionVector;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;

/**
 * The decision of a request: by whom, which updates its effects are, how they can be taken back,
 * and what was replied. Immutable.
 *
 * @param sequence the request's place among those of its client
 * @param writer the incarnation of the replica that decided it
 * @param firstUpdate the first of that writer's updates that it caused
 * @param updates how many there are
 * @param traces what any replica needs to know to take them back
 * @param reply what was replied
 */
public record RequestRecord(
    long sequence, long writer, long firstUpdate, long updates, List<Trace> traces, byte[] reply) {
  private static final int TRACES_MAX = 1 << 20;

  /** Copies the traces. */
  public RequestRecord {
    traces = List.copyOf(traces);
  }

  /** The place of a record: requests of one client use the same places in turn. Immutable. */
  public record Place(long client, int number) {
    /** The form of a place on the wire. */
    public static final Codec<Place> CODEC =
        Codecs.immutable(
            (place, out) -> {
              out.putFixedLong(place.client);
              out.putUnsigned(place.number);
            },
            in -> new Place(in.getFixedLong(), (int) in.getUnsigned()));

    /** The place of a request's record. */
    public static Place of(RequestIdentity request) {
      return new Place(request.client(), request.place());
    }
  }

  /**
   * One effect that can be taken back. Immutable.
   *
   * @param kind what kind of effect
   * @param update the writer's update that it is
   * @param store the collection's number
   * @param key the key's bytes; of a counter, without the place of the writer
   * @param amount what was added, if it was added to a counter
   */
  public record Trace(Kind kind, long update, long store, byte[] key, long amount) {
    /** Kinds of effects. */
    public enum Kind {
      /** A value came where there was none. */
      PUT,
      /** A value came in place of another. */
      REPLACED,
      /** An amount was added to a counter. */
      ADDED
    }

    private static final Kind[] KINDS = Kind.values();

    private void encode(long firstUpdate, Encoder out) {
      out.putByte(kind.ordinal());
      out.putUnsigned(update - firstUpdate);
      out.putUnsigned(store);
      out.putBytes(key);
      if (kind == Kind.ADDED) {
        out.putSigned(amount);
      }
    }

    private static Trace decode(long firstUpdate, Decoder in) {
      int kind = in.getByte();
      if (kind < 0 || kind >= KINDS.length) {
        throw new MalformedDataException("unknown kind of effect " + kind);
      }
      long update = firstUpdate + in.getUnsigned();
      long store = in.getUnsigned();
      byte[] key = in.getBytes();
      return new Trace(
          KINDS[kind], update, store, key, KINDS[kind] == Kind.ADDED ? in.getSigned() : 0);
    }
  }

  /** The form of a record on the wire. */
  public static final Codec<RequestRecord> CODEC =
      Codecs.immutable(
          (record, out) -> {
            out.putUnsigned(record.sequence);
            out.putFixedLong(record.writer);
            out.putUnsigned(record.firstUpdate);
            out.putUnsigned(record.updates);
            out.putBytes(record.reply);
            out.putUnsigned(record.traces.size());
            record.traces.forEach(trace -> trace.encode(record.firstUpdate, out));
          },
          RequestRecord::decode);

  private static RequestRecord decode(Decoder in) {
    long sequence = in.getUnsigned();
    long writer = in.getFixedLong();
    long firstUpdate = in.getUnsigned();
    long updates = in.getUnsigned();
    byte[] reply = in.getBytes();
    int count = in.getCount(TRACES_MAX);
    List<Trace> traces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      traces.add(Trace.decode(firstUpdate, in));
    }
    return new RequestRecord(sequence, writer, firstUpdate, updates, traces, reply);
  }

  private static final Comparator<RequestRecord> AUTHORITY =
      Comparator.comparingLong(RequestRecord::sequence)
          .thenComparing(Comparator.comparingLong(RequestRecord::writer).reversed());

  /** Of records at one place, the latest request's; of its deciders, the one of lowest writer. */
  public static RequestRecord resolve(List<RequestRecord> concurrent) {
    return concurrent.stream().max(AUTHORITY).orElseThrow();
  }

  /** Whether all its effects have been applied, here or before something superseded them. */
  public boolean isComplete(VersionVector applied) {
    for (long update = firstUpdate; update < firstUpdate + updates; update++) {
      if (!applied.contains(writer, update)) {
        return false;
      }
    }
    return true;
  }
}
