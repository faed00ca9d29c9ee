package org.terrace.middleware.terrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.testing.Seeds;

@Tag("real-processes")
class FramesTest {
  private static final int MUTATIONS = 200_000;
  private static final int CONNECTIONS = 300;
  private static final int HEADER_BYTES = 4;

  @Test
  void aCallIsReadAsItWasWritten() {
    RandomGenerator random = Seeds.generator(Seeds.next("FramesTest"));
    for (int i = 0; i < 1_000; i++) {
      CallRequest request = request(random);
      Decoder in = new Decoder(content(request, i));
      Frames.expect(in, Frames.CALL);
      Frames.NumberedCall read = Frames.getCall(in);

      assertThat(read.number()).isEqualTo(i);
      assertThat(read.request()).usingRecursiveComparison().isEqualTo(request);
    }
  }

  @Test
  void damagedFramesAreRefusedAndNothingElseHappens() {
    RandomGenerator random = Seeds.generator(Seeds.next("FramesTest"));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] content = damage(content(request(random), i), random);
      try {
        Decoder in = new Decoder(content);
        int kind = in.getByte();
        if (kind == Frames.CALL) {
          Frames.getCall(in);
        } else if (kind == Frames.REPLY) {
          Frames.getReply(in);
        } else if (kind == Frames.HELLO) {
          Frames.getHello(new Decoder(content));
        }
      } catch (MalformedDataException e) {
        refused++;
      }
    }

    assertThat(refused).isGreaterThan(MUTATIONS / 10);
  }

  @Test
  void aServerSurvivesGarbageCountsItAndServesOn() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("FramesTest"));
    TerraceMiddleware middleware = new TerraceMiddleware();
    AtomicInteger served = new AtomicInteger();
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Listener listener =
        middleware.listen(
            anywhere,
            request -> {
              served.incrementAndGet();
              return new CallReply(CallReply.Status.RESULT, request.arguments());
            })) {
      Endpoint endpoint = listener.endpoint("server1");
      for (int i = 0; i < CONNECTIONS; i++) {
        sendGarbage(endpoint, random);
      }

      try (CallChannel channel = middleware.connect(endpoint, Duration.ofSeconds(5))) {
        byte[] arguments = {1, 2, 3};
        CallRequest request =
            new CallRequest("s", "m", new RequestIdentity(1, 1), 1, 1_000_000, true, arguments);
        CallReply reply = channel.call(request, Duration.ofSeconds(5));
        assertThat(reply.body()).containsExactly(arguments);
      }
      TransportCounters counters = middleware.counters();
      assertThat(counters.framesMalformed() + counters.framesTooLarge()).isPositive();
    }
  }

  private static void sendGarbage(Endpoint endpoint, RandomGenerator random) throws IOException {
    try (Socket socket = new Socket(endpoint.host(), endpoint.port())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      if (random.nextBoolean()) {
        Encoder hello = new Encoder();
        Frames.putHello(hello, random.nextBoolean(), "");
        out.writeInt(hello.length() - HEADER_BYTES);
        out.write(hello.array(), HEADER_BYTES, hello.length() - HEADER_BYTES);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(in.readInt());
      }
      byte[] garbage = new byte[random.nextInt(64)];
      random.nextBytes(garbage);
      out.writeInt(random.nextInt(4) == 0 ? random.nextInt() : garbage.length);
      out.write(garbage);
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (IOException refused) {
      assertThat(refused).isNotNull();
    }
  }

  private static byte[] content(CallRequest request, long number) {
    Encoder out = new Encoder();
    Frames.putCall(out, number, request);
    return Arrays.copyOfRange(out.array(), HEADER_BYTES, out.length());
  }

  private static CallRequest request(RandomGenerator random) {
    byte[] arguments = new byte[random.nextInt(40)];
    random.nextBytes(arguments);
    return new CallRequest(
        "service" + random.nextInt(10),
        "method:" + Long.toHexString(random.nextLong()),
        new RequestIdentity(random.nextLong(), random.nextLong(1, Long.MAX_VALUE)),
        random.nextLong(1, Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE),
        random.nextBoolean(),
        arguments);
  }

  private static byte[] damage(byte[] content, RandomGenerator random) {
    byte[] damaged = content;
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && damaged.length > 1; i++) {
      if (random.nextInt(3) == 0) {
        damaged = Arrays.copyOf(damaged, 1 + random.nextInt(damaged.length + 8));
      } else {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
    }
    return damaged;
  }
}
