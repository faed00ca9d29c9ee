package org.terrace.groups.builtin;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.terrace.groups.Secret;

/**
 * The receiving end of one kind of transport: it checks each frame and hands it on. Each transport
 * thread has an authenticator of its own; the replay windows are shared and guarded.
 */
final class Inbox {
  private static final int SENDERS_MAX = 1_024;

  /** What is done with a genuine, fresh frame of this group. */
  @FunctionalInterface
  interface Sink {
    void accept(Frame frame, ByteBuffer payload, InetSocketAddress source);
  }

  private final long group;
  private final long self;
  private final Optional<Secret> secret;
  private final Traffic traffic;
  private final Sink sink;
  private final Map<Long, ReplayWindow> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ReplayWindow> eldest) {
          return size() > SENDERS_MAX;
        }
      };

  Inbox(long group, long self, Optional<Secret> secret, Traffic traffic, Sink sink) {
    this.group = group;
    this.self = self;
    this.secret = secret;
    this.traffic = traffic;
    this.sink = sink;
  }

  Authenticator newAuthenticator() {
    return new Authenticator(secret);
  }

  void take(ByteBuffer received, Authenticator authenticator, InetSocketAddress source) {
    if (!Frame.isPlausible(received)) {
      traffic.malformed.increment();
      return;
    }
    if (!authenticator.unseal(received) || received.remaining() < Frame.BYTES) {
      traffic.forged.increment();
      return;
    }
    Frame frame = Frame.decode(received);
    boolean forMe = frame.receiver() == Frame.ANYBODY || frame.receiver() == self;
    if (frame.group() != group || frame.sender() == self || !forMe) {
      return;
    }
    if (!isFresh(frame)) {
      traffic.replayed.increment();
      return;
    }
    sink.accept(frame, received, source);
  }

  private boolean isFresh(Frame frame) {
    synchronized (windows) {
      return windows
          .computeIfAbsent(frame.sender(), absent -> new ReplayWindow())
          .accept(frame.number());
    }
  }
}
