package org.terrace.tracing.span;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The spans of one or more files. Confined to one thread. */
final class SpanList {
  private final List<Span> spans = new ArrayList<>();
  private final Map<String, String> texts = new HashMap<>();
  private long incomplete;

  /** Adds a span, or counts it as incomplete. */
  void add(SpanDraft draft) throws IOException {
    if (spans.size() >= Limits.SPANS_MAX) {
      throw new IOException(
          "there are more than "
              + Limits.SPANS_MAX
              + " spans; divide the file by time, or export fewer");
    }
    draft.name = shared(draft.name);
    Span span = draft.build();
    if (span == null) {
      incomplete++;
    } else {
      spans.add(span);
    }
  }

  /** One and the same object for equal texts: names of services and operations recur. */
  String shared(String text) {
    return texts.computeIfAbsent(text, each -> each);
  }

  List<Span> spans() {
    return spans;
  }

  /** Spans without an identifier, a start or an end. */
  long incomplete() {
    return incomplete;
  }
}
