package org.terrace.middleware.terrace;

import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The settings of the default transport. Immutable.
 *
 * @param tls encrypts connections if present; both ends must agree, and a replica's certificate is
 *     one for the host or address that its endpoint names
 * @param secret what a client shows before its first call, and a server asks for; empty for none
 * @param frameBytesMax the largest frame that is sent or accepted, 1 KiB to 1 GiB
 * @param connectionsMax how many connections for calls a server has at once; a further one is
 *     refused. As many again may be there for pings, of which each client has one
 */
public record TransportOptions(
    Optional<SSLContext> tls, String secret, int frameBytesMax, int connectionsMax) {
  private static final int FRAME_BYTES_MAX = 16 << 20;
  private static final int CONNECTIONS_MAX = 4_096;

  /** Checks the ranges. */
  public TransportOptions {
    Objects.requireNonNull(tls);
    Objects.requireNonNull(secret);
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
    return new TransportOptions(Optional.empty(), "", FRAME_BYTES_MAX, CONNECTIONS_MAX);
  }

  /** With encryption. */
  public TransportOptions withTls(SSLContext context) {
    return new TransportOptions(Optional.of(context), secret, frameBytesMax, connectionsMax);
  }

  /** With a secret that clients must show. */
  public TransportOptions withSecret(String newSecret) {
    return new TransportOptions(tls, newSecret, frameBytesMax, connectionsMax);
  }

  /** With another largest frame. */
  public TransportOptions withFrameBytesMax(int newMax) {
    return new TransportOptions(tls, secret, newMax, connectionsMax);
  }

  /** With another largest number of connections. */
  public TransportOptions withConnectionsMax(int newMax) {
    return new TransportOptions(tls, secret, frameBytesMax, newMax);
  }

  /** All but the secret. */
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
