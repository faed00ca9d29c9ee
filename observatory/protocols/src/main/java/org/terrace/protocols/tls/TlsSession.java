package org.terrace.protocols.tls;

import org.jspecify.annotations.Nullable;

/**
 * The agreement of both sides of a connection, as far as their hellos are read, and the keys that
 * follow from it. Confined to one thread.
 */
final class TlsSession {
  private static final int NO_COMPRESSION = 0;

  private final TlsKeys keys;
  private @Nullable ClientRandom clientRandom;
  private @Nullable TlsHello server;
  private boolean offersEarlyData;
  private @Nullable String application;

  TlsSession(TlsKeys keys) {
    this.keys = keys;
  }

  /** The client begins a handshake, or answers a server that asked for another hello. */
  void clientHello(TlsHello hello) {
    clientRandom = ClientRandom.at(hello.random(), 0);
    offersEarlyData = hello.offersEarlyData();
  }

  /** The server chooses. */
  void serverHello(TlsHello hello) {
    server = hello;
    if (hello.application() != null) {
      application = hello.application();
    }
  }

  /** The server chooses what is spoken inside, behind its hello. */
  void chooses(@Nullable String protocol) {
    application = protocol;
  }

  /**
   * The name of the protocol inside that both agreed on, as in {@code h2}; null if they did not.
   */
  @Nullable String application() {
    return application;
  }

  /** Whether the client says that it sends data before the handshake is over. */
  boolean offersEarlyData() {
    return offersEarlyData;
  }

  /** Whether the server has chosen. */
  boolean isChosen() {
    return server != null;
  }

  /** Whether the server chose TLS 1.3. */
  boolean isTls13() {
    return server != null && server.version() == TlsHello.VERSION_13;
  }

  /** The suite that the server chose. */
  private @Nullable CipherSuite suite() {
    return server == null ? null : CipherSuite.of(server.suite());
  }

  /** The name of what the server chose that is not decrypted, or null. */
  @Nullable String notDecrypted() {
    TlsHello chosen = server;
    CipherSuite suite = suite();
    if (chosen == null || suite == null) {
      return null;
    }
    if (chosen.version() != TlsHello.VERSION_12 && chosen.version() != TlsHello.VERSION_13) {
      return chosen.versionName();
    }
    if (chosen.compression() != NO_COMPRESSION) {
      return "compression of TLS";
    }
    return suite.isSupported() ? null : suite.name();
  }

  /** The version and the suite, as in {@code TLS 1.3, TLS_AES_128_GCM_SHA256}. */
  String description() {
    TlsHello chosen = server;
    CipherSuite suite = suite();
    return chosen == null || suite == null ? "TLS" : chosen.versionName() + ", " + suite.name();
  }

  /** Whether any secret of the connection is known. */
  boolean hasKeys() {
    return clientRandom != null && keys.knows(clientRandom);
  }

  private byte @Nullable [] secret(KeyLabel label) {
    return clientRandom == null ? null : keys.secret(clientRandom, label);
  }

  /** The keys of TLS 1.3 of a side's part of the handshake, or null. */
  @Nullable TrafficKeys handshakeKeys(boolean ofClient) {
    return traffic(
        secret(
            ofClient
                ? KeyLabel.CLIENT_HANDSHAKE_TRAFFIC_SECRET
                : KeyLabel.SERVER_HANDSHAKE_TRAFFIC_SECRET));
  }

  /** The first keys of a side's data, or null: of TLS 1.3 its own, of TLS 1.2 by the master. */
  @Nullable TrafficKeys dataKeys(boolean ofClient) {
    if (isTls13()) {
      return traffic(
          secret(ofClient ? KeyLabel.CLIENT_TRAFFIC_SECRET_0 : KeyLabel.SERVER_TRAFFIC_SECRET_0));
    }
    TlsHello chosen = server;
    CipherSuite suite = suite();
    byte[] master = secret(KeyLabel.CLIENT_RANDOM);
    if (chosen == null
        || suite == null
        || !suite.isSupported()
        || clientRandom == null
        || master == null) {
      return null;
    }
    RecordKeys made =
        KeyDerivation.ofMaster(
            suite,
            master,
            clientRandom.bytes(),
            chosen.random(),
            ofClient,
            chosen.isEncryptedFirst());
    return new TrafficKeys(made, null);
  }

  /** The keys that follow keys of TLS 1.3 when a side updates them, or null. */
  @Nullable TrafficKeys updated(TrafficKeys keysBefore) {
    CipherSuite suite = suite();
    byte[] secret = keysBefore.secret();
    return suite == null || secret == null ? null : traffic(KeyDerivation.updated(suite, secret));
  }

  private @Nullable TrafficKeys traffic(byte @Nullable [] secret) {
    CipherSuite suite = suite();
    return suite == null
            || secret == null
            || !suite.isSupported()
            || secret.length != KeyDerivation.hashBytes(suite)
        ? null
        : new TrafficKeys(KeyDerivation.ofTraffic(suite, secret), secret);
  }

  /**
   * The keys of one direction, and the secret that they were made of.
   *
   * @param keys the keys of records
   * @param secret the traffic secret of TLS 1.3, null in TLS 1.2
   */
  record TrafficKeys(RecordKeys keys, byte @Nullable [] secret) {
    @Override
    public String toString() {
      return "keys of TLS";
    }
  }
}
