package org.terrace.groups.jgroups;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.JChannel;
import org.jgroups.Message;

/**
 * Messages on their way to the stack, which may make a sender wait for the receivers' credits.
 *
 * <p>Handlers send while they hold locks of their own; two members that waited for each other's
 * credits there would wait for ever. So a thread of its own waits, and what does not fit the queue
 * is dropped and counted. Thread-safe.
 */
final class Outbox implements AutoCloseable {
  private static final int MESSAGES_MAX = 16_384;
  private static final long BYTES_MAX = 64L << 20;

  private final JChannel channel;
  private final Counts counts;
  private final BlockingQueue<Message> queue = new ArrayBlockingQueue<>(MESSAGES_MAX);
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  Outbox(JChannel channel, String member, Counts counts) {
    this.channel = channel;
    this.counts = counts;
    this.thread =
        Thread.ofPlatform().daemon().name("group-" + member + "-outbox").unstarted(this::sendAll);
  }

  void start() {
    thread.start();
  }

  void add(Message message) {
    int bytes = message.getLength();
    if (closed || queuedBytes.addAndGet(bytes) > BYTES_MAX || !queue.offer(message)) {
      queuedBytes.addAndGet(-bytes);
      counts.undelivered.increment();
    }
  }

  private void sendAll() {
    while (!closed) {
      try {
        Message message = queue.take();
        int bytes = message.getLength();
        queuedBytes.addAndGet(-bytes);
        channel.send(message);
        counts.bytesSent.add(bytes);
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        counts.undelivered.increment();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
