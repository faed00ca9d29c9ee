package org.terrace.middleware.terrace;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.Middleware;

/**
 * The default transport: a small binary protocol over blocking sockets, one caller a connection at
 * a time, so that a caller reads its own reply and a server's thread runs the call it read.
 * Thread-safe.
 */
public final class TerraceMiddleware implements Middleware {
  static final String NAME = "terrace";

  /** More than a reply has beside its body. */
  private static final int REPLY_HEAD_BYTES_MAX = 64;

  private final TransportOptions options;
  private final TransportCounters counters = new TransportCounters();

  /** The transport with default options. */
  public TerraceMiddleware() {
    this(TransportOptions.defaults());
  }

  /** The transport with these options, the same at both ends. */
  public TerraceMiddleware(TransportOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The counts of all connections of this object. */
  public TransportCounters counters() {
    return counters;
  }

  /**
   * Listens at an address of this machine.
   *
   * @throws TerraceException if clients would show a secret there in the clear
   */
  @Override
  public Listener listen(InetSocketAddress address, CallHandler handler) throws IOException {
    String exposure = address.isUnresolved() ? "" : options.exposure(address.getAddress());
    if (!exposure.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "cannot listen at " + address + ": " + exposure);
    }
    return TerraceListener.open(address, handler, options, counters);
  }

  @Override
  public CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException {
    return TerraceChannel.open(endpoint, timeout, options, counters);
  }

  @Override
  public void check(Endpoint endpoint, Duration timeout) throws IOException {
    try (Line line = Line.connect(endpoint, true, timeout.toNanos(), options)) {
      line.check(timeout.toNanos());
    }
  }

  @Override
  public boolean isEncrypted() {
    return options.tls().isPresent();
  }

  @Override
  public int replyBytesMax() {
    return options.frameBytesMax() - REPLY_HEAD_BYTES_MAX;
  }
}
