package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.HttpStream.State;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;

/**
 * HTTP/1.1: pairs requests with responses in their order, pipelined ones too; interim responses,
 * HEAD, 204 and 304 as RFC 9112 says; after CONNECT or an upgrade only turns are known.
 *
 * <p>Where a snap length or a loss hides the end of a message, the message ends with its last byte
 * before the other side speaks again, and that is counted. Where a whole message may be hidden,
 * open requests are given up and reading goes on at the next segment that begins with a message.
 * Confined to one thread.
 */
final class HttpDecoder implements Decoder {
  private static final byte[] VERSION = Ascii.of("HTTP/1.");
  private static final byte[] HEAD = Ascii.of("HEAD ");
  private static final byte[] CONNECT = Ascii.of("CONNECT ");
  private static final int METHOD_OTHER = 0;
  private static final int METHOD_HEAD = 1;
  private static final int METHOD_CONNECT = 2;
  private static final int METHOD_BYTES_MAX = 20;
  private static final int ERROR_STATUS = 400;

  private final DecoderContext context;
  private final RequestOutput output;
  private final PendingRequests pending;
  private final Requests requests;
  private final Responses responses;
  private @Nullable TurnTakingDecoder switched;

  HttpDecoder(DecoderContext context, RequestOutput output) {
    this.context = context;
    this.output = output;
    pending = new PendingRequests(context.memory);
    requests = new Requests();
    responses = new Responses();
  }

  /** A decoder of a connection of which the beginning was not seen. */
  static HttpDecoder joinedMidStream(DecoderContext context, RequestOutput output) {
    HttpDecoder decoder = new HttpDecoder(context, output);
    decoder.requests.state = State.LOST;
    decoder.responses.state = State.LOST;
    return decoder;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, long timeNanos) {
    if (switched != null) {
      switched.clientData(bytes, from, to, timeNanos);
      return;
    }
    if (responses.state == State.UNTIL_TURN && requests.looksLikeStart(bytes, from, to)) {
      responses.turnEnds();
    }
    requests.accept(bytes, from, to, timeNanos);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, long timeNanos) {
    if (switched != null) {
      switched.serverData(bytes, from, to, timeNanos);
      return;
    }
    if (requests.state == State.UNTIL_TURN) {
      requests.turnEnds();
    }
    int end = responses.accept(bytes, from, to, timeNanos);
    if (responses.state == State.SWITCHED) {
      requests.state = State.SWITCHED;
      int turns = context.classes.of("upgraded turn");
      TurnTakingDecoder next = new TurnTakingDecoder(output, turns);
      if (end < to) {
        next.serverData(bytes, end, to, timeNanos);
      }
      switched = next;
    }
  }

  @Override
  public void clientMissing(long byteCount, long timeNanos) {
    if (switched != null) {
      switched.clientMissing(byteCount, timeNanos);
    } else {
      requests.missing(byteCount, timeNanos);
    }
  }

  @Override
  public void serverMissing(long byteCount, long timeNanos) {
    if (switched != null) {
      switched.serverMissing(byteCount, timeNanos);
      return;
    }
    if (requests.state == State.UNTIL_TURN) {
      requests.turnEnds();
    }
    responses.missing(byteCount, timeNanos);
  }

  @Override
  public void serverFinished(long timeNanos) {
    if (switched != null) {
      switched.serverFinished(timeNanos);
      return;
    }
    if (responses.state == State.UNTIL_CLOSE) {
      responses.complete();
    } else if (responses.state == State.UNTIL_TURN) {
      responses.turnEnds();
    }
    giveUpAll(Outcome.ABORTED, timeNanos);
    responses.lose();
  }

  @Override
  public void end(Ending ending, long timeNanos) {
    if (switched != null) {
      switched.end(ending, timeNanos);
    } else if (responses.state == State.UNTIL_TURN) {
      responses.turnEnds();
    }
    giveUpAll(Endings.outcomeOfOpen(ending), timeNanos);
    requests.lose();
    responses.lose();
    pending.release();
  }

  /** Ends all open requests without a response. */
  private void giveUpAll(Outcome outcome, long timeNanos) {
    requests.noteBytes();
    while (pending.size() > 0) {
      long bytesOut = responses.answering ? responses.messageBytes : 0;
      responses.answering = false;
      emitFirst(outcome, timeNanos, bytesOut);
    }
  }

  private void emitFirst(Outcome outcome, long departureNanos, long bytesOut) {
    long arrival = pending.firstArrivalNanos();
    output.request(
        pending.firstClass(),
        arrival,
        Math.max(arrival, departureNanos),
        pending.firstBytes(),
        bytesOut,
        outcome);
    pending.removeFirst();
  }

  /** What the client says. */
  private final class Requests extends HttpStream {
    private long ordinal = -1;

