package org.terrace.cluster.controller;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * A way to a controller that cuts a connection at a frame: before a request goes on, or before its
 * answer does; or hands on nothing for a while, as if a machine or a network were gone.
 */
public final class CuttingRelay implements AutoCloseable {
  private final ServerSocket listener;
  private final IntSupplier port;
  private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
  private final AtomicInteger requestsUntilCut = new AtomicInteger(Integer.MAX_VALUE);
  private final AtomicInteger answersUntilCut = new AtomicInteger(Integer.MAX_VALUE);
  private volatile Runnable atCut = () -> {};
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition thawed = lock.newCondition();
  private boolean frozen;

  private CuttingRelay(ServerSocket listener, IntSupplier port) {
    this.listener = listener;
    this.port = port;
  }

  /** A relay to a port of this machine, whichever it is when somebody connects. */
  public static CuttingRelay to(IntSupplier port) throws IOException {
    CuttingRelay relay =
        new CuttingRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    Thread.startVirtualThread(relay::accept);
    return relay;
  }

  /** The port of this machine at which it is reached. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Cuts the connection instead of handing on the request after so many more. */
  public void cutRequest(int after, Runnable deed) {
    atCut = deed;
    requestsUntilCut.set(after);
  }

  /** Cuts the connection instead of handing on the answer after so many more. */
  public void cutAnswer(int after, Runnable deed) {
    atCut = deed;
    answersUntilCut.set(after);
  }

  /** Hands on nothing until it thaws, and tells neither end so. */
  void freeze() {
    freeze(true);
  }

  /** Hands on what came meanwhile, and all that comes. */
  void thaw() {
    freeze(false);
  }

  private void freeze(boolean freezes) {
    lock.lock();
    try {
      frozen = freezes;
      thawed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitThaw() {
    lock.lock();
    try {
      while (frozen) {
        thawed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
        open.add(server);
        Thread.startVirtualThread(() -> carry(client, server, requestsUntilCut));
        Thread.startVirtualThread(() -> carry(server, client, answersUntilCut));
      } catch (IOException e) {
        // Nobody is there now: who connected is told by the end of the connection.
        closeLast();
      }
    }
  }

  private void closeLast() {
    open.forEach(CuttingRelay::close);
    open.clear();
  }

  private void carry(Socket from, Socket to, AtomicInteger untilCut) {
    try (from;
        to;
        DataInputStream in = new DataInputStream(from.getInputStream());
        DataOutputStream out = new DataOutputStream(to.getOutputStream())) {
      while (true) {
        byte[] frame = in.readNBytes(in.readInt());
        awaitThaw();
        boolean counts = !ControllerFrame.isBeat(frame) && untilCut.get() != Integer.MAX_VALUE;
        if (counts && untilCut.decrementAndGet() < 0) {
          untilCut.set(Integer.MAX_VALUE);
          atCut.run();
          return;
        }
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
      }
    } catch (IOException e) {
      // Either end is gone, and so is the other.
    }
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() throws IOException {
    thaw();
    listener.close();
    closeLast();
  }
}
