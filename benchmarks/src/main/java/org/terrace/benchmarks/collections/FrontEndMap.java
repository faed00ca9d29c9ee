package org.terrace.benchmarks.collections;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.terrace.benchmarks.collections.peers.Place;
import org.terrace.benchmarks.collections.peers.SharedMap;

/**
 * The map as the load process sees it: behind the servers' front ends, in turn. Each operation
 * takes a connection for itself, and there are as many as operations at once. Thread-safe.
 */
final class FrontEndMap implements SharedMap {
  private final Place place;
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger opened = new AtomicInteger();

  FrontEndMap(Place place) {
    this.place = place;
  }

  private record Connection(DataInputStream in, DataOutputStream out) {
    static Connection open(String host, int port) throws IOException {
      Socket socket = new Socket(host, port);
      socket.setTcpNoDelay(true);
      return new Connection(
          new DataInputStream(new BufferedInputStream(socket.getInputStream())),
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())));
    }
  }

  private @Nullable String call(int operation, String key, @Nullable String value)
      throws IOException {
    Connection connection = idle.pollFirst();
    if (connection == null) {
      int server = Math.floorMod(opened.getAndIncrement(), place.frontEndPorts().size());
      connection = Connection.open(place.hosts().get(server), place.frontEndPorts().get(server));
    }
    connection.out.writeByte(operation);
    connection.out.writeUTF(key);
    if (value != null) {
      connection.out.writeUTF(value);
    }
    connection.out.flush();
    int answer = connection.in.readByte();
    @Nullable String found = answer == FrontEnd.FOUND ? connection.in.readUTF() : null;
    idle.addLast(connection);
    if (answer == FrontEnd.FAILED) {
      throw new IOException("the server could not do it");
    }
    return found;
  }

  @Override
  public void put(String key, String value) throws IOException {
    call(FrontEnd.PUT, key, value);
  }

  @Override
  public @Nullable String get(String key) throws IOException {
    return call(FrontEnd.GET, key, null);
  }

  @Override
  public void remove(String key) {
    throw new UnsupportedOperationException("the load does not remove");
  }

  @Override
  public int members() {
    return place.frontEndPorts().size();
  }
}
