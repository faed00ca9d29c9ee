package org.terrace.tracing.span;

import java.io.IOException;
import java.io.OutputStream;
import org.terrace.observation.RequestTable;

/** The writer of a table of requests in one format. */
interface SpanWriter {
  /** Writes all rows; leaves the stream open. */
  void write(RequestTable requests, OutputStream output) throws IOException;
}
