package org.terrace.wire.file;

/** Reads the records of one capture format from a window. Confined to one thread. */
sealed interface RecordReader permits PcapReader, PcapngReader {
  /** The largest packet that is believed; loopback and offloading make up to half a megabyte. */
  int PACKET_BYTES_MAX = 1 << 20;

  /** The most bytes that one step passes over in search of a sound record. */
  int SEARCH_BYTES_MAX = 256 << 10;

  /** The outcome of one step. */
  enum Step {
    /** A packet: the record is filled. */
    PACKET,
    /** Something else, which was passed over. */
    OTHER,
    /** The end of the stream. */
    END
  }

  /** Takes one step, over little more than {@link #PACKET_BYTES_MAX} bytes at most. */
  Step read(PacketRecord record);

  /** The number of packets that the file's writer lost; it may grow until the end of the stream. */
  long droppedPackets();

  /**
   * The times of those losses, as far as the file tells; they may grow until the end of the stream.
   */
  DropTimes drops();
}
