package org.terrace.groups.builtin;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.terrace.groups.GroupKeys;

/**
 * The receiving end of one kind of transport: it checks each frame and hands it on. Each transport
 * thread has an authenticator of its own; the replay windows are shared and guarded.
 */
final class Inbox {
  private static final int SENDERS_MAX = 1_024;

  /** A receiver of the genuine, fresh frames of this group. */
  @FunctionalInterface
  interface Sink {
    void accept(Frame frame, ByteBuffer payload, InetSocketAddress source);
  }

  /** Made at the first message alone. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(Inbox.class.getName());
  }

  private final long group;
  private final long self;
  private final Optional<GroupKeys> keys;
  private final Traffic traffic;
  private final Sink sink;
  private final Map<Long, ReplayWindow> windows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ReplayWindow> eldest) {
          return size() > SENDERS_MAX;
        }
      };

  Inbox(long group, long self, Optional<GroupKeys> keys, Traffic traffic, Sink sink) {
    this.group = group;
    this.self = self;
    this.keys = keys;
    this.traffic = traffic;
    this.sink = sink;
  }

  Authenticator newAuthenticator() {
    return new Authenticator(keys);
  }

  /** Takes one frame; whatever it causes to be thrown is counted and logged, and ends nothing. */
  void take(ByteBuffer received, Authenticator authenticator, InetSocketAddress source) {
    try {
      check(received, authenticator, source);
    } catch (Throwable e) { // the thread must go on receiving, whatever came
      traffic.malformed.increment();
      Log.LOG.log(Level.ERROR, "A message from " + source + " could not be handled", e);
    }
  }

  private void check(ByteBuffer received, Authenticator authenticator, InetSocketAddress source) {
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
    if (keys.isPresent() && !isFresh(frame)) { // without one, numbers can be forged as well
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
