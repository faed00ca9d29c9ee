package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.observation.Outcome;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;

/** The words of client and server in turn, played to a decoder in segments of any size. */
final class Script {
  /** One request as a decoder gives it. */
  record Row(
      String requestClass,
      long arrival,
      long departure,
      long bytesIn,
      long bytesOut,
      Outcome outcome) {}

  private record Line(boolean fromClient, byte[] bytes) {}

  private final List<Line> lines = new ArrayList<>();

  Script client(String text) {
    return client(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  Script client(byte[] bytes) {
    lines.add(new Line(true, bytes));
    return this;
  }

  Script server(String text) {
    return server(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  Script server(byte[] bytes) {
    lines.add(new Line(false, bytes));
    return this;
  }

  /** Makes the decoder of a run. */
  interface DecoderMaker {
    Decoder make(DecoderContext context, DecoderOutput output);
  }

  /** Plays every line as one segment; line i at time i. */
  List<Row> play(DecoderMaker maker, Ending ending) {
    return play(maker, ending, null, 0);
  }

  /**
   * Plays with lines cut anywhere, and damaged with a probability: bytes changed, dropped or
   * missing.
   */
  List<Row> play(DecoderMaker maker, Ending ending, RandomGenerator random, double damageShare) {
    DecoderContext context = new DecoderContext(new Counters(), 1_000);
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
        outcome);
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
