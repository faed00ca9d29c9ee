package org.terrace.protocols.http2;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.Outcome;
import org.terrace.protocols.decoder.Decoder;
import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.decoder.DecoderOutput;
import org.terrace.protocols.decoder.Endings;
import org.terrace.protocols.decoder.OpenRequest;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/**
 * HTTP/2 and gRPC on it: a request is a stream of the client, from the first byte of its headers to
 * the last of the response's headers, data or trailers, however streams interleave. A call with
 * streams of messages is one request. Responses with a status of 400 or more, and calls whose
 * status is not zero, have failed; streams that are reset are aborted. What a server promises is no
 * request. Confined to one thread (docs/decisions/0305).
 */
final class Http2Decoder implements Decoder {
  /**
   * Streams of one connection that are open at most; the eldest is given up when there are more.
   */
  static final int STREAMS_MAX = 2048;

  private static final String UNKNOWN = "(path sent before the capture)";
  private static final String GRPC = "gRPC ";
  private static final int FINAL_STATUS = 200;
  private static final int ADOPTED_STREAM = 1;

  private final DecoderContext context;
  private final DecoderOutput output;
  private final Http2Frames client;
  private final Http2Frames server;
  private final Map<Integer, Http2Stream> streams = new LinkedHashMap<>();
  private final byte[] line = new byte[GRPC.length() + HeaderBlock.requestLineBytesMax()];

  /** The lowest and the highest stream of which the request was seen. */
  private int firstSeen = Integer.MAX_VALUE;

  private int lastSeen;

  Http2Decoder(DecoderContext context, DecoderOutput output) {
    this.context = context;
    this.output = output;
    client = new Http2Frames(context, this, true);
    server = new Http2Frames(context, this, false);
  }

  /** A decoder of a connection of which the beginning was not seen. */
  static Http2Decoder joinedMidStream(DecoderContext context, DecoderOutput output) {
    Http2Decoder decoder = new Http2Decoder(context, output);
    decoder.client.lose();
    decoder.server.lose();
    return decoder;
  }

  @Override
  public boolean adopts(int requestClass, OpenRequest request) {
    Http2Stream stream = open(ADOPTED_STREAM, request.arrivalNanos);
    if (stream == null) {
      return false;
    }
    stream.continues(request);
    stream.requestClass = requestClass;
    stream.requestEnded = true;
    return true;
  }

  @Override
  public void clientData(byte[] bytes, int from, int to, Moment moment) {
    accept(client, bytes, from, to, moment);
  }

  @Override
  public void serverData(byte[] bytes, int from, int to, Moment moment) {
    accept(server, bytes, from, to, moment);
  }

  private static void accept(Http2Frames side, byte[] bytes, int from, int to, Moment moment) {
    if (side.isLost() && Http2Frame.firstHeaders(bytes, from, to) >= 0) {
      side.found();
    }
    side.accept(bytes, from, to, moment);
  }

  /** Whether what a stream carries is looked at. */
  boolean readsData(int id) {
    Http2Stream stream = streams.get(id);
    return stream != null && stream.isGrpc();
  }

  /** Headers of one side are complete. */
  void headers(Http2Frames side, HeaderBlock headers) {
    int id = side.stream();
    Http2Stream stream = streams.get(id);
    boolean mayBegin = headers.hasMethod() || !headers.isComplete();
    if (side.isOfClient() && mayBegin && stream == null && id % 2 != 0 && id > lastSeen) {
      stream = open(id, side.beginNanos());
      if (stream != null) {
        stream.begin(side.beginNanos(), side.beginFrame());
        stream.requestClass = classOf(headers);
        stream.identifier = headers.identifier();
        stream.carriedValues = headers.carriedValues();
      }
    }
    if (stream == null) {
      unknownStream(side);
      return;
    }
    stream.note(headers);
    long status = headers.status();
    part(side, stream, status < 0 || status >= FINAL_STATUS);
  }

  private @Nullable Http2Stream open(int id, long timeNanos) {
    if (streams.size() >= STREAMS_MAX || !context.memory.take(Http2Stream.BYTES)) {
      Iterator<Http2Stream> eldest = streams.values().iterator();
      if (!eldest.hasNext()) {
        return null;
      }
      Http2Stream given = eldest.next();
      eldest.remove();
      emit(given, Outcome.UNFINISHED, timeNanos);
      if (!context.memory.take(Http2Stream.BYTES)) {
        return null;
      }
    }
    Http2Stream stream = new Http2Stream();
    streams.put(id, stream);
    firstSeen = Math.min(firstSeen, id);
    lastSeen = Math.max(lastSeen, id);
    return stream;
  }

