package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;
import org.terrace.control.link.Link;

/** A naming process that says nothing any more, as one whose host vanished. */
@Tag("real-processes")
@Tag("long")
class SilentNamingTest {
  private static final int PATIENCE_MILLIS = 20_000;

  /** Longer, in seconds, than a connection without an answer lasts. */
  private static final int ANSWERS = 7;

  @Test
  void aConnectionLastsWhileQuestionsAreAnsweredAndIsMadeAnewWhenTheyAreNot() throws Exception {
    try (ServerSocket door = new ServerSocket()) {
      door.bind(new InetSocketAddress("127.63.7.3", 0));
      door.setSoTimeout(PATIENCE_MILLIS);
      InetSocketAddress address = (InetSocketAddress) door.getLocalSocketAddress();
      try (NamingClient client = NamingClient.open(List.of(address));
          Link answering = Link.accept(door.accept(), ControlSecret.none())) {
        for (int i = 0; i < ANSWERS; i++) {
          assertThat(NamingCodec.decode(answering.receive()))
              .isEqualTo(new NamingMessage.Resolve(Long.MAX_VALUE, ""));
          answering.send(NamingCodec.encode(new NamingMessage.Resolved(Long.MAX_VALUE, null)));
        }
        try (Link another = Link.accept(door.accept(), ControlSecret.none())) {
          assertThat(NamingCodec.decode(another.receive()))
              .isEqualTo(new NamingMessage.Resolve(Long.MAX_VALUE, ""));
        }
        assertThat(client.resolve("seats")).isEmpty();
      }
    }
  }
}
