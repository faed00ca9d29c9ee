package org.terrace.middleware.terrace;

import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The settings of the default transport. Immutable.
 *
 * @param tls encrypts connections if present; both ends must agree, and a replica's certificate is
 *     one for the host or address that its endpoint names
 * @param secret what a client shows before its first call, and a server asks for; empty for none.
 *     It is shown in the clear without encryption, and then on loopback alone
 * @param secretAcceptedToo what a server accepts as well, while the secret is replaced; empty for
 *     nothing
 * @param frameBytesMax the largest frame that is sent or accepted, 1 KiB to 1 GiB
 * @param connectionsMax how many connections for calls a server has at once; a further one is
 *     refused. As many again may be there for pings, of which each client has one
 */
public record TransportOptions(
    Optional<SSLContext> tls,
    String secret,
    String secretAcceptedToo,
    int frameBytesMax,
    int connectionsMax) {
  private static final int FRAME_BYTES_MAX = 16 << 20;
  private static final int CONNECTIONS_MAX = 4_096;

  /** Checks the ranges. */
  public TransportOptions {
    Objects.requireNonNull(tls);
    Objects.requireNonNull(secret);
    Objects.requireNonNull(secretAcceptedToo);
    if (secret.isEmpty() && !secretAcceptedToo.isEmpty()) {
      throw new IllegalArgumentException(
          "A server without a secret accepts everybody: give the one that clients show as well.");
    }
    if (frameBytesMax < 1 << 10 || frameBytesMax > 1 << 30) {
      throw new IllegalArgumentException(
          "The largest frame is 1 KiB to 1 GiB, not " + frameBytesMax + " bytes.");
    }
    if (connectionsMax < 1) {
      throw new IllegalArgumentException(
          "At least 1 connection is had, not " + connectionsMax + ".");
    }
  }

  /** No encryption, no secret, frames of up to 16 MiB, 4,096 connections. */
  public static TransportOptions defaults() {
    return new TransportOptions(Optional.empty(), "", "", FRAME_BYTES_MAX, CONNECTIONS_MAX);
  }

  /** These options with encryption. */
  public TransportOptions withTls(SSLContext context) {
    return new TransportOptions(
        Optional.of(context), secret, secretAcceptedToo, frameBytesMax, connectionsMax);
  }

  /** These options with a secret that clients must show. */
  public TransportOptions withSecret(String newSecret) {
    return new TransportOptions(tls, newSecret, secretAcceptedToo, frameBytesMax, connectionsMax);
  }

  /**
   * These options with another secret that a server accepts as well. A secret is replaced without a
   * pause in three rounds, one process after the other: the new one is accepted too; it is the
   * secret, and the former one is accepted too; it is accepted alone.
   */
  public TransportOptions withSecretAcceptedToo(String another) {
    return new TransportOptions(tls, secret, another, frameBytesMax, connectionsMax);
  }

  /** These options with another largest frame. */
  public TransportOptions withFrameBytesMax(int newMax) {
    return new TransportOptions(tls, secret, secretAcceptedToo, newMax, connectionsMax);
  }

  /** These options with another largest number of connections. */
  public TransportOptions withConnectionsMax(int newMax) {
    return new TransportOptions(tls, secret, secretAcceptedToo, frameBytesMax, newMax);
  }

  /**
   * The reason why what both ends say at that address would show the secret to others, or nothing.
   */
  String exposure(InetAddress host) {
    return secret.isEmpty() || tls.isPresent() || host.isLoopbackAddress()
        ? ""
        : "the secret of the calls is not shown in the clear beyond loopback: encrypt them at both"
            + " ends with TransportOptions.withTls";
  }

  /** Whether a server lets in who shows that. */
  boolean accepts(String shown) {
    boolean isAnother = !secretAcceptedToo.isEmpty() && Secrets.equal(shown, secretAcceptedToo);
    return Secrets.equal(shown, secret) || isAnother;
  }

  /** All but the secrets. */
  @Override
  public String toString() {
    return "TransportOptions[tls="
        + tls.isPresent()
        + ", frameBytesMax="
        + frameBytesMax
        + ", connectionsMax="
        + connectionsMax
        + "]";
  }
}
