package org.terrace.protocols.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufUtil;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.protocols.text.MemoryBudget;
import org.terrace.testing.Seeds;

/** The examples of RFC 7541, appendix C, and what Netty's encoder makes of random headers. */
class HpackDecoderTest {
  private static final int BLOCKS = 300;
  private static final int CASES = 3_000;

  private final MemoryBudget memory = new MemoryBudget();
  private final HeaderBlock headers = new HeaderBlock();

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private void decode(HpackDecoder decoder, byte[] block) {
    headers.clear();
    assertThat(decoder.decode(block, 0, block.length, headers)).isTrue();
  }

  private String path() {
    return new String(headers.path(), 0, headers.pathLength(), StandardCharsets.ISO_8859_1);
  }

  private void assertRequests(String... blocks) {
    HpackDecoder decoder = new HpackDecoder(memory);
    List<String> paths = List.of("/", "/", "/index.html");
    for (int i = 0; i < blocks.length; i++) {
      decode(decoder, hex(blocks[i]));
      assertThat(headers.method()).isEqualTo("GET");
      assertThat(path()).isEqualTo(paths.get(i));
      assertThat(headers.isComplete()).isTrue();
    }
  }

  private void assertResponses(String... blocks) {
    HpackDecoder decoder = new HpackDecoder(memory);
    List<Long> statuses = List.of(302L, 307L, 200L);
    for (int i = 0; i < blocks.length; i++) {
      decode(decoder, hex(blocks[i]));
      assertThat(headers.status()).isEqualTo(statuses.get(i));
      assertThat(headers.isComplete()).isTrue();
    }
  }

  @Test
  void representationsOfTheStandardAreDecoded() {
    HpackDecoder decoder = new HpackDecoder(memory);
    decode(decoder, hex("040c 2f73 616d 706c 652f 7061 7468"));
    assertThat(path()).isEqualTo("/sample/path");
    decode(decoder, hex("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"));
    assertThat(headers.isComplete()).isTrue();
    decode(decoder, hex("82"));
    assertThat(headers.method()).isEqualTo("GET");
  }

  @Test
  void requestsOfTheStandardAreDecoded() {
    assertRequests(
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65");
    assertRequests(
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
  }

  @Test
  void responsesOfTheStandardAreDecoded() {
    assertResponses(
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a"
            + "3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04"
            + "677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745"
            + "4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31");
    assertResponses(
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e"
            + "919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7"
            + "821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0"
            + "03ed 4ee5 b106 3d50 07");
  }

  /** One block of random headers, and the truth about it. */
  private record EncodedBlock(byte[] block, String method, String path) {}

  private static List<EncodedBlock> sent(RandomGenerator random) throws Http2Exception {
    List<EncodedBlock> sent = new ArrayList<>();
    try (DefaultHttp2HeadersEncoder encoder =
        new DefaultHttp2HeadersEncoder((name, value) -> random.nextInt(8) == 0)) {
      encoder.maxHeaderTableSize(random.nextInt(3) == 0 ? 200 : 4096);
      for (int i = 0; i < BLOCKS; i++) {
        String method = random.nextInt(3) == 0 ? "PUT" : "POST";
        String path = "/items/" + random.nextInt(12) + "/\u00e9~".repeat(random.nextInt(3));
        DefaultHttp2Headers headers = new DefaultHttp2Headers(false);
        headers.add(":method", method).add(":path", path);
        for (int each = random.nextInt(4); each > 0; each--) {
          headers.add("name-" + random.nextInt(30), "value".repeat(random.nextInt(20)));
        }
        headers.add("content-type", "application/grpc").add("grpc-status", "13");
        ByteBuf block = Unpooled.buffer();
        encoder.encodeHeaders(1, headers, block);
        sent.add(new EncodedBlock(ByteBufUtil.getBytes(block), method, path));
      }
    }
    return sent;
  }

  @Test
  void headersThatNettyEncodesAreDecoded() throws Http2Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("hpack"));
    HpackDecoder decoder = new HpackDecoder(memory);
    for (EncodedBlock each : sent(random)) {
      decode(decoder, each.block);
      assertThat(headers.method()).isEqualTo(each.method);
      assertThat(path()).isEqualTo(each.path);
      assertThat(headers.isGrpc()).isTrue();
      assertThat(headers.grpcStatus()).isEqualTo(13);
      assertThat(headers.isComplete()).isTrue();
    }
    decoder.forget();
    assertThat(memory.taken()).isZero();
  }

  @Test
  void headersSentOutOfSightAreUnknownAndNeverWrong() throws Http2Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("hpack-midway"));
    List<EncodedBlock> sent = sent(random);
    int known = 0;
    for (int from = 1; from < sent.size(); from += 10) {
      HpackDecoder decoder = new HpackDecoder(memory);
      for (EncodedBlock each : sent.subList(from, sent.size())) {
        decode(decoder, each.block);
        if (headers.hasMethod()) {
          assertThat(headers.method()).isEqualTo(each.method);
        }
        if (headers.hasPath()) {
          assertThat(path()).isEqualTo(each.path);
          known++;
        } else {
          assertThat(headers.isComplete()).isFalse();
        }
      }
    }
    assertThat(known).isPositive();
  }

  @Test
  void noiseNeverFails() {
    RandomGenerator random = Seeds.generator(Seeds.next("hpack-noise"));
    HpackDecoder decoder = new HpackDecoder(memory);
    for (int i = 0; i < CASES; i++) {
      byte[] block = new byte[random.nextInt(80)];
      random.nextBytes(block);
      headers.clear();
      assertThatCode(() -> decoder.decode(block, 0, block.length, headers))
          .doesNotThrowAnyException();
    }
    decoder.forget();
    assertThat(memory.taken()).isZero();
  }

  @Test
  void tableIsBoundedAndTheNewestAreKept() {
    HeaderTable table = new HeaderTable(memory);
    for (int i = 0; i < 3 * HeaderTable.KEPT_MAX; i++) {
      byte[] path = ("/" + i).getBytes(StandardCharsets.US_ASCII);
      table.add(HeaderName.PATH, path, path.length);
    }

    assertThat(table.value(62)).asString().isEqualTo("/" + (3 * HeaderTable.KEPT_MAX - 1));
    assertThat(table.name(61 + HeaderTable.KEPT_MAX)).isEqualTo(HeaderName.PATH);
    assertThat(table.name(62 + HeaderTable.KEPT_MAX)).isEqualTo(HeaderName.UNKNOWN);
    assertThat(memory.taken()).isLessThan(64 << 10);
    table.release();
    assertThat(memory.taken()).isZero();
  }
}
