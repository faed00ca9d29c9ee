package org.terrace.wire.file;

/**
 * A receiver of the secrets that a capture file carries for what is encrypted in it: the key logs
 * of TLS in pcapng's decryption secrets blocks. Confined to the thread of its reader.
 */
public interface CaptureSecrets {
  /** Passes over all secrets. */
  CaptureSecrets NONE =
      new CaptureSecrets() {
        @Override
        public void keyLog(byte[] bytes, int from, int to) {}

        @Override
        public void keyLogEnds() {}
      };

  /**
   * The next bytes of a key log, cut anywhere.
   *
   * @param bytes the array in which they lie, valid during the call only
   * @param from the index of the first
   * @param to the index after the last
   */
  void keyLog(byte[] bytes, int from, int to);

  /** The key log is over; what comes next is another one. */
  void keyLogEnds();
}
