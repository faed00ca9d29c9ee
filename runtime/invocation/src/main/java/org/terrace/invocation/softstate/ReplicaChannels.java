package org.terrace.invocation.softstate;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.Endpoint;

/** One open channel to each replica, opened when first needed and again when it has gone. */
public final class ReplicaChannels implements AutoCloseable {

  /** Opens a channel to a replica. */
  @FunctionalInterface
  public interface Connector {
    /**
     * Opens a channel.
     *
     * @throws IOException if there was no connection within the timeout
     */
    CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException;
  }

  /** A replica to which there is no channel: nothing was sent. */
  static final class UnreachableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreachableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private static final class Slot {
    final Endpoint endpoint;
    final ReentrantLock lock = new ReentrantLock();
    volatile @Nullable CallChannel channel;

    Slot(Endpoint endpoint) {
      this.endpoint = endpoint;
    }
  }

  private final Connector connector;
  private final Duration timeout;
  private final Map<String, Slot> slots = new ConcurrentHashMap<>();
  private volatile boolean closed;

  ReplicaChannels(Connector connector, Duration timeout) {
    this.connector = connector;
    this.timeout = timeout;
  }

  /** Sets which replicas there are; channels to those that are gone or have moved are closed. */
  void set(List<Endpoint> endpoints) {
    Map<String, Slot> wanted = new ConcurrentHashMap<>();
    for (Endpoint endpoint : endpoints) {
      Slot present = slots.get(endpoint.replica());
      wanted.put(
          endpoint.replica(),
          present != null && present.endpoint.equals(endpoint) ? present : new Slot(endpoint));
    }
    slots.forEach((name, slot) -> {
      if (wanted.get(name) != slot) {
        close(slot);
      }
    });
    slots.keySet().retainAll(wanted.keySet());
    slots.putAll(wanted);
  }

  /** The channel to a replica. */
  CallChannel get(String replica) throws UnreachableException {
    Slot slot = slots.get(replica);
    if (slot == null || closed) {
      throw new UnreachableException(replica + " is not among the replicas", null);
    }
    CallChannel present = slot.channel;
    if (present != null && present.isOpen()) {
      return present;
    }
    slot.lock.lock();
    try {
      present = slot.channel;
      if (present != null && present.isOpen()) {
        return present;
      }
      CallChannel opened = connector.connect(slot.endpoint, timeout);
      slot.channel = opened;
      return opened;
    } catch (IOException e) {
      throw new UnreachableException(replica + " cannot be reached: " + e.getMessage(), e);
    } finally {
      slot.lock.unlock();
    }
  }

  private static void close(Slot slot) {
    CallChannel present = slot.channel;
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    slots.values().forEach(ReplicaChannels::close);
  }
}
