package org.terrace.protocols.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.ObservedConnection;
import org.terrace.observation.Request;
import org.terrace.protocols.ReadOptions;
import org.terrace.protocols.captures.Captures;
import org.terrace.protocols.captures.Captures.Reading;
import org.terrace.protocols.decoder.Script;
import org.terrace.testing.TcpCapture;

/** The words of OpenSSL's own server and clients, of which the test knows what is inside. */
@Tag("real-processes")
@Tag("untimed")
@Timeout(120)
class TlsPeersTest {
  private static final long START_NANOS = 1_000_000_000L;
  private static final long STEP_NANOS = 1_000_000L;
  private static final String HANDSHAKE = "TLS handshake";
  private static final String TURN = "TLS turn";
  private static final String REQUEST = "GET /stories/7 HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String RESPONSE = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n";

  /** Suites of TLS 1.2 by OpenSSL's names and those of the registry. */
  private static final List<String> SUITES_12 =
      List.of(
          "AES128-GCM-SHA256 TLS_RSA_WITH_AES_128_GCM_SHA256",
          "AES256-GCM-SHA384 TLS_RSA_WITH_AES_256_GCM_SHA384",
          "DHE-RSA-AES128-GCM-SHA256 TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
          "DHE-RSA-AES256-GCM-SHA384 TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
          "ECDHE-RSA-AES128-GCM-SHA256 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "ECDHE-RSA-AES256-GCM-SHA384 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "ECDHE-ECDSA-AES128-GCM-SHA256 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "ECDHE-ECDSA-AES256-GCM-SHA384 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "ECDHE-RSA-CHACHA20-POLY1305 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "ECDHE-ECDSA-CHACHA20-POLY1305 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "DHE-RSA-CHACHA20-POLY1305 TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "AES128-SHA TLS_RSA_WITH_AES_128_CBC_SHA",
          "AES256-SHA256 TLS_RSA_WITH_AES_256_CBC_SHA256",
          "DHE-RSA-AES256-SHA TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
          "DHE-RSA-AES128-SHA256 TLS_DHE_RSA_WITH_AES_128_CBC_SHA256",
          "ECDHE-RSA-AES128-SHA256 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
          "ECDHE-RSA-AES256-SHA384 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
          "ECDHE-ECDSA-AES256-SHA TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
          "ECDHE-ECDSA-AES256-SHA384 TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384");

  @TempDir private static Path directory;

