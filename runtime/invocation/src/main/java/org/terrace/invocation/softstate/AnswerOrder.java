package org.terrace.invocation.softstate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import org.terrace.core.RequestIdentity;

/**
 * The order in which replicas are asked to answer an update: the one with the highest hash of its
 * name and the request's identity, then the next. Every front end and every replica that knows the
 * same names computes the same order, each replica is first for an equal share of requests, and a
 * replica that comes or goes moves only its own share.
 *
 * <p>Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998.
 */
final class AnswerOrder {
  private AnswerOrder() {}

  /** The names in the order in which they are asked to answer the request. */
  static List<String> of(RequestIdentity request, Collection<String> replicas) {
    long hash = mix(mix(request.client()) ^ request.sequence());
    List<String> order = new ArrayList<>(replicas);
    order.sort(
        Comparator.comparingLong((String name) -> mix(hash ^ hashOf(name)))
            .reversed()
            .thenComparing(Comparator.naturalOrder()));
    return order;
  }

  private static long hashOf(String name) {
    CRC32C crc = new CRC32C();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    return mix(crc.getValue());
  }

  /** The finalizer of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators". */
  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
