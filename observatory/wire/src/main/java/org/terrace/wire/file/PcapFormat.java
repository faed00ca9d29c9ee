package org.terrace.wire.file;

/** The numbers of classic pcap: the file header's magic and the sizes of the headers. */
final class PcapFormat {
  static final int MAGIC_MICROS = 0xa1b2c3d4;
  static final int MAGIC_NANOS = 0xa1b23c4d;

  /** Kuznetzov's variant, whose record headers are longer. */
  static final int MAGIC_LONG_HEADERS = 0xa1b2cd34;

  static final int FILE_HEADER_BYTES = 24;
  static final int RECORD_HEADER_BYTES = 16;
  static final int LONG_RECORD_HEADER_BYTES = 24;

  /** The offset of the link type in the file header. */
  static final int LINK_TYPE = 20;

  static final int LINK_TYPE_MASK = 0xffff;

  private PcapFormat() {}
}
