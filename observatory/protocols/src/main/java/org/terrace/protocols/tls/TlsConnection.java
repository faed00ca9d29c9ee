package org.terrace.protocols.tls;

import org.terrace.wire.tcp.Moment;

/** A receiver of what the two sides of a connection of TLS find. Confined to one thread. */
interface TlsConnection {
  /** The reasons for which a connection stays turns. */
  enum Reason {
    /** There are no secrets of it. */
    NO_KEYS,
    /** There are secrets of it, and its first records do not open with them. */
    UNFITTING_KEYS,
    /** A part of it was not captured, behind which nothing opens. */
    LOST,
    /** It uses what is not decrypted. */
    NOT_DECRYPTED
  }

  /** The client's hello was read. */
  void clientAsked();

  /** The server's hello was read. */
  void serverChose(Moment moment);

  /** The server's part of the handshake is over. */
  void handshakeOver();

  /** A record was opened with the keys at hand. */
  void opened();

  /** A client's data from before the handshake were passed over. */
  void passedEarly(int plaintextBytes);

  /** All that one record carries of one side's data, before its parts are given. */
  void record(boolean ofClient, byte[] bytes, int from, int to, Moment moment);

  /** The next bytes of one side's data, in an array that is valid during the call only. */
  void plaintext(boolean ofClient, byte[] bytes, int from, int to, Moment moment);

  /** The next bytes of one side's data cannot be read; their number may be a guess. */
  void missing(boolean ofClient, long byteCount, Moment moment);

  /** Bytes of one side are missing, of which the number is told when a record behind is found. */
  void beginningLost(boolean ofClient);

  /** One side says that it will say no more. */
  void closed(boolean ofClient, Moment moment);

  /** Nothing more of the connection can be opened. */
  void giveUp(Reason reason, Moment moment);
}
