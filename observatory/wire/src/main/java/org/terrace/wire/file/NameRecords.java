package org.terrace.wire.file;

import static org.terrace.wire.file.PcapngFormat.NAME_OF_IPV4;
import static org.terrace.wire.file.PcapngFormat.NAME_OF_IPV6;
import static org.terrace.wire.file.PcapngFormat.OPTION_END;

import java.nio.charset.StandardCharsets;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.packet.HostAddress;

/** The records of a name resolution block of pcapng: addresses and their names. */
final class NameRecords {
  private static final int FIRST_RECORD = 8;
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  private NameRecords() {}

  /** Adds the first name of every address in the block ahead of the reader. */
  static void read(PcapngReader block, int length, HostNames names) {
    int at = FIRST_RECORD;
    int end = length - 4;
    while (at + 4 <= end) {
      int type = block.u16(at);
      int recordLength = block.u16(at + 2);
      int value = at + 4;
      if (type == OPTION_END || value + recordLength > end) {
        return;
      }
      if (type == NAME_OF_IPV4 && recordLength > IPV4_BYTES) {
        long address = Bytes.u32(block.bytes(), block.indexOf(value));
        String name = name(block, value + IPV4_BYTES, value + recordLength);
        names.add(HostAddress.ofIpv4((int) address), name);
      } else if (type == NAME_OF_IPV6 && recordLength > IPV6_BYTES) {
        int index = block.indexOf(value);
        HostAddress address =
            new HostAddress(Bytes.i64(block.bytes(), index), Bytes.i64(block.bytes(), index + 8));
        names.add(address, name(block, value + IPV6_BYTES, value + recordLength));
      }
      at = value + PcapngFormat.padded(recordLength);
    }
  }

  private static String name(PcapngReader block, int from, int to) {
    int first = block.indexOf(from);
    int last = block.indexOf(to);
    int zero = Bytes.indexOf(block.bytes(), first, last, (byte) 0);
    int end = zero < 0 ? last : zero;
    return new String(block.bytes(), first, end - first, StandardCharsets.UTF_8);
  }
}