  private int classOf(HeaderBlock headers) {
    if (!headers.hasMethod() || (!headers.hasPath() && !headers.isComplete())) {
      context.counters.increment(WireCount.UNKNOWN_PATHS);
      return context.classes.of(UNKNOWN);
    }
    if (!headers.hasPath()) {
      return context.classes.of(headers.method());
    }
    if (headers.isCall()) {
      return context.classes.of(line, grpcName(headers));
    }
    int end = headers.requestLine(line);
    return context.urls.classOf(line, 0, headers.methodLength(), end);
  }

  /** Puts the name of a call into {@link #line}: the path is service and method as they are. */
  private int grpcName(HeaderBlock headers) {
    for (int i = 0; i < GRPC.length(); i++) {
      line[i] = (byte) GRPC.charAt(i);
    }
    int length = Math.min(headers.pathLength(), HeaderBlock.NAME_BYTES_MAX);
    for (int i = 0; i < length; i++) {
      int c = headers.path()[i];
      line[GRPC.length() + i] = (byte) (c > ' ' && c < 0x7f ? c : '?');
    }
    return GRPC.length() + length;
  }

  /** Data of one side. */
  void data(Http2Frames side, boolean whole, byte[] bytes, int from, int to) {
    Http2Stream stream = streams.get(side.stream());
    if (stream == null) {
      unknownStream(side);
      return;
    }
    if (stream.isGrpc()) {
      GrpcMessages messages = side.isOfClient() ? stream.sent : stream.received;
      if (whole) {
        context.counters.add(WireCount.GRPC_MESSAGES, messages.accept(bytes, from, to));
      } else {
        messages.lose();
      }
    }
    part(side, stream, true);
  }

  /**
   * Notes frames of a stream.
   *
   * @param counts whether they are more than an interim response
   */
  private void part(Http2Frames side, Http2Stream stream, boolean counts) {
    if (side.isOfClient()) {
      stream.bytesIn += side.frameBytes();
      if (side.endsStream()) {
        stream.requestEnded = true;
        stream.requestEnds(side.endNanos(), side.endFrame());
      } else {
        stream.seen(side.endNanos(), side.endFrame());
      }
      return;
    }
    stream.bytesOut += side.frameBytes();
    if (counts) {
      stream.answered(side.beginNanos(), side.beginFrame());
    }
    stream.seen(side.endNanos(), side.endFrame());
    if (side.endsStream()) {
      close(side.stream(), stream.hasFailed() ? Outcome.ERROR : Outcome.OK, side.endNanos());
    }
  }

  /** A response ends of which the request was not seen. */
  private void unknownStream(Http2Frames side) {
    int id = side.stream();
    boolean neverSeen = id < firstSeen || id > lastSeen;
    if (!side.isOfClient() && side.endsStream() && id % 2 != 0 && neverSeen) {
      context.counters.increment(WireCount.RESPONSES_WITHOUT_REQUEST);
    }
  }

  /** One side ends a stream before its end. */
  void reset(int id, long timeNanos, long frame) {
    Http2Stream stream = streams.get(id);
    if (stream != null) {
      stream.seen(timeNanos, frame);
      close(id, stream.hasFailed() ? Outcome.ERROR : Outcome.ABORTED, timeNanos);
    }
  }

  private void close(int id, Outcome outcome, long timeNanos) {
    Http2Stream stream = streams.remove(id);
    if (stream != null) {
      emit(stream, outcome, timeNanos);
    }
  }

  private void emit(Http2Stream stream, Outcome outcome, long timeNanos) {
    stream.departureNanos = timeNanos;
    output.request(stream.requestClass, stream, outcome);
    context.memory.giveBack(Http2Stream.BYTES);
  }

  /** A side is lost, and with it perhaps the ends of responses. */
  void broken(Http2Frames side) {
    if (!side.isOfClient()) {
      giveUpAll(Outcome.UNFINISHED, side.endNanos());
    }
  }

  private void giveUpAll(Outcome outcome, long timeNanos) {
    for (Http2Stream stream : streams.values()) {
      emit(stream, outcome, timeNanos);
    }
    streams.clear();
  }

  @Override
  public void clientMissing(long byteCount, Moment moment) {
    client.missing(byteCount, moment);
  }

  @Override
  public void serverMissing(long byteCount, Moment moment) {
    server.missing(byteCount, moment);
  }

  @Override
  public void serverFinished(Moment moment) {
    giveUpAll(Outcome.ABORTED, moment.timeNanos());
  }

  @Override
  public void end(Ending ending, Moment moment) {
    giveUpAll(Endings.outcomeOfOpen(ending), moment.timeNanos());
    client.releaseAll();
    server.releaseAll();
  }
}
