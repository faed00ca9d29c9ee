package org.terrace.tracing.span;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;

/**
 * Spans as requests. A span is a request at a server if it was measured by the side that answers;
 * one by the side that asks is a request at whom it names, unless the one who answered was measured
 * too; what happens within a service belongs to the request around it. Confined to one thread.
 */
final class SpanRequests {
  /** The source of what a file of traces tells. */
  static final String SOURCE = "trace";

  private static final int DIGITS = 16;
  private static final String UNKNOWN = "unknown";

  private final List<Span> spans;
  private final Map<Key, Integer> indexes = new HashMap<>();

  /** The spans whose callee measured too. */
  private final boolean[] answered;

  private final int[] parents;
  private final @Nullable String[] servers;
  private final Identifiers transactions = new Identifiers();
  private final Identifiers numbers = new Identifiers();
  private final boolean[] repeated;
  private long repetitions;
  private long unnamed;
  private long orphans;

  /** A span within its trace; the sides of a call may share an identifier. */
  private record Key(String traceId, String spanId, boolean answers) {}

  private SpanRequests(List<Span> spans) {
    this.spans = spans;
    answered = new boolean[spans.size()];
    repeated = new boolean[spans.size()];
    parents = new int[spans.size()];
    servers = new String[spans.size()];
  }

  /** The requests of spans, and what was left out of them in sentences. */
  static TraceReadResult of(SpanList list) {
    SpanRequests requests = new SpanRequests(list.spans());
    requests.link();
    RequestTable table = requests.table();
    return new TraceReadResult(table, list.spans().size(), requests.notes(list.incomplete()));
  }

  private void link() {
    for (int i = 0; i < spans.size(); i++) {
      Span span = spans.get(i);
      Integer other = indexes.putIfAbsent(key(span), i);
      if (other != null && spans.get(other).equals(span)) {
        repeated[i] = true;
        repetitions++;
      }
    }
    for (int i = 0; i < spans.size(); i++) {
      parents[i] = parentOf(i);
      if (parents[i] >= 0 && spans.get(i).side().answers()) {
        answered[parents[i]] = true;
      }
    }
    for (int i = 0; i < spans.size(); i++) {
      servers[i] = server(i);
    }
  }

  /** The index of a span's parent; -1 if it has none that is there. */
  private int parentOf(int index) {
    Span span = spans.get(index);
    // A server that shares its client's identifier is the child of that client.
    Integer shared = span.side().answers() ? indexes.get(key(span, false)) : null;
    if (shared != null && spans.get(shared).side().asks()) {
      return shared;
    }
    String parentId = span.parentId();
    if (parentId == null) {
      return -1;
    }
    // Where both sides share an identifier, a child was caused by the one who answers, but for that
    // one itself.
    Integer answering = indexes.get(new Key(span.traceId(), parentId, true));
    Integer other = indexes.get(new Key(span.traceId(), parentId, false));
    Integer parent = answering != null && answering != index ? answering : other;
    if (parent == null || parent == index) {
      orphans++;
      return -1;
    }
    return parent;
  }

  /** The server at which a span is a request; null if it is none. */
  private @Nullable String server(int index) {
    Span span = spans.get(index);
    int parent = parents[index];
    return switch (span.side()) {
      case SERVER, CONSUMER -> span.service();
      case CLIENT, PRODUCER -> {
        String callee = answered[index] ? null : Attributes.callee(span);
        if (callee == null && !answered[index]) {
          unnamed++;
        }
        yield callee;
      }
      case INTERNAL -> parent < 0 ? span.service() : null;
      case UNTOLD ->
          parent < 0 || !spans.get(parent).service().equals(span.service()) ? span.service() : null;
    };
  }

  private RequestTable table() {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int i = 0; i < spans.size(); i++) {
      String server = servers[i];
      if (server != null && !repeated[i]) {
        builder.accept(request(i, server));
      }
    }
    return builder.build();
  }

  private Request request(int index, String server) {
    Span span = spans.get(index);
    int caller = caller(index);
    OwnFields own = new OwnFields(span);
    long arrivalNanos = span.startNanos();
    long departureNanos = span.endNanos();
    return new Request(
        server,
        span.name(),
        client(index, caller),
        own.whole(Attributes.INTENDED, arrivalNanos),
        arrivalNanos,
        departureNanos,
        own.whole(Attributes.BYTES_IN, 0),
        own.whole(Attributes.BYTES_OUT, 0),
        own.outcome(span.failed() ? Outcome.ERROR : Outcome.OK),
        (int) own.whole(Attributes.CONNECTION, 0),
        new Exchange(
            own.whole(Attributes.REQUEST_END, Exchange.UNKNOWN),
            own.whole(Attributes.RESPONSE_START, Exchange.UNKNOWN),
            own.whole(Attributes.FIRST_FRAME, Exchange.UNKNOWN),
            own.whole(Attributes.LAST_FRAME, Exchange.UNKNOWN)),
        trace(span, index, caller, own));
  }

  private @Nullable TraceContext trace(Span span, int index, int caller, OwnFields own) {
    String source = span.attributes().getOrDefault(Attributes.SOURCE, SOURCE);
    if (source.equals(Attributes.NO_SOURCE)) {
      return null;
    }
    return new TraceContext(
        transactions.number(span.traceId()),
        number(index),
        caller < 0 ? TraceContext.NO_PARENT : number(caller),
        own.confidence(),
        source);
  }

  /** The number of a span, which is unique in all traces although identifiers need not be. */
  private long number(int index) {
    Span span = spans.get(index);
    String id = span.traceId() + '/' + "0".repeat(Math.max(0, DIGITS - span.spanId().length()));
    boolean first = index == indexes.getOrDefault(key(span), -1);
    boolean alone = !span.side().asks() || !indexes.containsKey(key(span, true));
    return numbers.number(id + span.spanId() + (first && alone ? "" : "/" + index));
  }

  private static Key key(Span span) {
    return key(span, span.side().answers());
  }

  private static Key key(Span span, boolean answers) {
    return new Key(span.traceId(), span.spanId(), answers);
  }

  /** The nearest request around a span; -1 if there is none. A circle of parents ends in none. */
  private int caller(int index) {
    int steps = 0;
    for (int at = parents[index]; at >= 0; at = parents[at]) {
      if (at == index || ++steps > Limits.DEPTH_MAX * Limits.DEPTH_MAX) {
        return -1;
      }
      if (servers[at] != null) {
        return at;
      }
    }
    return -1;
  }

  private String client(int index, int caller) {
    String own = spans.get(index).attribute(Attributes.CLIENT);
    if (own != null) {
      return own;
    }
    if (spans.get(index).side().asks()) {
      return spans.get(index).service();
    }
    String around = caller < 0 ? null : servers[caller];
    if (around != null) {
      return around;
    }
    int parent = parents[index];
    String told = spans.get(index).attribute(Attributes.CALLER);
    return parent >= 0 ? spans.get(parent).service() : told != null ? told : UNKNOWN;
  }

  private List<String> notes(long incomplete) {
    List<String> notes = new ArrayList<>();
    if (incomplete > 0) {
      notes.add(incomplete + " spans have no identifier, start or end, and are left out.");
    }
    if (repetitions > 0) {
      notes.add(repetitions + " spans are there twice, and are taken once.");
    }
    if (orphans > 0) {
      notes.add(
          orphans
              + " spans name a parent that is not in the files: their transactions begin late.");
    }
    if (unnamed > 0) {
      notes.add(unnamed + " calls name nobody who was called, and are left out.");
    }
    return List.copyOf(notes);
  }
}
