package org.terrace.middleware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.RequestIdentity;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.testing.Seeds;

/** The requirements that every {@link Middleware} must meet, on real sockets and a real process. */
public abstract class MiddlewareConformance {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long CLIENT = 0xfedc_ba98_7654_3210L;
  private static final int LARGE_BYTES = 4 << 20;

  private final String name;
  private final String host;
  private final CarriedCalls calls = new CarriedCalls();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private Middleware middleware;

  /**
   * The suite for a middleware.
   *
   * @param name the name that the class path knows it by
   * @param host the address that its replicas listen at
   */
  protected MiddlewareConformance(String name, String host) {
    this.name = name;
    this.host = host;
  }

  @BeforeEach
  final void find() {
    middleware = Middlewares.byName(name);
  }

  @AfterEach
  final void closeAll() throws Exception {
    calls.release();
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  @Test
  void argumentsAndResultsAreCarried() throws Exception {
    CallChannel channel = connect(listen());
    byte[] bytes = {0, 1, -1, 127, -128};

    CallReply reply = channel.call(request(1, CarriedCalls.ECHO, bytes), PATIENCE);

    assertThat(reply.status()).isEqualTo(CallReply.Status.RESULT);
    assertThat(reply.body()).isEqualTo(bytes);
  }

  @Test
  void everyPartOfACallIsCarried() throws Exception {
    CallChannel channel = connect(listen());
    CallRequest request =
        new CallRequest(
            "park-n-park",
            CarriedCalls.DESCRIBE,
            new RequestIdentity(CLIENT, 1L << 40),
            1L << 39,
            PATIENCE.toNanos(),
            true,
            new byte[0]);

    CallReply reply = channel.call(request, PATIENCE);

    assertThat(new String(reply.body(), StandardCharsets.UTF_8))
        .isEqualTo(new String(CarriedCalls.describe(request), StandardCharsets.UTF_8));
  }

  @Test
  void refusalsAndRejectionsAreReplies() throws Exception {
    CallChannel channel = connect(listen());

    CallReply refusal = channel.call(request(1, CarriedCalls.REFUSE, bytes("full")), PATIENCE);
    CallReply elsewhere = channel.call(request(2, CarriedCalls.NOT_PRIMARY), PATIENCE);
    CallReply rejection = channel.call(request(3, "no-such-method"), PATIENCE);

    assertThat(refusal.status()).isEqualTo(CallReply.Status.REFUSED);
    assertThat(refusal.body()).isEqualTo(bytes("full"));
    assertThat(elsewhere.status()).isEqualTo(CallReply.Status.NOT_PRIMARY);
    assertThat(rejection.status()).isEqualTo(CallReply.Status.REJECTED);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void largePayloadsAreCarriedBothWays() throws Exception {
    CallChannel channel = connect(listen());
    byte[] large = new byte[LARGE_BYTES];
    Seeds.generator(Seeds.next("largePayloadsAreCarriedBothWays")).nextBytes(large);

    CallReply there = channel.call(request(1, CarriedCalls.ECHO, large), PATIENCE);
    byte[] wanted = ByteBuffer.allocate(Integer.BYTES).putInt(LARGE_BYTES).array();
    CallReply back = channel.call(request(2, CarriedCalls.SIZED, wanted), PATIENCE);

    assertThat(there.body()).isEqualTo(large);
    assertThat(back.body()).hasSize(LARGE_BYTES);
  }

  @Test
  void callsOfManyThreadsGetTheirOwnReplies() throws Exception {
    CallChannel channel = connect(listen());
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Future<Boolean>> ends = new ArrayList<>();
      for (int caller = 1; caller <= 8; caller++) {
        long base = caller * 1_000L;
        ends.add(callers.submit(() -> callsAnswerThemselves(channel, base)));
      }
      for (Future<Boolean> end : ends) {
        assertThat(end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThat(calls.count()).isEqualTo(8 * 50);
  }

  private static boolean callsAnswerThemselves(CallChannel channel, long base) throws Exception {
    for (long sequence = base; sequence < base + 50; sequence++) {
      byte[] own = bytes("call " + sequence);
      CallReply reply = channel.call(request(sequence, CarriedCalls.ECHO, own), PATIENCE);
      if (!Arrays.equals(reply.body(), own)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aCallThatBlocksTimesOutAndLetsOthersPass() throws Exception {
    CallChannel channel = connect(listen());
    CallRequest blocked = request(1, CarriedCalls.BLOCK);

    CallFailedException failure = failure(channel, blocked, Duration.ofMillis(300));

    assertThat(failure.timedOut()).isTrue();
    assertThat(failure.executed()).isTrue();
    assertThat(channel.call(request(2, CarriedCalls.ECHO), PATIENCE).status())
        .isEqualTo(CallReply.Status.RESULT);
  }

  @Test
  void aPendingCallIsWaitedForByAnotherThread() throws Exception {
    CallChannel channel = connect(listen());
    CountDownLatch told = new CountDownLatch(1);

    PendingCall pending = channel.begin(request(1, CarriedCalls.BLOCK));
    assertThat(pending.await(1_000_000)).isNull();
    pending.detach(new ReplySink(told));
    calls.release();

    assertThat(told.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aCallThatIsGivenUpLeavesTheChannelToOthers() throws Exception {
    CallChannel channel = connect(listen());
    CountDownLatch closed = new CountDownLatch(1);
    channel.onClosed(closed::countDown);
    PendingCall pending = channel.begin(request(1, CarriedCalls.BLOCK));
    assertThat(calls.entered().await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    pending.abandon();

    for (long sequence = 2; sequence < 50; sequence++) {
      assertThat(channel.call(request(sequence, CarriedCalls.ECHO), PATIENCE).status())
          .isEqualTo(CallReply.Status.RESULT);
    }
    assertThat(closed.getCount()).isEqualTo(1);
    assertThat(channel.isOpen()).isTrue();
  }

  private record ReplySink(CountDownLatch told) implements PendingCall.Sink {
    @Override
    public void replied(CallReply reply) {
      told.countDown();
    }

    @Override
    public void failed(CallFailedException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void aCheckRunsNoCall() throws Exception {
    CallChannel channel = connect(listen());

    channel.check(PATIENCE);

    assertThat(calls.count()).isZero();
  }

  @Test
  void nobodyToConnectToIsAnErrorAtOnce() throws Exception {
    Listener listener = listen();
    Endpoint nobody = listener.endpoint("server1");
    listener.close();

    assertThatThrownBy(() -> middleware.connect(nobody, Duration.ofSeconds(10)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void closingRunsTheHandlerAndFailsLaterCallsAsNotExecuted() throws Exception {
    CallChannel channel = connect(listen());
    CountDownLatch closed = new CountDownLatch(1);
    channel.onClosed(closed::countDown);

    channel.close();
    channel.close();

    assertThat(channel.isOpen()).isFalse();
    assertThat(closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    CallFailedException failure = failure(channel, request(1, CarriedCalls.ECHO), PATIENCE);
    assertThat(failure.executed()).isFalse();
  }

  @Test
  void aReplicaIsReachedAgainAfterItsListenerClosed() throws Exception {
    Listener first = listen();
    CallChannel channel = connect(first);
    channel.call(request(1, CarriedCalls.ECHO), PATIENCE);
    first.close();

    CallChannel other = connect(listen());

    assertThat(other.call(request(2, CarriedCalls.ECHO), PATIENCE).status())
        .isEqualTo(CallReply.Status.RESULT);
  }

  @Test
  void aKilledProcessInFlightLeavesTheOutcomeUnknown(@TempDir Path folder) throws Exception {
    ChildProcess process = startReplica(folder);
    CallChannel channel = connect(readEndpoint(process));
    channel.call(request(1, CarriedCalls.ECHO), PATIENCE);
    CountDownLatch closed = new CountDownLatch(1);
    channel.onClosed(closed::countDown);
    PendingCall pending = channel.begin(request(2, CarriedCalls.BLOCK));
    assertThat(pending.await(50_000_000)).isNull();

    process.close();

    CallFailedException failure =
        catchThrowableOfType(CallFailedException.class, () -> pending.await(PATIENCE.toNanos()));
    assertThat(failure).isNotNull();
    assertThat(failure.executed()).isTrue();
    assertThat(failure.timedOut()).isFalse();
    assertThat(closed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aProcessKilledWhileIdleIsNoticedByACallOrACheck(@TempDir Path folder) throws Exception {
    ChildProcess process = startReplica(folder);
    CallChannel channel = connect(readEndpoint(process));
    channel.call(request(1, CarriedCalls.ECHO), PATIENCE);

    process.close();

    CallFailedException failure = failure(channel, request(2, CarriedCalls.ECHO), PATIENCE);
    assertThat(failure.timedOut()).isFalse();
    assertThat(channel.isOpen()).isFalse();
  }

  private ChildProcess startReplica(Path folder) throws IOException {
    List<String> options =
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    ChildProcess process =
        ChildProcess.start(
            new ProcessBuilder(JavaCommand.of(options, CarriedReplica.class, name, host, "server1"))
                .redirectError(folder.resolve("errors").toFile()));
    opened.add(process);
    return process;
  }

  private Endpoint readEndpoint(ChildProcess process) throws IOException {
    List<String> words = process.awaitReady();
    return new Endpoint(
        "server1", name, words.getFirst(), Integer.parseInt(words.get(1)), words.get(2));
  }

  /** A listener at a free port of the suite's address, closed with the test. */
  protected final Listener listen() throws IOException {
    try {
      Listener listener = middleware.listen(new InetSocketAddress(host, 0), calls);
      opened.add(listener);
      return listener;
    } catch (MiddlewareUnavailableException e) {
      Assumptions.abort(e.getMessage());
      throw e;
    }
  }

  /** A channel to it, closed with the test. */
  protected final CallChannel connect(Listener listener) throws IOException {
    return connect(listener.endpoint("server1"));
  }

  private CallChannel connect(Endpoint endpoint) throws IOException {
    CallChannel channel = middleware.connect(endpoint, PATIENCE);
    opened.add(channel);
    return channel;
  }

  private static CallFailedException failure(
      CallChannel channel, CallRequest request, Duration timeout) {
    CallFailedException failure =
        catchThrowableOfType(CallFailedException.class, () -> channel.call(request, timeout));
    assertThat(failure).isNotNull();
    return failure;
  }

  private static CallRequest request(long sequence, String method, byte... arguments) {
    return new CallRequest(
        "carried",
        method,
        new RequestIdentity(CLIENT, sequence),
        1,
        PATIENCE.toNanos(),
        true,
        arguments);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
