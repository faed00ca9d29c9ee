package org.terrace.tracing.span;

import java.util.List;
import org.terrace.observation.RequestTable;

/**
 * The requests of files of traces. Immutable.
 *
 * @param requests the requests, each with its place in its transaction
 * @param spans how many spans were read
 * @param notes what was left out, a sentence each
 */
public record TraceReadResult(RequestTable requests, long spans, List<String> notes) {
  /** Copies the notes. */
  public TraceReadResult {
    notes = List.copyOf(notes);
  }
}
