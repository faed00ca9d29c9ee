package org.terrace.wire.file;

import static org.terrace.wire.file.PcapngFormat.OPTION_END;

/** The options at the end of the pcapng block ahead of a reader. Short-lived. */
record BlockOptions(PcapngReader block, int from, int to) {

  /** The offset in the block of an option's value, or -1 when the option is absent or cut short. */
  int find(int code) {
    int at = from;
    while (at + 4 <= to) {
      int option = block.u16(at);
      int length = block.u16(at + 2);
      if (option == OPTION_END || at + 4 + length > to) {
        return -1;
      }
      if (option == code) {
        return at + 4;
      }
      at += 4 + PcapngFormat.padded(length);
    }
    return -1;
  }

  /** A 64-bit option, or -1 when it is absent. */
  long number(int code) {
    int at = find(code);
    return at >= 0 && block.u16(at - 2) == 8 ? block.i64(at) : -1;
  }

  /** The first byte of an option, or a given value when it is absent. */
  int firstByte(int code, int otherwise) {
    int at = find(code);
    return at >= 0 && block.u16(at - 2) >= 1 ? block.byteAt(at) & 0xff : otherwise;
  }
}
