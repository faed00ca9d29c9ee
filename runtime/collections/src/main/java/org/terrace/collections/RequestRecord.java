package org.terrace.collections;

import java.util.Comparator;
import java.util.List;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Codec;
import org.terrace.core.codec.Codecs;

/**
 * That a request is decided: by whom, which updates its effects are, and what was replied.
 * Immutable.
 *
 * @param sequence the request's place among those of its client
 * @param writer the life of the replica that decided it
 * @param firstUpdate the first of that writer's updates that it caused
 * @param updates how many there are
 * @param reply what was replied
 */
record RequestRecord(long sequence, long writer, long firstUpdate, long updates, byte[] reply) {

  /** Where a record is kept: requests of one client use the same places in turn. Immutable. */
  record Place(long client, int number) {
    static final int COUNT = 4_096;

    static final Codec<Place> CODEC =
        Codecs.immutable(
            (place, out) -> {
              out.putFixedLong(place.client);
              out.putUnsigned(place.number);
            },
            in -> new Place(in.getFixedLong(), (int) in.getUnsigned()));

    static Place of(RequestIdentity request) {
      return new Place(request.client(), (int) (request.sequence() % COUNT));
    }
  }

  static final Codec<RequestRecord> CODEC =
      Codecs.immutable(
          (record, out) -> {
            out.putUnsigned(record.sequence);
            out.putFixedLong(record.writer);
            out.putUnsigned(record.firstUpdate);
            out.putUnsigned(record.updates);
            out.putBytes(record.reply);
          },
          in ->
              new RequestRecord(
                  in.getUnsigned(),
                  in.getFixedLong(),
                  in.getUnsigned(),
                  in.getUnsigned(),
                  in.getBytes()));

  private static final Comparator<RequestRecord> AUTHORITY =
      Comparator.comparingLong(RequestRecord::sequence)
          .thenComparing(Comparator.comparingLong(RequestRecord::writer).reversed());

  /** Of records at one place, the latest request's; of its deciders, the one of lowest writer. */
  static RequestRecord resolve(List<RequestRecord> concurrent) {
    return concurrent.stream().max(AUTHORITY).orElseThrow();
  }
}
