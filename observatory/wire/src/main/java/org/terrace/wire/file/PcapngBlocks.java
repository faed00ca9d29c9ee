package org.terrace.wire.file;

import static org.terrace.wire.file.PcapngFormat.BYTE_ORDER_MAGIC;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_DESCRIPTION;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_FILTER;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_NAME;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_OPERATING_SYSTEM;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_STATISTICS;
import static org.terrace.wire.file.PcapngFormat.INTERFACE_TIME_RESOLUTION;
import static org.terrace.wire.file.PcapngFormat.NAME_OF_IPV4;
import static org.terrace.wire.file.PcapngFormat.NAME_OF_IPV6;
import static org.terrace.wire.file.PcapngFormat.NAME_RESOLUTION;
import static org.terrace.wire.file.PcapngFormat.OPTION_END;
import static org.terrace.wire.file.PcapngFormat.SECTION_APPLICATION;
import static org.terrace.wire.file.PcapngFormat.SECTION_HARDWARE;
import static org.terrace.wire.file.PcapngFormat.SECTION_HEADER;
import static org.terrace.wire.file.PcapngFormat.SECTION_OPERATING_SYSTEM;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_DELIVERED;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_END;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_RECEIVED;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_START;
import static org.terrace.wire.file.PcapngFormat.STATISTICS_SYSTEM_DROPPED;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * The pcapng blocks of a file that are not packets, in this machine's byte order.
 *
 * <p>Source: "PCAP Now Generic (pcapng) Capture File Format", IETF draft-ietf-opsawg-pcapng.
 * Stateless.
 */
final class PcapngBlocks {
  private static final int NANOSECONDS = 9;
  private static final int MAXIMUM_TEXT_BYTES = 1024;
  private static final int MAXIMUM_RECORD_BYTES = MAXIMUM_TEXT_BYTES + 32;
  private static final int FRAME_BYTES = 32;

  private PcapngBlocks() {}

  static ByteBuffer section(String hardware, String operatingSystem) {
    ByteBuffer block = open(SECTION_HEADER, 4 * MAXIMUM_TEXT_BYTES);
    block.putInt(BYTE_ORDER_MAGIC).putShort((short) 1).putShort((short) 0);
    block.putLong(-1L);
    text(block, SECTION_HARDWARE, hardware);
    text(block, SECTION_OPERATING_SYSTEM, operatingSystem);
    text(block, SECTION_APPLICATION, "Terrace");
    return close(block);
  }

  static ByteBuffer captureInterface(PcapngHeader header) {
    ByteBuffer block = open(INTERFACE_DESCRIPTION, 8 * MAXIMUM_TEXT_BYTES);
    block.putShort((short) header.linkType()).putShort((short) 0).putInt(header.snapLength());
    text(block, INTERFACE_NAME, header.interfaceName());
    option(block, INTERFACE_TIME_RESOLUTION, new byte[] {NANOSECONDS});
    String filter = header.filter();
    if (!filter.isEmpty()) {
      // The first byte says that a filter in the language of tcpdump follows.
      text(block, INTERFACE_FILTER, "\0" + filter);
    }
    text(block, INTERFACE_OPERATING_SYSTEM, header.operatingSystem());
    return close(block);
  }

  static ByteBuffer names(Map<String, String> names) {
    ByteBuffer block = open(NAME_RESOLUTION, FRAME_BYTES + names.size() * MAXIMUM_RECORD_BYTES);
    names.forEach((address, name) -> {
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      byte[] text = bytes(name);
      int kind = bytes.length == Integer.BYTES ? NAME_OF_IPV4 : NAME_OF_IPV6;
      block.putShort((short) kind).putShort((short) (bytes.length + text.length + 1));
      block.put(bytes).put(text).put((byte) 0);
      pad(block);
    });
    return close(block);
  }

  static ByteBuffer statistics(
      long startEpochNanos, long endEpochNanos, long received, long dropped, long written) {
    ByteBuffer block = open(INTERFACE_STATISTICS, MAXIMUM_TEXT_BYTES);
    block.putInt(0);
    time(block, endEpochNanos);
    block.putShort((short) STATISTICS_START).putShort((short) Long.BYTES);
    time(block, startEpochNanos);
    block.putShort((short) STATISTICS_END).putShort((short) Long.BYTES);
    time(block, endEpochNanos);
    number(block, STATISTICS_RECEIVED, received);
    number(block, STATISTICS_SYSTEM_DROPPED, dropped);
    number(block, STATISTICS_DELIVERED, written);
    return close(block);
  }

  private static void time(ByteBuffer block, long epochNanos) {
    block.putInt((int) (epochNanos >>> Integer.SIZE)).putInt((int) epochNanos);
  }

  private static void number(ByteBuffer block, int code, long value) {
    block.putShort((short) code).putShort((short) Long.BYTES).putLong(value);
  }

  private static void text(ByteBuffer block, int code, String text) {
    option(block, code, bytes(text));
  }

  private static void option(ByteBuffer block, int code, byte[] value) {
    block.putShort((short) code).putShort((short) value.length).put(value);
    pad(block);
  }

  private static void pad(ByteBuffer block) {
    while (block.position() != PcapngFormat.padded(block.position())) {
      block.put((byte) 0);
    }
  }

  private static byte[] bytes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAXIMUM_TEXT_BYTES ? bytes : Arrays.copyOf(bytes, MAXIMUM_TEXT_BYTES);
  }

  private static ByteBuffer open(int type, int capacity) {
    ByteBuffer block = ByteBuffer.allocate(capacity).order(ByteOrder.nativeOrder());
    return block.putInt(type).putInt(0);
  }

  /** Ends the options, or the name records, whose end looks the same, and sets both lengths. */
  private static ByteBuffer close(ByteBuffer block) {
    block.putInt(OPTION_END);
    int total = block.position() + Integer.BYTES;
    block.putInt(total);
    block.putInt(Integer.BYTES, total);
    return block.flip();
  }
}
