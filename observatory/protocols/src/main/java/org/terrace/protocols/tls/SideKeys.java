package org.terrace.protocols.tls;

import org.jspecify.annotations.Nullable;
import org.terrace.protocols.tls.TlsSession.TrafficKeys;

/**
 * The keys that protect one direction of a connection at the moment, the number of its next record
 * under them, and the keys that would follow. Confined to one thread.
 *
 * <p>Source: RFC 8446, sections 4.4, 4.6.3 and 5.3; RFC 5246, section 7.1.
 */
final class SideKeys {
  /** The stages of a direction. */
  enum Stage {
    /** Nothing is encrypted yet. */
    CLEAR,
    /** The rest of the handshake of TLS 1.3. */
    HANDSHAKE,
    /** The keys of data. */
    DATA
  }

  private final TlsReading reading;
  private final TlsSession session;
  private final boolean ofClient;
  private Stage stage = Stage.CLEAR;
  private @Nullable TrafficKeys keys;
  private long sequence;
  private boolean mayRenew;

  SideKeys(TlsReading reading, TlsSession session, boolean ofClient) {
    this.reading = reading;
    this.session = session;
    this.ofClient = ofClient;
  }

  Stage stage() {
    return stage;
  }

  /** The keys of the moment; null if they are not known, or nothing is encrypted yet. */
  @Nullable TrafficKeys now() {
    return keys;
  }

  /** Looks once more for keys that were not known when they began to hold. */
  void lookAgain() {
    if (keys == null && stage != Stage.CLEAR) {
      keys =
          stage == Stage.HANDSHAKE ? session.handshakeKeys(ofClient) : session.dataKeys(ofClient);
    }
  }

  /**
   * The server chose: in TLS 1.3 all is encrypted from here on, in TLS 1.2 a record will say so.
   */
  void serverChose() {
    mayRenew = true;
    if (session.isTls13() && stage == Stage.CLEAR) {
      stage = Stage.HANDSHAKE;
      sequence = 0;
      keys = session.handshakeKeys(ofClient);
    }
  }

  /** Whether a record of TLS 1.2 may say that new keys hold from there on. */
  boolean mayRenew() {
    return mayRenew;
  }

  /** This side's part of a handshake of TLS 1.3 is over. */
  void handshakeEnds() {
    if (stage == Stage.HANDSHAKE) {
      keys = session.dataKeys(ofClient);
      sequence = 0;
      stage = Stage.DATA;
    }
  }

  /** This side updates its keys of TLS 1.3. */
  void update() {
    if (session.isTls13() && stage == Stage.DATA) {
      keys = next();
      sequence = 0;
    }
  }

  /** Keys hold from the record of a number on. */
  void adopt(TrafficKeys next, long number) {
    keys = next;
    sequence = number;
    stage = Stage.DATA;
    mayRenew = false;
  }

  /** The keys that come after those of the moment, or null. */
  @Nullable TrafficKeys next() {
    TrafficKeys known = keys;
    if (stage == Stage.DATA && session.isTls13()) {
      return known == null ? null : session.updated(known);
    }
    return stage != Stage.DATA || mayRenew ? session.dataKeys(ofClient) : null;
  }

  /** Some records of this side are over. */
  void pass(long records) {
    sequence += records;
  }

  /** Opens a record that comes so many behind the next one: its length, or that it is closed. */
  int open(int behind, int type, byte[] bytes, int from, int to) {
    TrafficKeys known = keys;
    return known == null
        ? RecordKeys.CLOSED
        : openWith(known, sequence + behind, type, bytes, from, to);
  }

  /** Opens a record with other keys: its length, or that it is closed. */
  int openWith(TrafficKeys with, long number, int type, byte[] bytes, int from, int to) {
    return with.keys().open(reading.pool, number, type, bytes, from, to);
  }
}
