package org.terrace.experiment;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A web server of which each request takes a known processor time, so that its capacity under a
 * limit is known; {@code GET /hold} makes it stand still as an application does, by a lock, while
 * its kernel goes on.
 */
public final class WorkingServer {
  /** The time for which {@code /hold} holds the lock. */
  static final long HOLD_MILLIS = 600;

  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.ISO_8859_1);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final long workNanos;

  private WorkingServer(long workNanos) {
    this.workNanos = workNanos;
  }

  /** Serves at an address and a port; the third argument is the microseconds of work a request. */
  public static void main(String[] arguments) throws IOException {
    serve(arguments[0], Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]) * 1_000);
    System.out.println("ready");
    System.in.read();
    System.exit(0);
  }

  /** Starts to serve in threads of this process. */
  static void serve(String address, int port, long workNanos) throws IOException {
    WorkingServer server = new WorkingServer(workNanos);
    ServerSocket listener = new ServerSocket();
    listener.bind(new InetSocketAddress(InetAddress.getByName(address), port), 512);
    Thread.ofPlatform().daemon().start(() -> server.accept(listener));
  }

  private void accept(ServerSocket listener) {
    while (true) {
      try {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        // Threads of the platform: the processor time of a virtual one cannot be read.
        Thread.ofPlatform().daemon().start(() -> answer(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      InputStream input = new BufferedInputStream(socket.getInputStream());
      OutputStream output = socket.getOutputStream();
      for (String head = head(input); !head.isEmpty(); head = head(input)) {
        if (head.startsWith("GET /hold")) {
          hold();
        } else {
          lock.readLock().lock();
          try {
            work();
          } finally {
            lock.readLock().unlock();
          }
        }
        output.write(ANSWER);
      }
    } catch (IOException e) {
      // The client has gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hold() throws InterruptedException {
    // Awaiting a condition gives up its own lock, so the time passes on another's.
    ReentrantLock other = new ReentrantLock();
    Condition passing = other.newCondition();
    lock.writeLock().lock();
    other.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(HOLD_MILLIS);
      while (left > 0) {
        left = passing.awaitNanos(left);
      }
    } finally {
      other.unlock();
      lock.writeLock().unlock();
    }
  }

  private void work() {
    long until = threads.getCurrentThreadCpuTime() + workNanos;
    while (threads.getCurrentThreadCpuTime() < until) {
      Thread.onSpinWait();
    }
  }

  /** The head of the next request; empty at the end. */
  private static String head(InputStream input) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      int next = input.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }
}
