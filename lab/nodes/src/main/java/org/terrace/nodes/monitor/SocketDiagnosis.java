package org.terrace.nodes.monitor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The kernel's word about the sockets that listen in the network namespace of this process, by
 * netlink's sock_diag(7): the files of {@code /proc/net} do not tell how long a queue may become.
 * It needs no rights. Stateless and thread-safe.
 */
@SuppressWarnings("restricted")
final class SocketDiagnosis {
  private static final int NETLINK = 16;
  private static final int RAW = 3;
  private static final int CLOSE_ON_EXECUTE = 0x80000;
  private static final int SOCKET_DIAGNOSIS = 4;
  private static final int DO_NOT_WAIT = 0x40;

  private static final int HEADER_BYTES = 16;
  private static final int REQUEST_BYTES = HEADER_BYTES + 56;
  private static final short BY_FAMILY = 20;
  private static final short LIST = 0x301;
  private static final byte TCP = 6;
  private static final byte WITH_MEMORY = 1 << 6;
  private static final int LISTENING = 1 << 10;
  private static final byte[] FAMILIES = {2, 10};
  private static final int ANSWER_BYTES = 1 << 16;

  /** Calls that receive one list at most: of one port there are few sockets. */
  private static final int MOST_ANSWERS = 100;

  private static final MethodHandle SOCKET =
      handle("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle SEND =
      handle("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle RECEIVE =
      handle("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private SocketDiagnosis() {}

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }

  /** The sockets that listen at a port, at whatever address; empty if the kernel does not tell. */
  static Optional<List<ListeningSocket>> listeningAt(int port) {
    try (Arena arena = Arena.ofConfined()) {
      int socket = (int) SOCKET.invokeExact(NETLINK, RAW | CLOSE_ON_EXECUTE, SOCKET_DIAGNOSIS);
      if (socket < 0) {
        return Optional.empty();
      }
      try {
        List<ListeningSocket> sockets = new ArrayList<>();
        for (byte family : FAMILIES) {
          if (!list(socket, arena.allocateFrom(JAVA_BYTE, request(family, port)), sockets)) {
            return Optional.empty();
          }
        }
        return Optional.of(sockets);
      } finally {
        int _ = (int) CLOSE.invokeExact(socket);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether the kernel told a list to its end. */
  private static boolean list(int socket, MemorySegment request, List<ListeningSocket> sockets)
      throws Throwable {
    long sent = (long) SEND.invokeExact(socket, request, request.byteSize(), 0);
    if (sent != request.byteSize()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(ANSWER_BYTES);
      for (int call = 0; call < MOST_ANSWERS; call++) {
        // The kernel has the answer ready when the request is sent.
        long length = (long) RECEIVE.invokeExact(socket, answer, answer.byteSize(), DO_NOT_WAIT);
        if (length <= 0) {
          return false;
        }
        switch (ListeningSocket.read(answer.asSlice(0, length).toArray(JAVA_BYTE), sockets)) {
          case WHOLE -> {
            return true;
          }
          case REFUSED -> {
            return false;
          }
          case OPEN -> {
            // The rest follows.
          }
        }
      }
    }
    return false;
  }

  /** {@code struct nlmsghdr} and {@code struct inet_diag_req_v2}. */
  private static byte[] request(byte family, int port) {
    return ByteBuffer.allocate(REQUEST_BYTES)
        .order(ByteOrder.nativeOrder())
        .putInt(REQUEST_BYTES)
        .putShort(BY_FAMILY)
        .putShort(LIST)
        .putInt(1)
        .putInt(0)
        .put(family)
        .put(TCP)
        .put(WITH_MEMORY)
        .put((byte) 0)
        .putInt(LISTENING)
        .put((byte) (port >> 8))
        .put((byte) port)
        .array();
  }
}
