package org.terrace.protocols.decoder;

import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.observation.ValueSketch;
import org.terrace.protocols.decoder.HttpFraming.Part;
import org.terrace.protocols.decoder.PendingRequests.Pending;
import org.terrace.protocols.decoder.Protocol.Entry;
import org.terrace.protocols.text.Ascii;
import org.terrace.protocols.text.LineBuffer;
import org.terrace.protocols.values.CarriedValues;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * HTTP/1.1: pairs requests with responses in their order, pipelined ones too; interim responses,
 * HEAD, 204 and 304 as RFC 9112 says; after CONNECT or an upgrade the protocol is recognised again.
 * Where a message begins and ends is {@link HttpFraming}'s to know.
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
  private static final int PIPELINED_MAX = 1024;
  private static final int METHOD_OTHER = 0;
  private static final int METHOD_HEAD = 1;
  private static final int METHOD_CONNECT = 2;
  private static final int SWITCHING = 101;
  private static final int ERROR_STATUS = 400;

  /** In place of a request's ordinal: no request is being read, or it is not to be reported. */
  private static final long NO_REQUEST = -1;

  private final boolean inside;
  private final DecoderContext context;
  private final DecoderOutput output;
  private final PendingRequests pending;
  private final HttpFraming requests;
  private final HttpFraming responses;

  /** The request that is being read. */
  private long ordinal = NO_REQUEST;

  private int status;
  private boolean switches;

  /** Whether the response that is being read answers the first pending request. */
  private boolean answering;

  private long unpairedStartNanos = Long.MIN_VALUE;
  private @Nullable Decoder switched;

  HttpDecoder(DecoderContext context, DecoderOutput output) {
    this(context, output, false);
  }

  private HttpDecoder(DecoderContext context, DecoderOutput output, boolean inside) {
    this.inside = inside;
    this.context = context;
    this.output = output;
    pending = new PendingRequests(context.memory, PIPELINED_MAX);
    requests = new HttpFraming(context.memory);
    responses = new HttpFraming(context.memory);
  }

  /** A decoder of what a tunnel carries. */
  static HttpDecoder inside(DecoderContext context, DecoderOutput output) {
    return new HttpDecoder(context, output, true);
  }

  /** A decoder of a connection of which the beginning was not seen. */
  static HttpDecoder joinedMidStream(DecoderContext context, DecoderOutput output) {
    HttpDecoder decoder = new HttpDecoder(context, output);
    decoder.requests.lose();
    decoder.responses.lose();
    return decoder;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    if (switched != null) {
      switched.clientData(bytes, from, to, moment);
      return;
    }
    if (responses.endsWithTurn() && UrlTemplates.methodEnd(bytes, from, to) > 0) {
      responseEndsWithTurn();
    }
    if (requests.isLost() && UrlTemplates.methodEnd(bytes, from, to) > 0) {
      requests.resume();
    }
    requests.read(bytes, from, to, moment);
    readRequests();
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    if (switched != null) {
      switched.serverData(bytes, from, to, moment);
      return;
    }
    requestEndsWithTurn();
    if (responses.isLost() && Bytes.startsWith(bytes, from, to, VERSION)) {
      responses.resume();
    }
    responses.read(bytes, from, to, moment);
    readResponses();
    if (switched != null && responses.position() < to) {
      switched.serverData(bytes, responses.position(), to, moment);
    }
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    if (switched != null) {
      switched.clientMissing(byteCount, moment);
      return;
    }
    requests.pass(byteCount, moment);
    readRequests();
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    if (switched != null) {
      switched.serverMissing(byteCount, moment);
      return;
    }
    requestEndsWithTurn();
    responses.pass(byteCount, moment);
    readResponses();
  }

  @Override
  public void serverFinished(Moment moment) {
    if (switched != null) {
      switched.serverFinished(moment);
      return;
    }
    if (responses.endsWithConnection()) {
      responseEnds();
    } else if (responses.endsWithTurn()) {
      responseEndsWithTurn();
    }
    giveUpAll(Outcome.ABORTED, moment.timeNanos());
    responses.lose();
  }

  @Override
  public void end(Ending ending, Moment moment) {
    if (switched != null) {
      switched.end(ending, moment);
    } else if (responses.endsWithTurn()) {
      responseEndsWithTurn();
    }
    giveUpAll(Endings.outcomeOfOpen(ending), moment.timeNanos());
    requests.lose();
    responses.lose();
    pending.release();
  }

  private void readRequests() {
    for (Part part = requests.next(); part != Part.NONE; part = requests.next()) {
      switch (part) {
        case START_LINE -> {
          ordinal = NO_REQUEST;
          if (!requestLine(requests.line())) {
            damaged(requests);
          }
        }
        case MESSAGE_END -> requestEnds();
        case DAMAGE -> damaged(requests);
        case END_HIDDEN -> {
          if (ordinal == NO_REQUEST) {
            startOver(requests);
          } else {
            requests.awaitTurn();
          }
        }
        case START_HIDDEN -> startOver(requests);
        case NONE -> {}
      }
    }
  }

  private void readResponses() {
    for (Part part = responses.next(); part != Part.NONE; part = responses.next()) {
      switch (part) {
        case START_LINE -> {
          if (!statusLine(responses.line())) {
            damaged(responses);
          }
        }
        case MESSAGE_END -> wholeResponse();
        case DAMAGE -> damaged(responses);
        case END_HIDDEN -> {
          if (answering && pending.size() == 1) {
            responses.awaitTurn();
          } else {
            startOver(responses);
          }
        }
        case START_HIDDEN -> startOver(responses);
        case NONE -> {}
      }
    }
  }

  /** Reads a request line; false when it is none. */
  private boolean requestLine(LineBuffer line) {
    byte[] bytes = line.bytes();
    int methodEnd = UrlTemplates.methodEnd(bytes, line.from(), line.to());
    int targetEnd = line.to() - VERSION.length - 2;
    if (methodEnd < 0
        || targetEnd <= methodEnd
        || bytes[targetEnd] != ' '
        || !Bytes.startsWith(bytes, targetEnd + 1, line.to(), VERSION)) {
      return false;
    }
    if (requests.startNanos() <= unpairedStartNanos) {
      return true;
    }
    if (!pending.hasRoom()) {
      giveUpAll(Outcome.UNFINISHED, requests.lastNanos());
    }
    int method = METHOD_OTHER;
    if (Bytes.startsWith(bytes, line.from(), line.to(), HEAD)) {
      method = METHOD_HEAD;
    } else if (Bytes.startsWith(bytes, line.from(), line.to(), CONNECT)) {
      method = METHOD_CONNECT;
    }
    int requestClass = context.urls.classOf(bytes, line.from(), methodEnd, targetEnd);
    ordinal = pending.add(requests.startNanos(), requests.startFrame(), requestClass, method);
    pending.last().carriedValues =
        CarriedValues.ofTarget(ValueSketch.NONE, bytes, methodEnd + 1, targetEnd);
    return true;
  }

  /** Reads a status line; false when it is none. */
  private boolean statusLine(LineBuffer line) {
    int length = line.to() - line.from();
    if (length < VERSION.length + 5
        || !Bytes.startsWith(line.bytes(), line.from(), line.to(), VERSION)) {
      return false;
    }
    int at = line.from() + VERSION.length + 2;
    long code = Ascii.decimal(line.bytes(), at, at + 3, 3);
    if (code < 100 || line.bytes()[at - 1] != ' ') {
      return false;
    }
    status = (int) code;
    answering = pending.size() > 0;
    int method = METHOD_OTHER;
    if (answering) {
      Pending first = pending.first();
      method = first.kind;
      first.answered(responses.startNanos(), responses.startFrame());
    }
    switches = status == SWITCHING || (method == METHOD_CONNECT && status / 100 == 2);
    responses.expect(HttpBody.ofResponse(status, method == METHOD_HEAD, switches));
    return true;
  }

  /** The request is complete; what is read next belongs to another. */
  private void requestEnds() {
    noteRequest(true);
    ordinal = NO_REQUEST;
  }

  /** Notes how far the request was read, perhaps as a whole, unless it is no longer here. */
  private void noteRequest(boolean whole) {
    Pending request = pending.at(ordinal);
    long values = request == null ? ValueSketch.NONE : request.carriedValues;
    values = whole ? requests.takeCarried(values) : values;
    if (request == null) {
      return;
    }
    request.bytesIn = requests.messageBytes();
    request.identifier = requests.identifier();
    request.carriedValues = values;
    if (whole) {
      request.requestEnds(requests.lastNanos(), requests.lastFrame());
    } else {
      request.seen(requests.lastNanos(), requests.lastFrame());
    }
  }

  /** The server answers, so a request whose end is hidden is complete. */
  private void requestEndsWithTurn() {
    if (requests.endsWithTurn()) {
      requestEnds();
      requests.lose();
    }
  }

  private void wholeResponse() {
    if (status < 200 && !switches) {
      if (answering) {
        pending.first().notAnsweredYet();
      }
      answering = false;
      return;
    }
    if (!switches) {
      responseEnds();
      return;
    }
    requests.leave();
    responses.leave();
    if (inside) {
      // Nobody nests tunnels; whoever pretends to must not nest decoders.
      responseEnds();
      switched = ProtocolRegistry.UNKNOWN.decoder(context, output, Entry.INSIDE);
    } else {
      RecognisingDecoder next = new RecognisingDecoder(context, output, Entry.INSIDE);
      if (status == SWITCHING && answering) {
        handOver(next);
      } else {
        responseEnds();
      }
      switched = next;
    }
  }

  /** Leaves the request that asked for another protocol to that one, which may answer it. */
  private void handOver(RecognisingDecoder next) {
    answering = false;
    noteRequest(false);
    Pending request = pending.first();
    request.seen(responses.lastNanos(), responses.lastFrame());
    request.departureNanos = responses.lastNanos();
    request.bytesOut = responses.messageBytes();
    pending.removeFirst();
    next.carries(request.requestClass, request);
  }

  private void responseEnds() {
    if (answering) {
      answering = false;
      noteRequest(false);
      pending.first().seen(responses.lastNanos(), responses.lastFrame());
      emitFirst(
          status >= ERROR_STATUS ? Outcome.ERROR : Outcome.OK,
          responses.lastNanos(),
          responses.messageBytes());
    } else {
      unpairedStartNanos = responses.startNanos();
      context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
    }
  }

  /** The client speaks again or nobody does, so a response whose end is hidden is complete. */
  private void responseEndsWithTurn() {
    context.counters.increment(WireCount.ESTIMATED_ENDS);
    responses.resume();
    responseEnds();
  }

  private void damaged(HttpFraming direction) {
    context.counters.increment(WireCount.PROTOCOL_ERRORS);
    startOver(direction);
  }

  /** Gives up what is open, and reads on at a segment that begins with a message. */
  private void startOver(HttpFraming direction) {
    giveUpAll(Outcome.UNFINISHED, direction.lastNanos());
    direction.lose();
  }

  /** Ends all open requests without a response. */
  private void giveUpAll(Outcome outcome, long timeNanos) {
    noteRequest(false);
    while (pending.size() > 0) {
      long bytesOut = 0;
      if (answering) {
        bytesOut = responses.messageBytes();
        pending.first().seen(responses.lastNanos(), responses.lastFrame());
        answering = false;
      }
      emitFirst(outcome, timeNanos, bytesOut);
    }
  }

  private void emitFirst(Outcome outcome, long departureNanos, long bytesOut) {
    Pending request = pending.first();
    request.departureNanos = departureNanos;
    request.bytesOut = bytesOut;
    output.request(request.requestClass, request, outcome);
    pending.removeFirst();
  }
}
