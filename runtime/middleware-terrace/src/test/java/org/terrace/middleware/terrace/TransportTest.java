package org.terrace.middleware.terrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TerraceException;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.PendingCall;

@Tag("real-processes")
@Tag("untimed")
class TransportTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final CallHandler ECHO =
      request -> new CallReply(CallReply.Status.RESULT, request.arguments());

  @Test
  void callsTravelInsideTls(@TempDir Path folder) throws Exception {
    TransportOptions options = TransportOptions.defaults().withTls(tls(folder, "ip:127.0.0.1"));
    TerraceMiddleware middleware = new TerraceMiddleware(options);
    try (Listener listener = listen(middleware, ECHO);
        CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE)) {
      for (int i = 1; i <= 100; i++) {
        assertThat(channel.call(request(i, i * 100), PATIENCE).body()).hasSize(i * 100);
      }
      channel.check(PATIENCE);
    }
  }

  @Test
  void aTrustedCertificateOfAnotherHostIsToldNoSecret(@TempDir Path folder) throws Exception {
    TransportOptions options =
        TransportOptions.defaults().withTls(tls(folder, "dns:replica7")).withSecret("open sesame");
    TerraceMiddleware middleware = new TerraceMiddleware(options);
    try (Listener listener = listen(middleware, ECHO)) {
      assertThatThrownBy(() -> middleware.connect(listener.endpoint("server1"), PATIENCE))
          .isInstanceOf(SSLHandshakeException.class);
      assertThat(middleware.counters().connections()).isZero();
    }
  }

  @Test
  void whoDoesNotKnowTheSecretIsRefused() throws Exception {
    TransportOptions options = TransportOptions.defaults().withSecret("open sesame");
    TerraceMiddleware server = new TerraceMiddleware(options);
    try (Listener listener = listen(server, ECHO)) {
      Endpoint endpoint = listener.endpoint("server1");

      assertThatThrownBy(() -> new TerraceMiddleware().connect(endpoint, PATIENCE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the secret is another");
      try (CallChannel channel = new TerraceMiddleware(options).connect(endpoint, PATIENCE)) {
        assertThat(channel.call(request(1, 10), PATIENCE).body()).hasSize(10);
      }
      assertThat(server.counters().connectionsRefused()).isEqualTo(1);
      assertThat(options.toString()).doesNotContain("sesame");
    }
  }

  @Test
  void aSecretIsReplacedWithoutAPause() throws Exception {
    TransportOptions former = TransportOptions.defaults().withSecret("open sesame");
    TransportOptions both = former.withSecretAcceptedToo("open barley");
    TransportOptions next = former.withSecret("open barley");
    TransportOptions nextAndFormer = next.withSecretAcceptedToo("open sesame");
    for (TransportOptions server : List.of(both, nextAndFormer)) {
      try (Listener listener = listen(new TerraceMiddleware(server), ECHO)) {
        for (TransportOptions client : List.of(former, both, nextAndFormer, next)) {
          try (CallChannel channel =
              new TerraceMiddleware(client).connect(listener.endpoint("server1"), PATIENCE)) {
            assertThat(channel.call(request(1, 10), PATIENCE).body()).hasSize(10);
          }
        }
        TerraceMiddleware stranger = new TerraceMiddleware(former.withSecret(""));
        assertThatThrownBy(() -> stranger.connect(listener.endpoint("server1"), PATIENCE))
            .hasMessageContaining("the secret is another");
      }
    }
    assertThat(both.toString()).doesNotContain("sesame").doesNotContain("barley");
    assertThatThrownBy(() -> TransportOptions.defaults().withSecretAcceptedToo("open sesame"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The addresses are of a block for documentation: nobody would answer there. */
  @Test
  void aSecretIsNotShownInTheClearBeyondLoopback(@TempDir Path folder) throws Exception {
    TransportOptions options = TransportOptions.defaults().withSecret("open sesame");
    TerraceMiddleware clear = new TerraceMiddleware(options);
    for (String host : List.of("192.0.2.1", "2001:db8::1")) {
      Endpoint endpoint = new Endpoint("server1", TerraceMiddleware.NAME, host, 7_000, "");
      assertThatThrownBy(() -> clear.connect(endpoint, PATIENCE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in the clear");
      assertThatThrownBy(() -> clear.listen(new InetSocketAddress(host, 0), ECHO))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("withTls");
    }
    TransportOptions encrypted = options.withTls(tls(folder, "ip:127.0.0.1"));
    assertThat(encrypted.exposure(InetAddress.getByName("192.0.2.1"))).isEmpty();
    assertThat(TransportOptions.defaults().exposure(InetAddress.getByName("192.0.2.1"))).isEmpty();
  }

  @Test
  void whoSaysNothingIsCutOffAndOthersAreServed() throws Exception {
    TerraceMiddleware middleware = new TerraceMiddleware();
    try (Listener listener = listen(middleware, ECHO);
        CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE);
        Socket silent = new Socket()) {
      Endpoint endpoint = listener.endpoint("server1");
      silent.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
      silent.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThat(channel.call(request(1, 10), PATIENCE).body()).hasSize(10);
    }
  }

  @Test
  void aCallThatMayNotWaitIsNotBegunWhileAllConnectionsAreTaken() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CallHandler waiting =
        request -> {
          try {
            held.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return ECHO.handle(request);
        };
    TerraceMiddleware middleware = new TerraceMiddleware();
    try (Listener listener = listen(middleware, waiting);
        CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE)) {
      PendingCall first = channel.begin(request(2, 10));
      assertThat(channel.beginAtOnce(request(3, 10))).isNull();
      held.countDown();
      assertThat(first.await(PATIENCE.toNanos())).isNotNull();
      PendingCall next = channel.beginAtOnce(request(4, 20));
      assertThat(next).isNotNull();
      assertThat(next.await(PATIENCE.toNanos()).body()).hasSize(20);
    }
  }

  @Test
  void aRequestTooLargeIsNotSentAndTheConnectionLives() throws Exception {
    TransportOptions options = TransportOptions.defaults().withFrameBytesMax(4_096);
    TerraceMiddleware middleware = new TerraceMiddleware(options);
    try (Listener listener = listen(middleware, ECHO);
        CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE)) {
      assertThatThrownBy(() -> channel.call(request(1, 5_000), PATIENCE))
          .isInstanceOfSatisfying(
              CallFailedException.class, failure -> assertThat(failure.executed()).isFalse());
      assertThat(channel.call(request(2, 100), PATIENCE).body()).hasSize(100);
    }
  }

  @Test
  void aReplyTooLargeIsAFailureOfThatCallAlone() throws Exception {
    TransportOptions options = TransportOptions.defaults().withFrameBytesMax(4_096);
    TerraceMiddleware middleware = new TerraceMiddleware(options);
    CallHandler large =
        request ->
            new CallReply(
                CallReply.Status.RESULT,
                request.identity().sequence() == 1 ? new byte[10_000] : new byte[1]);
    try (Listener listener = listen(middleware, large);
        CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE)) {
      assertThat(channel.call(request(1, 1), PATIENCE).status()).isEqualTo(CallReply.Status.FAILED);
      assertThat(channel.call(request(2, 1), PATIENCE).status()).isEqualTo(CallReply.Status.RESULT);
    }
  }

  @Test
  void anAbandonedCallIsInterruptedAndTheNextOneIsNot() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CallHandler waiting =
        request -> {
          if (request.identity().sequence() == 1) {
            begun.countDown();
            try {
              interrupted.complete(never.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
              interrupted.complete(true);
            }
          }
          return ECHO.handle(request);
        };
    TerraceMiddleware middleware = new TerraceMiddleware();
    try (Listener listener = listen(middleware, waiting);
        CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE)) {
      channel.check(PATIENCE);
      PendingCall call = channel.begin(request(1, 1));
      assertThat(call.await(5_000_000)).isNull();
      assertThat(begun.await(60, TimeUnit.SECONDS))
          .as("a call that has not begun is not interrupted")
          .isTrue();

      call.abandon();

      assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(channel.call(request(2, 7), PATIENCE).body()).hasSize(7);
      assertThat(middleware.counters().cancellations()).isEqualTo(1);
    }
  }

  @Test
  void theEndOfAnIdleReplicaIsSeenAtOnce() throws Exception {
    TerraceMiddleware middleware = new TerraceMiddleware();
    CountDownLatch gone = new CountDownLatch(1);
    Listener listener = listen(middleware, ECHO);
    try (CallChannel channel = middleware.connect(listener.endpoint("server1"), PATIENCE)) {
      channel.check(PATIENCE);
      channel.onClosed(gone::countDown);

      listener.close();

      assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(channel.isOpen()).isFalse();
      assertThatThrownBy(() -> channel.call(request(1, 1), PATIENCE))
          .isInstanceOfSatisfying(
              CallFailedException.class, failure -> assertThat(failure.executed()).isFalse());
    }
  }

  private static Listener listen(TerraceMiddleware middleware, CallHandler handler)
      throws IOException {
    return middleware.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handler);
  }

  private static CallRequest request(long sequence, int bytes) {
    return new CallRequest(
        "service",
        "method:1",
        new RequestIdentity(1, sequence),
        1,
        PATIENCE.toNanos(),
        true,
        new byte[bytes]);
  }

  private static SSLContext tls(Path folder, String subject) throws Exception {
    Path keys = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "replica",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=" + subject,
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, "changeit".toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(store, "changeit".toCharArray());
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }
}
