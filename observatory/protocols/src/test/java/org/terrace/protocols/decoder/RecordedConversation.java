package org.terrace.protocols.decoder;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.terrace.protocols.decoder.Script.Row;
import org.terrace.wire.CaptureSource;
import org.terrace.wire.ConversationReader;
import org.terrace.wire.file.CaptureSecrets;
import org.terrace.wire.file.HostNames;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Moment;
import org.terrace.wire.tcp.TcpLimits;
import org.terrace.wire.tcp.TrafficTable;

/** The words of one connection of a capture, as its client and its server said them in turn. */
public final class RecordedConversation {
  /** One stretch of bytes of one side. */
  private record Said(boolean fromClient, byte[] bytes) {}

  private final List<Said> said = new ArrayList<>();

  private RecordedConversation() {}

  /** The conversations of a capture among the resources, which must be whole. */
  public static List<RecordedConversation> of(String capture) {
    List<RecordedConversation> conversations = new ArrayList<>();
    ConversationReader reader =
        new ConversationReader(
            new TcpLimits(1_000, 1 << 20, 1 << 20, 1L << 60),
            16,
            new Counters(),
            new HostNames(),
            CaptureSecrets.NONE,
            new TrafficTable(),
            connection -> {
              RecordedConversation conversation = new RecordedConversation();
              conversations.add(conversation);
              return conversation.recorder(connection);
            });
    reader.read(CaptureSource.stream("test", resource(capture)));
    reader.end();
    return conversations;
  }

  private static InputStream resource(String capture) {
    String path = "/captures/" + capture;
    try (InputStream input = RecordedConversation.class.getResourceAsStream(path)) {
      return new ByteArrayInputStream(Objects.requireNonNull(input).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Conversation recorder(Connection connection) {
    return new Conversation() {
      @Override
      public void data(int direction, byte[] bytes, int from, int to, Moment moment) {
        boolean fromClient = direction == connection.openerDirection();
        said.add(new Said(fromClient, Arrays.copyOfRange(bytes, from, to)));
      }

      @Override
      public void missing(int direction, long byteCount, Moment moment) {
        throw new AssertionError(byteCount + " bytes are missing");
      }

      @Override
      public void finished(int direction, Moment moment) {}

      @Override
      public void end(Ending ending, Moment moment) {}
    };
  }

  /** The bytes of both sides. */
  public int length() {
    return said.stream().mapToInt(each -> each.bytes.length).sum();
  }

  /** The whole of it, each stretch in one piece. */
  public Script script() {
    return script(length(), Integer.MAX_VALUE);
  }

  /** Its first bytes, in pieces of at most so many. */
  public Script script(int bytes, int pieceBytesMax) {
    Script script = new Script();
    int left = bytes;
    for (Said each : said) {
      int count = Math.min(left, each.bytes.length);
      for (int at = 0; at < count; at += Math.min(count - at, pieceBytesMax)) {
        int end = at + Math.min(count - at, pieceBytesMax);
        byte[] piece = Arrays.copyOfRange(each.bytes, at, end);
        if (each.fromClient) {
          script.client(piece);
        } else {
          script.server(piece);
        }
      }
      left -= count;
    }
    return script;
  }

  /** A request as text, without its times. */
  public static String withoutTimes(Row row) {
    return row.requestClass() + " " + row.bytesIn() + " " + row.bytesOut() + " " + row.outcome();
  }
}
