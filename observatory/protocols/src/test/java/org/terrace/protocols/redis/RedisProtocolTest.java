package org.terrace.protocols.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.protocols.decoder.Protocol.Match;
import org.terrace.protocols.decoder.Protocol.Side;

class RedisProtocolTest {
  private final RedisProtocol protocol = new RedisProtocol();

  private static byte[] bytes(String escaped) {
    return escaped.translateEscapes().getBytes(StandardCharsets.ISO_8859_1);
  }

  private Match start(String escaped) {
    byte[] bytes = bytes(escaped);
    return protocol.ofClientStart(bytes, 0, bytes.length);
  }

  private @Nullable Side sender(String escaped) {
    byte[] bytes = bytes(escaped);
    return protocol.senderOf(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @CsvSource({
    "*1\\r\\n$4\\r\\nPING\\r\\n, YES",
    "*12345\\r\\n, YES",
    "PING\\r\\n, YES",
    "HELLO 3, YES",
    "*, MORE",
    "*1\\r, MORE",
    "PIN, MORE",
    "*123456\\r, NO",
    "*1\\r\\n:, NO",
    "*x, NO",
    "* OK, NO",
    "PINGS, NO"
  })
  void firstBytesOfAClientTell(String text, Match expected) {
    assertThat(start(text)).isEqualTo(expected);
  }

  @Test
  void connectionThatIsRefusedIsToldByTheServer() {
    byte[] refusal = bytes("-ERR max number of clients reached\\r\\n");

    assertThat(protocol.ofServerStart(refusal, 0, refusal.length)).isEqualTo(Match.YES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*2\\r\\n$3\\r\\nGET\\r\\n$1\\r\\na\\r\\n",
        "*3\\r\\n$3\\r\\nset\\r\\n$1\\r\\na\\r\\n$100000\\r\\nxx"
      })
  void commandInMidStreamIsOfAClient(String text) {
    assertThat(sender(text)).isEqualTo(Side.CLIENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+OK\\r\\n",
        "$-1\\r\\n",
        "$2\\r\\nab\\r\\n",
        "*3\\r\\n$7\\r\\nmessage\\r\\n$1\\r\\na\\r\\n$1\\r\\nb\\r\\n"
      })
  void replyInMidStreamIsOfAServer(String text) {
    assertThat(sender(text)).isEqualTo(Side.SERVER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+OK POP3 ready\\r\\n",
        "$2\\r\\nabc\\r\\n",
        "$",
        "*",
        "*1\\r\\n$5\\r\\nsomeone\\r\\n",
        "*1\\r\\n$99999\\r\\n",
        "GET / HTTP/1.1\\r\\n"
      })
  void anythingElseTellsNothing(String text) {
    assertThat(sender(text)).isNull();
  }
}
