package org.terrace.protocols.tls;

/**
 * The keys that protect the records of one direction from one change of keys to the next.
 * Immutable.
 */
sealed interface RecordKeys permits AeadKeys, CbcKeys {
  /** {@link #open}: the record does not open with these keys and this number. */
  int CLOSED = -1;

  /**
   * Opens a record.
   *
   * @param pool takes the plaintext, from the index 0 on
   * @param sequence the number of the record under these keys, from 0
   * @param type the type in its header
   * @param bytes an array with its body
   * @return the length of the plaintext, or {@link #CLOSED}
   */
  int open(CipherPool pool, long sequence, int type, byte[] bytes, int from, int to);

  /** The place in the body of a record at which the first byte of its plaintext is encrypted. */
  int plaintextOffset();

  /** The bytes of a record's body that carry no plaintext, at least. */
  int overheadBytes();
}
