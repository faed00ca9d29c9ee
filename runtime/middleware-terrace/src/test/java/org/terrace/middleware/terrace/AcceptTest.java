package org.terrace.middleware.terrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Encoder;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.PendingCall;
import org.terrace.testing.Await;

/** The door of a replica on a machine that lacks something for a while. */
@Tag("real-processes")
@Tag("untimed")
class AcceptTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int FAILURES = 3;

  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void theDoorStaysOpenWhenThereAreNoThreadsForAWhile() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    TransportCounters counters = new TransportCounters();
    try (Listener listener =
        TerraceListener.open(
            ANYWHERE,
            request -> new CallReply(CallReply.Status.RESULT, request.arguments()),
            TransportOptions.defaults(),
            counters,
            work -> {
              if (asked.incrementAndGet() <= FAILURES) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return Thread.ofPlatform().daemon().unstarted(work);
            })) {
      TerraceMiddleware middleware = new TerraceMiddleware();
      for (int i = 0; i < FAILURES; i++) {
        assertThatThrownBy(() -> middleware.connect(listener.endpoint("r"), PATIENCE))
            .isInstanceOf(IOException.class);
      }
      try (CallChannel channel = middleware.connect(listener.endpoint("r"), PATIENCE)) {
        byte[] arguments = "hello".getBytes(StandardCharsets.UTF_8);
        CallRequest request =
            new CallRequest(
                "s", "m", new RequestIdentity(1, 1), 1, 1_000_000_000L, true, arguments);
        assertThat(channel.call(request, PATIENCE).body()).isEqualTo(arguments);
      }
      assertThat(counters.connectionsRefused()).isEqualTo(FAILURES);
    }
  }

  @Test
  void callsTravelOverIpv6() throws Exception {
    TerraceMiddleware middleware = new TerraceMiddleware();
    byte[] loopback = new byte[16];
    loopback[15] = 1;
    try (Listener listener =
        middleware.listen(
            new InetSocketAddress(InetAddress.getByAddress(loopback), 0),
            request -> new CallReply(CallReply.Status.RESULT, request.arguments()))) {
      Endpoint replica = listener.endpoint("r");
      assertThat(replica.host()).contains(":");
      byte[] arguments = "hello".getBytes(StandardCharsets.UTF_8);
      try (CallChannel channel = middleware.connect(replica, PATIENCE)) {
        CallRequest request =
            new CallRequest(
                "s", "m", new RequestIdentity(1, 1), 1, 1_000_000_000L, true, arguments);
        assertThat(channel.call(request, PATIENCE).body()).isEqualTo(arguments);
        channel.check(PATIENCE);
      }
    }
  }

  @Test
  void aCheckHasAPlaceWhileCallsHaveAllOfTheirs() throws Exception {
    TerraceMiddleware middleware =
        new TerraceMiddleware(TransportOptions.defaults().withConnectionsMax(2));
    try (Listener listener =
        middleware.listen(
            ANYWHERE, request -> new CallReply(CallReply.Status.RESULT, request.arguments()))) {
      Endpoint replica = listener.endpoint("r");
      try (CallChannel first = middleware.connect(replica, PATIENCE);
          CallChannel second = middleware.connect(replica, PATIENCE)) {
        assertThatThrownBy(() -> middleware.connect(replica, PATIENCE))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("has no place");
        CallRequest request =
            new CallRequest(
                "s", "m", new RequestIdentity(1, 1), 1, 1_000_000_000L, true, new byte[0]);
        PendingCall underWay = first.begin(request);
        assertThatThrownBy(() -> first.begin(request))
            .isInstanceOf(CallFailedException.class)
            .hasMessageContaining("has no place");
        assertThat(first.isOpen()).as("for want of one connection more").isTrue();
        assertThat(underWay.await(PATIENCE.toNanos())).isNotNull();

        middleware.check(replica, PATIENCE);
        second.check(PATIENCE);
      }
    }
  }

  @Test
  void anAnnouncedFrameCostsNoMemoryBeforeItArrives() throws Exception {
    int connections = 200;
    List<Socket> sockets = new ArrayList<>();
    TerraceMiddleware middleware = new TerraceMiddleware();
    try (Listener listener =
        middleware.listen(
            ANYWHERE, request -> new CallReply(CallReply.Status.RESULT, request.arguments()))) {
      long before = used();
      for (int i = 0; i < connections; i++) {
        Socket socket = new Socket(listener.endpoint("r").host(), listener.endpoint("r").port());
        sockets.add(socket);
        Encoder hello = new Encoder();
        Frames.putHello(hello, false, "");
        new FramedSocket(socket, 1 << 10).write(hello);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(16 << 20);
        out.writeByte(Frames.CALL);
        out.flush();
      }
      assertThat(Await.until(PATIENCE, () -> middleware.counters().connections() >= connections))
          .isTrue();
      assertThat(used() - before).isLessThan(connections * (256L << 10));
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
