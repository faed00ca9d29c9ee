package org.terrace.middleware.terrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Encoder;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.testing.Seeds;

@Tag("real-processes")
@Tag("untimed")
class GarbageTest {
  private static final int CONNECTIONS = 300;
  private static final int HEADER_BYTES = 4;

  @Test
  void aServerSurvivesGarbageCountsItAndServesOn() throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("GarbageTest"));
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
}
