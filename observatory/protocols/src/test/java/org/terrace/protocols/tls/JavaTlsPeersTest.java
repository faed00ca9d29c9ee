package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Request;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.captures.Captures.Reading;
import org.terrace.protocols.decoder.RecordingRelay;
import org.terrace.protocols.decoder.Script;
import org.terrace.testing.TcpCapture;

/** The words of the JDK's own TLS, as a server and as a client, with OpenSSL at the other end. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class JavaTlsPeersTest {
  private static final String REQUEST = "GET /stories/7 HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String BODY = "x".repeat(40_000);
  private static final String RESPONSE =
      "HTTP/1.1 200 OK\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
  private static final String SHORT_RESPONSE =
      "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n";

  /** The versions and suites to which both sides are limited, by OpenSSL's options. */
  private static final List<List<String>> CHOICES =
      List.of(
          List.of("-tls1_3", "-ciphersuites", "TLS_AES_256_GCM_SHA384"),
          List.of("-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"),
          List.of("-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"),
          List.of("-tls1_2", "-cipher", "ECDHE-RSA-CHACHA20-POLY1305"),
          List.of("-tls1_2", "-cipher", "ECDHE-RSA-AES256-SHA384"));

  @TempDir private static Path directory;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static Reading read(List<Script> conversations, Path keys) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      for (int i = 0; i < conversations.size(); i++) {
        TcpCapture.Connection connection =
            capture.connection("10.0.0.1", 40_000 + i, "10.0.0.2", 443);
        conversations.get(i).write(connection, 1_000_000_000L * (i + 1), 1_000_000L, 1448);
      }
    }
    return Captures.read(bytes.toByteArray(), ReadOptions.defaults().withKeyLogs(List.of(keys)));
  }

  private static void checkEach(Reading reading, int connections, int requests, int bytesOut) {
    assertThat(reading.result().losses()).isEmpty();
    assertThat(reading.connections()).hasSize(connections);
    assertThat(reading.requests())
        .filteredOn(request -> request.requestClass().equals("GET /stories/{n}"))
        .hasSize(connections * requests)
        .allMatch(request -> request.bytesIn() == REQUEST.length())
        .allMatch(request -> request.bytesOut() == bytesOut);
    assertThat(reading.requests())
        .extracting(Request::requestClass)
        .containsOnly("TLS handshake", "GET /stories/{n}");
  }

  private static SSLContext server(Path store) throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream input = Files.newInputStream(store)) {
      keys.load(input, "secret".toCharArray());
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static SSLContext client() throws GeneralSecurityException {
    TrustManager trusting =
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type) {}

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type) {}

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
          }
        };
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {trusting}, null);
    return context;
  }

  /** Answers two requests on each connection, then closes it. */
  private static void serve(SSLServerSocket listener) {
    try {
      while (true) {
        try (SSLSocket socket = (SSLSocket) listener.accept()) {
          for (int i = 0; i < 2; i++) {
            socket.getInputStream().readNBytes(REQUEST.length());
            socket.getOutputStream().write(ascii(RESPONSE));
          }
        }
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void serverOfTheJdkIsReadWithTheKeysOfItsClient() throws Exception {
    Path keys = directory.resolve("client-keys.log");
    List<Script> conversations;
    Path store;
    try (OpenSslPeers peers = new OpenSslPeers(directory)) {
      store = peers.keyStore();
    }
    try (SSLServerSocket listener =
            (SSLServerSocket) server(store).getServerSocketFactory().createServerSocket(0);
        RecordingRelay relay = RecordingRelay.to(listener.getLocalPort())) {
      Thread.ofVirtual().start(() -> serve(listener));
      for (List<String> choice : CHOICES) {
        List<String> command =
            new ArrayList<>(
                List.of(
                    "openssl",
                    "s_client",
                    "-quiet",
                    "-keylogfile",
                    keys.toString(),
                    "-connect",
                    "127.0.0.1:" + relay.port()));
        command.addAll(choice);
        Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        for (int i = 0; i < 2; i++) {
          process.getOutputStream().write(ascii(REQUEST));
          process.getOutputStream().flush();
          byte[] answer = process.getInputStream().readNBytes(RESPONSE.length());
          assertThat(answer).isEqualTo(ascii(RESPONSE));
        }
        process.getOutputStream().close();
        process.waitFor();
      }
      conversations = relay.conversations();
    }

    checkEach(read(conversations, keys), CHOICES.size(), 2, RESPONSE.length());
  }

  @Test
  void clientOfTheJdkIsReadWithTheKeysOfItsServer() throws Exception {
    List<Script> conversations;
    Path keys;
    try (OpenSslPeers peers = new OpenSslPeers(directory)) {
      for (String version : List.of("TLSv1.3", "TLSv1.2")) {
        try (SSLSocket socket =
            (SSLSocket) client().getSocketFactory().createSocket("127.0.0.1", peers.port())) {
          socket.setEnabledProtocols(new String[] {version});
          int from = peers.serverPrinted();
          OutputStream output = socket.getOutputStream();
          output.write(ascii(REQUEST));
          peers.serverGets(REQUEST, from);
          peers.serverSays(SHORT_RESPONSE);
          byte[] answer = socket.getInputStream().readNBytes(SHORT_RESPONSE.length());
          assertThat(Arrays.equals(answer, ascii(SHORT_RESPONSE))).isTrue();
        }
      }
      conversations = peers.conversations();
      keys = peers.keyLog();
    }

    checkEach(read(conversations, keys), 2, 1, SHORT_RESPONSE.length());
  }
}
