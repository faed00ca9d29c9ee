package org.terrace.load.page;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * The local ports of one source address, handed out in turn. Thread-safe.
 *
 * <p>The kernel would find a port by itself, but for a socket that is bound to an address before it
 * connects it searches linearly, and among only half of the range first: with 13,000 connections
 * open that took most of a core. Handing out the port given back longest ago finds one at once, and
 * lets a closed connection's port rest (TIME_WAIT) before it is used again.
 */
public final class SourcePorts {
  /** Ports tried before giving up; others may hold some. */
  private static final int TRIES = 200;

  private final InetAddress address;
  private final int[] free;
  private int first;
  private int count;

  /**
   * The ports of a range.
   *
   * @param start a number that decides which port is handed out first
   */
  public SourcePorts(InetAddress address, int lowest, int highest, long start) {
    this.address = address;
    this.count = highest - lowest + 1;
    this.free = new int[count];
    for (int i = 0; i < count; i++) {
      free[i] = lowest + i;
    }
    this.first = (int) Math.floorMod(start, (long) count);
  }

  /**
   * Binds a channel to the address and a free port.
   *
   * @return the port, to be given back when the channel is closed
   * @throws BindException if no port was found
   */
  int bind(SocketChannel channel) throws IOException {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      int port = take();
      try {
        channel.bind(new InetSocketAddress(address, port));
        return port;
      } catch (BindException e) {
        giveBack(port);
        if (e.getMessage() == null || !e.getMessage().contains("in use")) {
          throw e; // the address itself is not this machine's
        }
      } catch (IOException | RuntimeException e) {
        giveBack(port);
        throw e;
      }
    }
    throw new BindException("no free port at " + address.getHostAddress() + ": address in use");
  }

  private synchronized int take() throws BindException {
    if (count == 0) {
      throw new BindException("every port of " + address.getHostAddress() + " is in use");
    }
    int port = free[first];
    first = (first + 1) % free.length;
    count--;
    return port;
  }

  synchronized void giveBack(int port) {
    free[(first + count) % free.length] = port;
    count++;
  }
}
