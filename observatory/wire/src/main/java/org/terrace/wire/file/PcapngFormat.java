package org.terrace.wire.file;

/**
 * The numbers of pcapng that are both written and read: block types and option codes.
 *
 * <p>Source: "PCAP Now Generic (pcapng) Capture File Format", IETF draft-ietf-opsawg-pcapng.
 */
final class PcapngFormat {
  static final int SECTION_HEADER = 0x0a0d0d0a;
  static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
  static final int INTERFACE_DESCRIPTION = 1;
  static final int OBSOLETE_PACKET = 2;
  static final int SIMPLE_PACKET = 3;
  static final int NAME_RESOLUTION = 4;
  static final int INTERFACE_STATISTICS = 5;
  static final int ENHANCED_PACKET = 6;
  static final int DECRYPTION_SECRETS = 10;

  /** The kind of secrets that are a key log of TLS: the letters TLSK. */
  static final int TLS_KEY_LOG = 0x544c_534b;

  /** The bytes ahead of the data of an enhanced packet. */
  static final int PACKET_HEADER_BYTES = 28;

  static final int OPTION_END = 0;
  static final int SECTION_HARDWARE = 2;
  static final int SECTION_OPERATING_SYSTEM = 3;
  static final int SECTION_APPLICATION = 4;
  static final int INTERFACE_NAME = 2;
  static final int INTERFACE_TIME_RESOLUTION = 9;
  static final int INTERFACE_FILTER = 11;
  static final int INTERFACE_OPERATING_SYSTEM = 12;
  static final int INTERFACE_TIME_OFFSET = 14;
  static final int STATISTICS_START = 2;
  static final int STATISTICS_END = 3;
  static final int STATISTICS_RECEIVED = 4;
  static final int STATISTICS_INTERFACE_DROPPED = 5;
  static final int STATISTICS_SYSTEM_DROPPED = 7;
  static final int STATISTICS_DELIVERED = 8;
  static final int PACKET_DROP_COUNT = 4;
  static final int NAME_OF_IPV4 = 1;
  static final int NAME_OF_IPV6 = 2;

  private PcapngFormat() {}

  /** The bytes that a value of the given length takes, filled up to a multiple of four. */
  static int padded(int length) {
    return (length + 3) & ~3;
  }
}
