package org.terrace.analysis.finding;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response times of a class of requests that ended in the analysed stretch. Immutable.
 *
 * @param server the server, or {@code clients}
 * @param requestClass the class; null for all that have no entry of their own at that server
 * @param count the requests
 * @param errors those of them that reported an error, or were aborted
 * @param boundariesMicros the upper ends of bins of times, inclusive, rising, in microseconds; only
 *     those beside a bin that holds something
 * @param counts those that were answered, errors included: a count a bin, and 0 for what is above
 */
public record ClassResponses(
    String server,
    @Nullable String requestClass,
    long count,
    long errors,
    List<Long> boundariesMicros,
    List<Long> counts)
    implements Serializable {
  /** Copies the lists. */
  public ClassResponses {
    boundariesMicros = List.copyOf(boundariesMicros);
    counts = List.copyOf(counts);
  }
}
