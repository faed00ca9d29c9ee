package org.terrace.wire.file;

/**
 * A decryption secrets block of pcapng: its key log of TLS goes to the receiver of secrets, at once
 * or, where it is longer than other blocks may be, in pieces. Secrets of other kinds are passed
 * over. Confined to one thread.
 *
 * <p>Source: "PCAP Now Generic (pcapng) Capture File Format", IETF draft-ietf-opsawg-pcapng,
 * "Decryption Secrets Block".
 */
final class SecretsBlock {
  /** The bytes before the secrets: type, length, kind of secrets, length of secrets. */
  static final int HEADER_BYTES = 16;

  /** A block that is longer is read in pieces. */
  private static final int AT_ONCE_BYTES_MAX = 1 << 20;

  /** A block that claims to be longer is damaged: 64 MB hold the keys of 80,000 connections. */
  private static final int BLOCK_BYTES_MAX = 64 << 20;

  private static final int PIECE_BYTES = 256 << 10;

  private final CaptureSecrets secrets;

  /** Bytes of the key log that are to come, and bytes of the block behind them. */
  private long logBytes;

  private long bytesBehind;
  private boolean wanted;

  SecretsBlock(CaptureSecrets secrets) {
    this.secrets = secrets;
  }

  /** Whether a block of secrets of this length is read in pieces. */
  static boolean isLong(int length) {
    return length > AT_ONCE_BYTES_MAX && length <= BLOCK_BYTES_MAX && (length & 3) == 0;
  }

  /** Takes a block that lies ahead as a whole. */
  void read(PcapngReader block, int length) {
    int most = length - HEADER_BYTES - 4;
    if (most > 0 && block.i32(8) == PcapngFormat.TLS_KEY_LOG) {
      long claimed = block.i32(12) & 0xffff_ffffL;
      int from = block.indexOf(HEADER_BYTES);
      secrets.keyLog(block.bytes(), from, from + (int) Math.min(claimed, most));
      secrets.keyLogEnds();
    }
  }

  /** Begins a long block, of which the header was read. */
  void begin(int length, int kind, int secretsLength) {
    long most = length - HEADER_BYTES - 4L;
    wanted = kind == PcapngFormat.TLS_KEY_LOG;
    logBytes = Math.min(secretsLength & 0xffff_ffffL, most);
    bytesBehind = length - HEADER_BYTES - logBytes;
  }

  /** Whether a long block is being read. */
  boolean isOpen() {
    return logBytes + bytesBehind > 0;
  }

  /** Reads the next piece of a long block; false when the file ends before it. */
  boolean readOn(ByteWindow window) {
    boolean inLog = logBytes > 0;
    int count = (int) Math.min(PIECE_BYTES, inLog ? logBytes : bytesBehind);
    boolean there = window.require(count);
    int available = Math.min(count, window.available());
    if (inLog && wanted) {
      secrets.keyLog(window.bytes(), window.index(), window.index() + available);
    }
    window.advance(available);
    if (inLog) {
      logBytes -= available;
    } else {
      bytesBehind -= available;
    }
    if (inLog && wanted && (logBytes == 0 || !there)) {
      secrets.keyLogEnds();
    }
    if (!there) {
      logBytes = 0;
      bytesBehind = 0;
    }
    return there;
  }
}
