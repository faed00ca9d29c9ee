package org.terrace.control.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.terrace.control.ControlSecret;
import org.terrace.core.ErrorCode;
import org.terrace.core.HostLookup;
import org.terrace.core.TerraceException;

/** A server that accepts connections and hands each to a virtual thread of its own. Thread-safe. */
public final class LinkServer implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 4_096;
  private static final int BACKLOG = 256;

  /** While the system gives no connections, for want of file descriptors most likely. */
  private static final long PAUSE_MILLIS_MIN = 10;

  private static final long PAUSE_MILLIS_MAX = 1_000;

  /** A handler of connections, each of which is closed when it returns. */
  @FunctionalInterface
  public interface Handler {
    /** Serves a connection until it ends. */
    void serve(Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final Handler handler;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Semaphore places = new Semaphore(CONNECTIONS_MAX);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ThreadFactory threads;
  private boolean fullTold;

  private LinkServer(ServerSocket server, ThreadFactory threads, Handler handler) {
    this.server = server;
    this.threads = threads;
    this.handler = handler;
  }

  /**
   * Listens at an address; port 0 lets the system choose.
   *
   * @param secret of those who may connect, which the handler asks for
   * @throws TerraceException if the address is taken or none of this machine's, or if it is beyond
   *     loopback and there is no secret
   */
  public static LinkServer open(InetSocketAddress named, ControlSecret secret, Handler handler) {
    InetSocketAddress address = HostLookup.first(named);
    if (!secret.isSet() && isBeyondLoopback(address)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "will not listen at "
              + address
              + " without a secret: whoever reaches it could say who is the primary, and have"
              + " replicas killed; give '--secret-file FILE', the same for every naming process,"
              + " manager, replica and client, or an address of loopback");
    }
    return openOnLoopbackOrSecret(address, Thread.ofVirtual().factory(), handler);
  }

  /**
   * Listens on loopback for people and their tools, who show no secret.
   *
   * @throws TerraceException if the address is taken or beyond loopback
   */
  public static LinkServer openForPeople(InetSocketAddress named, Handler handler) {
    InetSocketAddress address = HostLookup.first(named);
    if (isBeyondLoopback(address)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "will not answer people at "
              + address
              + ": whoever reaches it may have replicas killed; give an address of loopback, and"
              + " reach it from another machine by 'ssh -L'");
    }
    return openOnLoopbackOrSecret(address, Thread.ofVirtual().factory(), handler);
  }

  /** A name that has no address is refused when it is listened at. */
  private static boolean isBeyondLoopback(InetSocketAddress address) {
    return !address.isUnresolved() && !address.getAddress().isLoopbackAddress();
  }

  /**
   * Opens a server as the others do once they have seen to whom; the factory makes a thread a
   * connection.
   */
  static LinkServer openOnLoopbackOrSecret(
      InetSocketAddress address, ThreadFactory threads, Handler handler) {
    try {
      ServerSocket server = new ServerSocket();
      server.setReuseAddress(true);
      server.bind(address, BACKLOG);
      LinkServer opened = new LinkServer(server, threads, handler);
      Thread.ofPlatform().daemon().name("accept-" + address).start(opened::accept);
      return opened;
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "cannot listen at "
              + address
              + " ("
              + e.getMessage()
              + "); give an address of this machine and a port that is free, or port 0",
          e);
    }
  }

  /** The address at which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  private void accept() {
    long pauseMillis = 0;
    try {
      while (!closed.await(pauseMillis, TimeUnit.MILLISECONDS)) {
        awaitPlace();
        try {
          Socket socket = server.accept();
          if (pauseMillis > 0) {
            System.err.println("server at " + address() + ": accepts connections again");
          }
          pauseMillis = 0;
          serve(socket);
        } catch (IOException | RuntimeException | Error e) {
          // Without descriptors, threads or memory this one is lost, and the next may not be.
          places.release();
          if (pauseMillis == 0 && closed.getCount() > 0) {
            System.err.println(
                "server at "
                    + address()
                    + ": cannot accept connections ("
                    + e
                    + "), and tries again until it can; it may need more file descriptors"
                    + " ('ulimit -n')");
          }
          pauseMillis = Math.clamp(2 * pauseMillis, PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitPlace() throws InterruptedException {
    if (places.tryAcquire()) {
      return;
    }
    if (!fullTold) {
      fullTold = true;
      System.err.println(
          "server at "
              + address()
              + ": "
              + CONNECTIONS_MAX
              + " connections are there, and further ones wait until some end");
    }
    places.acquire();
  }

  private void serve(Socket socket) {
    open.add(socket);
    try {
      threads.newThread(() -> run(socket)).start();
    } catch (RuntimeException | Error e) {
      open.remove(socket);
      closeQuietly(socket);
      throw e;
    }
  }

  private void run(Socket socket) {
    try (socket) {
      if (closed.getCount() > 0) {
        handler.serve(socket);
      }
    } catch (IOException e) {
      // The end of a connection: the handler has seen it too, and there is nobody to tell.
      open.remove(socket);
    } finally {
      open.remove(socket);
      places.release();
    }
  }

  /** Ends every connection. */
  @Override
  public void close() {
    closed.countDown();
    closeQuietly(server);
    open.forEach(LinkServer::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