  private static Reading read(List<Script> conversations, List<Path> keyLogs, int segmentBytesMax)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TcpCapture capture = TcpCapture.inMemory(bytes)) {
      for (int i = 0; i < conversations.size(); i++) {
        conversations
            .get(i)
            .write(
                capture.connection("10.0.0.1", 40_000 + i, "10.0.0.2", 443),
                START_NANOS * (i + 1),
                STEP_NANOS,
                segmentBytesMax);
      }
    }
    return Captures.read(bytes.toByteArray(), ReadOptions.defaults().withKeyLogs(keyLogs));
  }

  private static List<String> classes(Reading reading, int connection) {
    return reading.requests().stream()
        .filter(request -> request.connection() == connection)
        .map(Request::requestClass)
        .toList();
  }

  private static void exchange(OpenSslPeers.Session session) {
    session.client(REQUEST).server(RESPONSE);
  }

  @Test
  void everyCipherSuiteGivesTheRequestsInside() throws Exception {
    List<String> expected = new ArrayList<>();
    List<Script> conversations;
    Path keys;
    try (OpenSslPeers peers = new OpenSslPeers(directory, "-cipher", "ALL:@SECLEVEL=0")) {
      for (String suite :
          List.of(
              "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")) {
        try (var session = peers.connect("-tls1_3", "-ciphersuites", suite)) {
          exchange(session);
        }
        expected.add("TLS 1.3, " + suite);
      }
      for (String suite : SUITES_12) {
        String[] names = suite.split(" ", -1);
        List<String> options =
            new ArrayList<>(List.of("-tls1_2", "-cipher", names[0] + ":@SECLEVEL=0"));
        boolean isCbc = suite.contains("_CBC_");
        for (boolean encryptedFirst : isCbc ? List.of(true, false) : List.of(true)) {
          if (!encryptedFirst) {
            options.add("-no_etm");
          }
          try (var session = peers.connect(options.toArray(String[]::new))) {
            exchange(session);
          }
          expected.add("TLS 1.2, " + names[1]);
        }
      }
      conversations = peers.conversations();
      keys = peers.keyLog();
    }

    Reading reading = read(conversations, List.of(keys), TcpCapture.SEGMENT_BYTES_MAX);

    assertThat(reading.result().losses()).isEmpty();
    assertThat(reading.connections())
        .extracting(ObservedConnection::evidence)
        .containsExactlyElementsOf(
            expected.stream()
                .map(each ->
                    "first bytes of the client (" + each + "), then first bytes of the client")
                .toList());
    assertThat(reading.connections())
        .extracting(ObservedConnection::protocol)
        .containsOnly("TLS, then HTTP/1.1");
    for (int i = 0; i < expected.size(); i++) {
      boolean isShort = expected.get(i).startsWith("TLS 1.3");
      assertThat(classes(reading, i))
          .as(expected.get(i))
          .isEqualTo(
              isShort
                  ? List.of(HANDSHAKE, "GET /stories/{n}")
                  : List.of(HANDSHAKE, HANDSHAKE, "GET /stories/{n}"));
    }
    assertThat(reading.requests())
        .filteredOn(request -> !request.requestClass().equals(HANDSHAKE))
        .allSatisfy(request -> {
          assertThat(request.bytesIn()).isEqualTo(REQUEST.length());
          assertThat(request.bytesOut()).isEqualTo(RESPONSE.length());
          assertThat(request.residenceNanos() % STEP_NANOS).isZero();
        });
    assertThat(Files.readString(keys)).contains("CLIENT_RANDOM").contains("_TRAFFIC_SECRET_0");
  }

  @Test
  void whatChangesKeysOrIsNotDecryptedIsToldAndCostsNothingElse() throws Exception {
    List<Script> conversations;
    Path keys;
    String saved = directory.resolve("session").toString();
    Path early = Files.writeString(directory.resolve("early"), REQUEST);
    try (OpenSslPeers peers =
        new OpenSslPeers(
            directory, "-cipher", "ALL:@SECLEVEL=0", "-groups", "P-256", "-early_data")) {
      try (var session = peers.connect("-tls1_3", "-groups", "X25519:P-256")) {
        exchange(session);
      }
      try (var session = peers.connect("-tls1_3", "-groups", "P-256")) {
        exchange(session);
        session.clientCommand("K");
        exchange(session);
        session.serverCommand("K", 1);
        exchange(session);
        session.clientCommand("k");
        session.clientCommand("k");
        exchange(session);
      }
      for (String version : List.of("-tls1_3", "-tls1_2")) {
        try (var session = peers.connect(version, "-groups", "P-256", "-sess_out", saved)) {
          exchange(session);
        }
        try (var session = peers.connect(version, "-groups", "P-256", "-sess_in", saved)) {
          exchange(session);
          session.clientPrints("Reused");
        }
      }
      try (var session = peers.connect("-tls1_3", "-groups", "P-256", "-sess_out", saved)) {
        exchange(session);
      }
      try (var session =
          peers.connect(
              "-tls1_3", "-groups", "P-256", "-sess_in", saved, "-early_data", early.toString())) {
        session.clientPrints("Early data was accepted");
        session.server(RESPONSE);
        exchange(session);
      }
      try (var session = peers.connect("-tls1_2")) {
        exchange(session);
        session.serverCommand("r", 2);
        exchange(session);
      }
      try (var session = peers.connect("-tls1_2", "-cipher", "AES128-CCM")) {
        exchange(session);
      }
      try (var session = peers.connect("-tls1_1", "-cipher", "ALL:@SECLEVEL=0")) {
        exchange(session);
      }
      conversations = peers.conversations();
      keys = peers.keyLog();
    }

    Reading reading = read(conversations, List.of(keys), TcpCapture.SEGMENT_BYTES_MAX);

    String request = "GET /stories/{n}";
    List<List<String>> expected =
        List.of(
            // The server asks for another hello, which is a turn of its own.
            List.of(HANDSHAKE, HANDSHAKE, request),
            List.of(HANDSHAKE, request, request, request, request),
            List.of(HANDSHAKE, request),
            List.of(HANDSHAKE, request),
            List.of(HANDSHAKE, HANDSHAKE, request),
            List.of(HANDSHAKE, request),
            List.of(HANDSHAKE, request),
            List.of(HANDSHAKE, request),
            List.of(HANDSHAKE, HANDSHAKE, request, request),
            List.of(TURN, TURN, TURN, TURN),
            List.of(TURN, TURN, TURN, TURN));
    for (int i = 0; i < expected.size(); i++) {
      assertThat(classes(reading, i)).as("connection " + i).isEqualTo(expected.get(i));
    }
    assertThat(reading.result().losses())
        .containsExactly(
            "2 connections are encrypted or of an unknown protocol: their requests are turns of"
                + " client and server.",
            "2 TLS records of early data (0-RTT) were passed over: requests that were sent early"
                + " are missing.",
            "1 response was seen without its request, which is missing from the results.",
            "1 TLS connection uses TLS 1.1, which is not decrypted: only its turns are known.",
            "1 TLS connection uses TLS_RSA_WITH_AES_128_CCM, which is not decrypted: only its turns"
                + " are known.");
  }
}
