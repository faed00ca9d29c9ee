package org.terrace.capture;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.wire.file.PcapngWriter;

/**
 * An AF_PACKET socket with a TPACKET_V3 ring: the kernel copies each packet that passes the filter
 * into blocks of memory shared with this process and hands over a block when it is full, or {@value
 * #RETIRE_MILLIS} ms after its first packet. So a busy capture wakes this process once per block,
 * not once per packet.
 *
 * <p>Source: Linux kernel documentation, "Packet MMAP" (networking/packet_mmap). Sizes and offsets
 * are those of {@code linux/if_packet.h}, the same on every 64-bit Linux.
 *
 * <p>Confined to one thread at a time.
 */
final class PacketRing implements AutoCloseable {
  /** The longest a packet waits in a block that does not fill. */
  static final int RETIRE_MILLIS = 100;

  private static final int FAMILY_PACKET = 17;
  private static final int SOCKET_RAW = 3;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final short EVERY_PROTOCOL = LinuxCalls.networkOrder(3);
  private static final int LEVEL_SOCKET = 1;
  private static final int ATTACH_FILTER = 26;
  private static final int SOCKET_ERROR = 4;
  private static final int LEVEL_PACKET = 263;
  private static final int RECEIVE_RING = 5;
  private static final int STATISTICS = 6;
  private static final int VERSION = 10;
  private static final int VERSION_3 = 2;
  private static final int IGNORE_OUTGOING = 23;

  private static final int MAXIMUM_BLOCK_BYTES = 1 << 20;
  private static final int MINIMUM_BLOCKS = 2;
  private static final int FRAME_BYTES = 2048;
  private static final int BLOCK_STATUS = 8;
  private static final int BLOCK_PACKETS = 12;
  private static final int BLOCK_FIRST = 16;
  private static final int OWNED_BY_KERNEL = 0;
  private static final int OWNED_BY_READER = 1;
  private static final VarHandle INT = JAVA_INT.varHandle();

  private static final int POLL_IN = 1;
  private static final int POLL_FAILURE = 8 | 16 | 32;

  private final int socket;
  private final int blockBytes;
  private final int blocks;
  private final MemorySegment memory;
  private final ByteBuffer packets;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment pollDescriptor;
  private final MemorySegment statistics;
  private int nextBlock;
  private long received;
  private long dropped;
  private @Nullable String failure;

  private PacketRing(int socket, int blockBytes, int blocks) {
    this.socket = socket;
    this.blockBytes = blockBytes;
    this.blocks = blocks;
    this.memory = LinuxCalls.map(socket, (long) blockBytes * blocks);
    this.packets = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    this.pollDescriptor = arena.allocate(8, 4);
    this.statistics = arena.allocate(12, 4);
    pollDescriptor.set(JAVA_INT, 0, socket);
    pollDescriptor.set(JAVA_SHORT, 4, (short) POLL_IN);
  }

  /** The error number of asking for a packet socket, or 0 when this process may have one. */
  static int permission() {
    int socket = LinuxCalls.socket(FAMILY_PACKET, SOCKET_RAW | CLOSE_ON_EXEC, 0);
    if (socket < 0) {
      return -socket;
    }
    LinuxCalls.close(socket);
    return 0;
  }