    Requests() {
      super(context.memory);
    }

    @Override
    boolean startLine(byte[] bytes, int from, int to) {
      ordinal = -1;
      int methodEnd = methodEnd(bytes, from, to);
      int targetEnd = to - VERSION.length - 2;
      if (methodEnd < 0
          || targetEnd <= methodEnd
          || bytes[targetEnd] != ' '
          || !Bytes.startsWith(bytes, targetEnd + 1, to, VERSION)) {
        return false;
      }
      if (startNanos <= responses.unpairedStartNanos) {
        return true;
      }
      if (!pending.hasRoom()) {
        giveUpAll(Outcome.UNFINISHED, lastNanos);
      }
      int method = METHOD_OTHER;
      if (Bytes.startsWith(bytes, from, to, HEAD)) {
        method = METHOD_HEAD;
      } else if (Bytes.startsWith(bytes, from, to, CONNECT)) {
        method = METHOD_CONNECT;
      }
      int requestClass = context.urls.classOf(bytes, from, methodEnd, targetEnd);
      ordinal = pending.add(startNanos, requestClass, method);
      return true;
    }

    @Override
    void headersEnd() {
      beginBody();
    }

    @Override
    void messageEnd() {
      noteBytes();
    }

    void noteBytes() {
      pending.setBytes(ordinal, messageBytes);
    }

    @Override
    void broken(boolean byGap) {
      boolean known = ordinal >= 0 && state != State.START_LINE;
      if (byGap && known && state != State.BODY) {
        state = State.UNTIL_TURN;
        return;
      }
      if (!byGap) {
        context.counters.increment(WireCount.PROTOCOL_ERRORS);
      }
      giveUpAll(Outcome.UNFINISHED, lastNanos);
      lose();
    }

    /** The server answers, so the request is complete. */
    void turnEnds() {
      noteBytes();
      state = State.LOST;
    }

    @Override
    boolean looksLikeStart(byte[] bytes, int from, int to) {
      return methodEnd(bytes, from, to) > 0;
    }

    private static int methodEnd(byte[] bytes, int from, int to) {
      int end = Math.min(to, from + METHOD_BYTES_MAX + 1);
      int at = from;
      while (at < end && ((bytes[at] >= 'A' && bytes[at] <= 'Z') || bytes[at] == '-')) {
        at++;
      }
      return at > from && at < end && bytes[at] == ' ' ? at : -1;
    }
  }

  /** What the server says. */
  private final class Responses extends HttpStream {
    private int status;
    private boolean answering;
    private long unpairedStartNanos = Long.MIN_VALUE;

    Responses() {
      super(context.memory);
    }

    @Override
    boolean startLine(byte[] bytes, int from, int to) {
      if (to - from < VERSION.length + 5 || !looksLikeStart(bytes, from, to)) {
        return false;
      }
      int at = from + VERSION.length + 2;
      long code = Ascii.decimal(bytes, at, at + 3, 3);
      if (code < 100 || bytes[at - 1] != ' ') {
        return false;
      }
      status = (int) code;
      answering = pending.size() > 0;
      return true;
    }

    @Override
    void headersEnd() {
      int method = answering ? pending.firstMethod() : METHOD_OTHER;
      if (status == 101 || (method == METHOD_CONNECT && status / 100 == 2)) {
        complete();
        state = State.SWITCHED;
      } else if (status < 200) {
        answering = false;
        state = State.START_LINE;
      } else if (method == METHOD_HEAD || status == 204 || status == 304) {
        complete();
      } else if (!chunked && contentLength < 0) {
        state = State.UNTIL_CLOSE;
      } else {
        beginBody();
      }
    }

    @Override
    void messageEnd() {
      if (answering) {
        answering = false;
        requests.noteBytes();
        emitFirst(status >= ERROR_STATUS ? Outcome.ERROR : Outcome.OK, lastNanos, messageBytes);
      } else {
        unpairedStartNanos = startNanos;
        context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
      }
    }

    @Override
    void broken(boolean byGap) {
      boolean statusKnown = answering && state != State.START_LINE && state != State.BODY;
      if (byGap && statusKnown && pending.size() == 1) {
        state = State.UNTIL_TURN;
        return;
      }
      if (!byGap) {
        context.counters.increment(WireCount.PROTOCOL_ERRORS);
      }
      giveUpAll(Outcome.UNFINISHED, lastNanos);
      lose();
    }

    /** The client speaks again, so the response is complete. */
    void turnEnds() {
      context.counters.increment(WireCount.ESTIMATED_ENDS);
      complete();
    }

    @Override
    boolean looksLikeStart(byte[] bytes, int from, int to) {
      return Bytes.startsWith(bytes, from, to, VERSION);
    }
  }
}
