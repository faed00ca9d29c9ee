package org.terrace.wire.file;

/** One packet as a record reader found it; filled anew for each. Confined to one thread. */
final class PacketRecord {
  /** Nanoseconds since the Unix epoch. */
  long timeNanos;

  /** Its number, counted from 1 in the order of the file. */
  long number;

  /** The position of its first byte in the stream. */
  long position;

  /** Bytes that the capture kept. */
  int capturedBytes;

  /** Bytes that the packet had on the wire. */
  int wireBytes;

  /** The link-layer type, as in pcap's list. */
  int linkType;
}