  /**
   * Opens a ring on an interface. Every packet from the return on is seen.
   *
   * @throws TerraceException when a right or memory is missing
   */
  static PacketRing open(
      NetworkInterfaceFacts link, int ringBytes, CaptureFilter filter, int snapLength) {
    // Protocol 0 sees no packet until bind names one, so the ring begins with the filter in place.
    int socket = LinuxCalls.socket(FAMILY_PACKET, SOCKET_RAW | CLOSE_ON_EXEC, 0);
    if (socket < 0) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, CaptureRights.refusal(-socket, link.name()));
    }
    PacketRing ring;
    try {
      ring = prepare(socket, link, ringBytes, filter, snapLength);
    } catch (RuntimeException e) {
      LinuxCalls.close(socket);
      throw e;
    }
    try {
      bind(socket, link);
    } catch (RuntimeException e) {
      ring.close();
      throw e;
    }
    return ring;
  }

  private static PacketRing prepare(
      int socket, NetworkInterfaceFacts link, int ringBytes, CaptureFilter filter, int snapLength) {
    check("packet version 3", LinuxCalls.setOption(socket, LEVEL_PACKET, VERSION, VERSION_3));
    boolean filterOutgoing = link.loopback() && ignoreOutgoing(socket) < 0;
    attach(socket, FilterCompiler.compile(filter, link.linkBytes(), filterOutgoing, snapLength));
    int blockBytes =
        Math.min(MAXIMUM_BLOCK_BYTES, Integer.highestOneBit(ringBytes / MINIMUM_BLOCKS));
    int blocks = ringBytes / blockBytes;
    requestMemory(socket, blockBytes, blocks);
    return new PacketRing(socket, blockBytes, blocks);
  }

  /** Since Linux 4.20; before the filter does it, at a little more cost. */
  private static int ignoreOutgoing(int socket) {
    return LinuxCalls.setOption(socket, LEVEL_PACKET, IGNORE_OUTGOING, 1);
  }

  /**
   * Waits for a whole block and hands its packets to the file. A failure of the interface is kept
   * for {@link #failure}: what came before it is still in the ring, and is handed over after it.
   *
   * @return whether there was a block
   * @throws IOException when the file cannot be written
   */
  boolean drain(PcapngWriter file, int timeoutMillis) throws IOException {
    int at = nextBlock * blockBytes;
    if (!ready(at)) {
      int events = LinuxCalls.poll(pollDescriptor, timeoutMillis);
      if (events < 0 && events != -LinuxCalls.EINTR) {
        check("poll", events);
      }
      if (events > 0 && (pollDescriptor.get(JAVA_SHORT, 6) & POLL_FAILURE) != 0) {
        keepFailure();
      }
      if (!ready(at)) {
        return false;
      }
    }
    int packet = at + packets.getInt(at + BLOCK_FIRST);
    for (int left = packets.getInt(at + BLOCK_PACKETS); left > 0; left--) {
      packet = TpacketHeader.write(packets, packet, file);
    }
    INT.setRelease(memory, (long) at + BLOCK_STATUS, OWNED_BY_KERNEL);
    nextBlock = (nextBlock + 1) % blocks;
    return true;
  }

  /** Lets no further packet in; those in the ring stay. */
  void stop() {
    attach(socket, FilterProgram.nothing());
  }

  /** Asks the kernel for its counts since the last call and adds them up. */
  void readStatistics() {
    check("statistics", LinuxCalls.getOption(socket, LEVEL_PACKET, STATISTICS, statistics));
    received += Integer.toUnsignedLong(statistics.get(JAVA_INT, 0));
    dropped += Integer.toUnsignedLong(statistics.get(JAVA_INT, 4));
  }

  /** Packets that passed the filter, dropped ones included, as of the last reading. */
  long received() {
    return received;
  }

  /** Packets lost because no block was free, as of the last reading. */
  long dropped() {
    return dropped;
  }

  @Override
  public void close() {
    LinuxCalls.unmap(memory);
    LinuxCalls.close(socket);
    arena.close();
  }

  private boolean ready(int block) {
    return ((int) INT.getAcquire(memory, (long) block + BLOCK_STATUS) & OWNED_BY_READER) != 0;
  }

  /** The reason for which the interface gives no more packets, or null while it does. */
  @Nullable String failure() {
    return failure;
  }

  /** Asks for the error of the socket, which ends it: further waits are for blocks again. */
  private void keepFailure() {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment value = local.allocate(JAVA_INT);
      LinuxCalls.getOption(socket, LEVEL_SOCKET, SOCKET_ERROR, value);
      int error = value.get(JAVA_INT, 0);
      failure = error == LinuxCalls.ENETDOWN ? "went down" : "failed (error " + error + ")";
    }
  }

  private static void attach(int socket, FilterProgram program) {
    try (Arena arena = Arena.ofConfined()) {
      check(
          "attaching the packet filter",
          LinuxCalls.setOption(socket, LEVEL_SOCKET, ATTACH_FILTER, program.toNative(arena)));
    }
  }

  private static void bind(int socket, NetworkInterfaceFacts link) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(20, 4);
      address.set(JAVA_SHORT, 0, (short) FAMILY_PACKET);
      address.set(JAVA_SHORT, 2, EVERY_PROTOCOL);
      address.set(JAVA_INT, 4, link.index());
      check("binding to " + link.name(), LinuxCalls.bind(socket, address));
    }
  }

  private static void requestMemory(int socket, int blockBytes, int blocks) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(28, 4);
      request.set(JAVA_INT, 0, blockBytes);
      request.set(JAVA_INT, 4, blocks);
      request.set(JAVA_INT, 8, FRAME_BYTES);
      request.set(JAVA_INT, 12, blockBytes / FRAME_BYTES * blocks);
      request.set(JAVA_INT, 16, RETIRE_MILLIS);
      int result = LinuxCalls.setOption(socket, LEVEL_PACKET, RECEIVE_RING, request);
      if (result == -LinuxCalls.ENOMEM) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "the kernel has no memory for a capture ring of %d MB: ask for a smaller one"
                .formatted(((long) blockBytes * blocks) >> 20));
      }
      check("the packet ring", result);
    }
  }

  private static void check(String what, int result) {
    if (result < 0) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "capture: the kernel refused %s: error %d; try --method tcpdump"
              .formatted(what, -result));
    }
  }
}
