package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.observation.Outcome;
import org.terrace.testing.TcpCapture;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/** The words of client and server in turn, played to a decoder in segments of any size. */
public final class Script {
  /** One request as a decoder gives it. */
  public record Row(
      String requestClass,
      long arrival,
      long departure,
      long bytesIn,
      long bytesOut,
      Outcome outcome,
      long identifier) {
    /** One whose bytes give its transaction no number. */
    public Row(
        String requestClass,
        long arrival,
        long departure,
        long bytesIn,
        long bytesOut,
        Outcome outcome) {
      this(requestClass, arrival, departure, bytesIn, bytesOut, outcome, 0);
    }
  }

  private record Line(boolean fromClient, byte[] bytes, int missing) {}

  private static final ProtocolRegistry REGISTRY = ProtocolRegistry.with(List.of());

  private final List<Line> lines = new ArrayList<>();

  /** Adds a line. */
  public Script client(String text) {
    return client(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Adds a line. */
  public Script client(byte[] bytes) {
    lines.add(new Line(true, bytes, 0));
    return this;
  }

  /** Adds a line. */
  public Script server(String text) {
    return server(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Adds a line. */
  public Script server(byte[] bytes) {
    lines.add(new Line(false, bytes, 0));
    return this;
  }

  /** Adds a line of the client of which the last bytes were not captured. */
  public Script clientWithoutEnd(byte[] bytes, int missing) {
    lines.add(new Line(true, bytes, missing));
    return this;
  }

  /** Adds a line of the server of which the last bytes were not captured. */
  public Script serverWithoutEnd(String text, int missing) {
    return serverWithoutEnd(text.getBytes(StandardCharsets.ISO_8859_1), missing);
  }

  /** Adds a line of the server of which the last bytes were not captured. */
  Script serverWithoutEnd(byte[] bytes, int missing) {
    lines.add(new Line(false, bytes, missing));
    return this;
  }

  /** The number of lines. */
  public int lines() {
    return lines.size();
  }

  /** The bytes of all lines. */
  public int bytes() {
    return lines.stream().mapToInt(line -> line.bytes.length).sum();
  }

  /** The first bytes of it. */
  public Script upTo(int bytes) {
    Script beginning = new Script();
    int left = bytes;
    for (Line line : lines) {
      if (left <= 0) {
        break;
      }
      int count = Math.min(left, line.bytes.length);
      beginning.lines.add(new Line(line.fromClient, Arrays.copyOf(line.bytes, count), 0));
      left -= count;
    }
    return beginning;
  }

  /** This and then another one. */
  public Script then(Script other) {
    lines.addAll(other.lines);
    return this;
  }

  /** The bytes of a line. */
  public byte[] line(int number) {
    return lines.get(number).bytes.clone();
  }

  /** The lines from one on. */
  public Script from(int line) {
    return between(line, lines.size());
  }

  /** The lines from one to before another. */
  public Script between(int from, int to) {
    Script part = new Script();
    part.lines.addAll(lines.subList(from, to));
    return part;
  }

  /**
   * Writes the lines as packets of a connection that is opened and closed: line i at a time, in
   * segments of at most a size.
   */
  public void write(
      TcpCapture.Connection connection, long startNanos, long stepNanos, int segmentBytesMax) {
    connection.open(startNanos);
    connection.close(writeJoined(connection, startNanos, stepNanos, segmentBytesMax) + stepNanos);
  }

  /**
   * Writes the lines as packets of a connection that was opened before the capture and outlasts it;
   * returns the time of the last.
   */
  public long writeJoined(
      TcpCapture.Connection connection, long startNanos, long stepNanos, int segmentBytesMax) {
    long nanos = startNanos;
    for (Line line : lines) {
      nanos += stepNanos;
      connection.send(line.fromClient, nanos, line.bytes, segmentBytesMax);
      if (line.missing > 0) {
        connection.lose(line.fromClient, line.missing);
      }
    }
    return nanos;
  }

  /** Makes the decoder of a run. */
  public interface DecoderMaker {
    /** A decoder of a connection. */
    Decoder make(DecoderContext context, DecoderOutput output);
  }

  /** Plays every line as one segment; line i at time i. */
  public List<Row> play(DecoderMaker maker, Ending ending) {
    return play(maker, ending, null, 0);
  }

  /** Plays to a decoder that recognises the protocol, of this package or one of some others. */
  public List<Row> play(List<Protocol> others, Ending ending) {
    return play(
        ProtocolRegistry.with(others),
        (context, output) -> new RecognisingDecoder(context, output, Protocol.Entry.BEGINNING),
        ending,
        null,
        0);
  }

  /**
   * Plays with lines cut anywhere, and damaged with a probability: bytes changed, dropped or
   * missing.
   */
  public List<Row> play(
      DecoderMaker maker, Ending ending, RandomGenerator random, double damageShare) {
    return play(REGISTRY, maker, ending, random, damageShare);
  }

  /**
   * Plays to a decoder that recognises one of some protocols, with lines cut anywhere and damaged
   * with a probability, or each as one segment if there is no generator.
   */
  public List<Row> play(
      ProtocolRegistry registry, Ending ending, RandomGenerator random, double damageShare) {
    return play(
        registry,
        (context, output) -> new RecognisingDecoder(context, output, Protocol.Entry.BEGINNING),
        ending,
        random,
        damageShare);
  }

  /** The sketches of the values of the requests that {@link #play} gives, in their order. */
  public List<Long> carriedValues(DecoderMaker maker) {
    List<Long> sketches = new ArrayList<>();
    play(
        (context, output) ->
            maker.make(
                context,
                (requestClass, request, outcome) -> {
                  sketches.add(request.carriedValues);
                  output.request(requestClass, request, outcome);
                }),
        Ending.CAPTURE_ENDED);
    return sketches;
  }

  /** The bytes of memory that a decoder holds behind the last line, before its connection ends. */
  int memoryTaken(DecoderMaker maker) {
    DecoderContext context = new DecoderContext(new Counters(), REGISTRY, 1_000);
    Decoder decoder = maker.make(context, (requestClass, request, outcome) -> {});
    for (int time = 0; time < lines.size(); time++) {
      Line line = lines.get(time);
      say(decoder, line.fromClient, line.bytes, 0, line.bytes.length, time, null);
    }
    return context.memory.taken();
  }

  private List<Row> play(
      ProtocolRegistry registry,
      DecoderMaker maker,
      Ending ending,
      RandomGenerator random,
      double damageShare) {
    DecoderContext context = new DecoderContext(new Counters(), registry, 1_000);
    List<Row> rows = new ArrayList<>();
    Decoder decoder =
        maker.make(
            context,
            (requestClass, request, outcome) ->
                rows.add(row(context, requestClass, request, outcome)));
    for (int time = 0; time < lines.size(); time++) {
      Line line = lines.get(time);
      int at = 0;
      while (at < line.bytes.length) {
        int rest = line.bytes.length - at;
        int most = random == null ? rest : Math.min(rest, 1 << random.nextInt(11));
        int count = random == null ? rest : random.nextInt(1, most + 1);
        boolean damage = random != null && random.nextDouble() < damageShare;
        say(decoder, line.fromClient, line.bytes, at, at + count, time, damage ? random : null);
        at += count;
      }
      if (line.missing > 0) {
        missing(decoder, line.fromClient, line.missing, time);
      }
    }
    decoder.end(ending, moment(lines.size()));
    if (context.memory.taken() != 0) {
      throw new AssertionError(context.memory.taken() + " bytes were not given back");
    }
    return rows;
  }

  static Row row(DecoderContext context, int requestClass, OpenRequest request, Outcome outcome) {
    return new Row(
        context.classes.name(requestClass),
        request.arrivalNanos,
        Math.max(request.arrivalNanos, request.departureNanos),
        request.bytesIn,
        request.bytesOut,
        outcome,
        request.identifier);
  }

  /** Line i is said at time i, in a packet of its own. */
  static Moment moment(int line) {
    Moment moment = new Moment();
    moment.set(line, line + 1);
    return moment;
  }

  private static void say(
      Decoder decoder,
      boolean fromClient,
      byte[] bytes,
      int from,
      int to,
      int time,
      RandomGenerator damage) {
    byte[] said = bytes;
    if (damage != null) {
      int kind = damage.nextInt(3);
      if (kind == 0) {
        return;
      }
      if (kind == 1) {
        missing(decoder, fromClient, damage.nextInt(1, 2 * (to - from) + 1), time);
        return;
      }
      said = bytes.clone();
      said[damage.nextInt(from, to)] = (byte) damage.nextInt();
    }
    if (fromClient) {
      decoder.clientData(said, from, to, moment(time));
    } else {
      decoder.serverData(said, from, to, moment(time));
    }
  }

  private static void missing(Decoder decoder, boolean fromClient, int count, int time) {
    if (fromClient) {
      decoder.clientMissing(count, moment(time));
    } else {
      decoder.serverMissing(count, moment(time));
    }
  }
}
