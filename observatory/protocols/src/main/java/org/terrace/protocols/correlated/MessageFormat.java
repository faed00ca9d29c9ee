package org.terrace.protocols.correlated;

/**
 * The form of a protocol's messages: a header of fixed length that tells the length of the rest,
 * and an id by which an answer finds its request. Confined to the thread of its decoder.
 */
interface MessageFormat {
  /** {@link #header}: there is no such message. */
  long NO_MESSAGE = -1;

  /** The length of a header of one side. */
  int headerBytes(boolean ofClient);

  /** Reads a header, of the client or the server: the length of the rest, or that it is none. */
  long header(boolean ofClient, byte[] bytes, int at, MessageHead into);

  /** The number of bytes of the rest that are read, of the message whose header was read last. */
  int bytesRead(boolean ofClient, MessageHead head);

  /** Reads the rest of a message, or its beginning. */
  void rest(boolean ofClient, byte[] bytes, int from, int to, MessageHead into);
}
