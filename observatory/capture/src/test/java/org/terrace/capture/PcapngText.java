package org.terrace.capture;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict reading of the small part of pcapng that the writer uses: any block that does not fit
 * the format fails the test. The tail of a file may be cut.
 */
final class PcapngText {
  record Packet(long epochNanos, byte[] bytes, int length) {}

  final List<Packet> packets = new ArrayList<>();
  final Map<String, String> names = new LinkedHashMap<>();
  final Map<Integer, Long> statistics = new LinkedHashMap<>();
  final List<Integer> blockTypes = new ArrayList<>();
  int linkType;
  int snapLength;
  boolean cut;

  static PcapngText read(Path file) throws IOException {
    PcapngText text = new PcapngText();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    while (bytes.hasRemaining()) {
      int start = bytes.position();
      if (bytes.remaining() < 8 || bytes.remaining() < bytes.getInt(start + 4)) {
        text.cut = true;
        break;
      }
      int total = bytes.getInt(start + 4);
      if (total % 4 != 0 || bytes.getInt(start + total - 4) != total) {
        throw new IOException("block lengths disagree at " + start);
      }
      text.block(bytes.getInt(start), bytes.slice(start + 8, total - 12));
      bytes.position(start + total);
    }
    return text;
  }

  private void block(int type, ByteBuffer body) throws IOException {
    body.order(ByteOrder.nativeOrder());
    blockTypes.add(type);
    switch (type) {
      case 0x0a0d0d0a -> {
        if (body.getInt(0) != 0x1a2b3c4d) {
          throw new IOException("byte order");
        }
      }
      case 1 -> {
        linkType = body.getShort(0);
        snapLength = body.getInt(4);
      }
      case 4 -> readNames(body);
      case 5 -> readStatistics(body.position(12));
      case 6 -> {
        long time = ((long) body.getInt(4) << 32) | Integer.toUnsignedLong(body.getInt(8));
        byte[] data = new byte[body.getInt(12)];
        body.get(20, data);
        packets.add(new Packet(time, data, body.getInt(16)));
      }
      default -> throw new IOException("block type " + type);
    }
  }

  private void readNames(ByteBuffer body) throws IOException {
    for (int kind = body.getShort(); kind != 0; kind = body.getShort()) {
      byte[] value = new byte[body.getShort()];
      body.get(value);
      body.position((body.position() + 3) & ~3);
      int addressBytes = kind == 1 ? 4 : 16;
      byte[] address = Arrays.copyOf(value, addressBytes);
      names.put(
          InetAddress.getByAddress(address).getHostAddress(),
          new String(value, addressBytes, value.length - addressBytes - 1, StandardCharsets.UTF_8));
    }
  }

  private void readStatistics(ByteBuffer body) {
    for (int code = body.getShort(); code != 0; code = body.getShort()) {
      int length = body.getShort();
      statistics.put(code, body.getLong(body.position()));
      body.position(body.position() + length);
    }
  }
}
