package org.terrace.microbenchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Conversation.Ending;
import org.terrace.wire.tcp.Conversations;
import org.terrace.wire.tcp.Moment;

/**
 * The bytes of both sides of a capture's connections, as reassembly cut them, ready to be decoded
 * again. Immutable once recorded.
 */
final class RecordedStreams {
  /** One call of a conversation; {@code bytes} is empty for the end of a direction. */
  private record Call(int conversation, int direction, byte[] bytes, Moment moment) {}

  private final List<Connection> connections = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final Moment last = new Moment();

  private RecordedStreams() {}

  /** The streams of a capture. */
  static RecordedStreams of(Packets packets) {
    RecordedStreams streams = new RecordedStreams();
    packets.reassemble(streams::open);
    return streams;
  }

  private static Moment copy(Moment moment) {
    Moment copy = new Moment();
    copy.set(moment.timeNanos(), moment.frame());
    return copy;
  }

  private Conversation open(Connection connection) {
    int number = connections.size();
    connections.add(connection);
    return new Conversation() {
      @Override
      public void data(int direction, byte[] bytes, int from, int to, Moment moment) {
        calls.add(new Call(number, direction, Arrays.copyOfRange(bytes, from, to), copy(moment)));
      }

      @Override
      public void missing(int direction, long byteCount, Moment moment) {
        throw new IllegalStateException(byteCount + " bytes are missing in a whole capture");
      }

      @Override
      public void finished(int direction, Moment moment) {
        calls.add(new Call(number, direction, new byte[0], copy(moment)));
      }

      @Override
      public void end(Ending ending, Moment moment) {
        last.set(Math.max(last.timeNanos(), moment.timeNanos()), moment.frame());
      }
    };
  }

  /** Says everything again, in the order in which it was captured. */
  void replay(Conversations listener) {
    Conversation[] open = new Conversation[connections.size()];
    for (int i = 0; i < open.length; i++) {
      open[i] = listener.open(connections.get(i));
    }
    for (Call call : calls) {
      Conversation conversation = open[call.conversation()];
      byte[] bytes = call.bytes();
      if (bytes.length == 0) {
        conversation.finished(call.direction(), call.moment());
      } else {
        conversation.data(call.direction(), bytes, 0, bytes.length, call.moment());
      }
    }
    for (Conversation conversation : open) {
      conversation.end(Ending.CLOSED, last);
    }
  }
}
