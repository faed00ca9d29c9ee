package org.terrace.protocols.tls;

import org.terrace.protocols.decoder.DecoderContext;
import org.terrace.protocols.tls.SideKeys.Stage;
import org.terrace.protocols.tls.TlsSession.TrafficKeys;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of a connection of TLS: opens its records with the keys of the moment, changes them
 * as the handshake and updates of keys say, and finds the number of a record again behind a loss.
 * Confined to one thread.
 *
 * <p>Source: RFC 8446, sections 4 and 5; RFC 5246, sections 6 and 7.
 */
final class TlsSide extends RecordStream {
  /** The records that may be lost at a time so that the next one's number is still found. */
  static final int RECORDS_LOST_MAX = 1024;

  /** The headers behind a loss whose records are tried. */
  static final int HEADERS_TRIED_MAX = 16;

  /** Records in a row that do not open, behind some that did, until nothing is hoped for. */
  static final int REFUSED_MAX = 8;

  /** Records of a handshake without keys that are passed over, where the keys of data are known. */
  private static final int PASSED_MAX = 64;

  private static final int RECORD_BYTES_MIN = HEADER_BYTES + AeadKeys.TAG_BYTES + 1;
  private static final int CLOSE_NOTIFY = 0;

  private final DecoderContext context;
  private final TlsReading reading;
  private final TlsSession session;
  private final TlsConnection connection;
  private final boolean ofClient;
  private final HandshakeMessages messages;
  private final Moment moment = new Moment();
  private final SideKeys keys;
  private boolean hasOpened;
  private boolean asksForUpdate;
  private int refused;
  private int passed;
  private int headersTried;

  /** Records that were lost since one was opened. */
  private int lostSince;

  TlsSide(
      DecoderContext context,
      TlsReading reading,
      TlsSession session,
      TlsConnection connection,
      boolean ofClient) {
    super(context.memory);
    this.context = context;
    this.reading = reading;
    this.session = session;
    this.connection = connection;
    this.ofClient = ofClient;
    keys = new SideKeys(reading, session, ofClient);
    messages =
        new HandshakeMessages(context.memory) {
          @Override
          void message(int type, byte[] bytes, int from, int to) {
            handshakeMessage(type, bytes, from, to);
          }
        };
  }

  /** The server chose. */
  void serverChose() {
    keys.serverChose();
  }

  /** Gives back what it keeps. */
  void releaseAll() {
    release();
    messages.lose();
  }

  @Override
  void record(int type, byte[] bytes, int from, int to, RecordMoments when) {
    when.set(moment, when.size() - 1);
    if (keys.stage() == Stage.CLEAR) {
      clear(type, bytes, from, to, when);
      return;
    }
    if (isOutside(type)) {
      return;
    }
    keys.lookAgain();
    int length = keys.open(0, type, bytes, from, to);
    if (length == RecordKeys.CLOSED) {
      refuse(type, bytes, from, to, when);
    } else {
      opened(type, length, when);
    }
  }

  /** Whether a record is none of those that TLS 1.3 encrypts. */
  private boolean isOutside(int type) {
    return session.isTls13() && type != DATA;
  }

  private void clear(int type, byte[] bytes, int from, int to, RecordMoments when) {
    switch (type) {
      case HANDSHAKE -> messages.accept(bytes, from, to);
      case CHANGE_CIPHER_SPEC -> {
        if (session.isChosen()) {
          renewKeys();
        }
      }
      case DATA -> {
        if (isEarly()) {
          passEarly(to - from);
        } else {
          refuse(type, bytes, from, to, when);
        }
      }
      default -> {}
    }
  }

  /** Whether a record that does not open may be data from before the handshake. */
  private boolean isEarly() {
    return ofClient
        && !hasOpened
        && session.offersEarlyData()
        && (session.isTls13() || !session.isChosen());
  }

  private void passEarly(int length) {
    context.counters.increment(WireCount.EARLY_RECORDS);
    connection.passedEarly(Math.max(0, length - AeadKeys.TAG_BYTES - 1));
  }

  /** A record of TLS 1.2 says that new keys hold from here on. */
  private void renewKeys() {
    TrafficKeys next = session.dataKeys(ofClient);
    if (next == null) {
      connection.giveUp(TlsConnection.Reason.NO_KEYS, moment);
    } else {
      adopt(next, 0);
    }
  }

  private void adopt(TrafficKeys next, long number) {
    keys.adopt(next, number);
    if (!ofClient && session.isTls13()) {
      connection.handshakeOver();
    }
  }

  /** A record does not open: what is not seen may have changed the keys. */
  private void refuse(int type, byte[] bytes, int from, int to, RecordMoments when) {
    if (isEarly() && keys.now() != null && lostSince == 0) {
      passEarly(to - from);
      return;
    }
    TrafficKeys next = keys.next();
    if (next != null && opensWith(next, lostSince + 2, 0, type, bytes, from, to, when)) {
      return;
    }
    if (isEarly()) {
      passEarly(to - from);
      return;
    }
    boolean isUnknown = keys.now() == null;
    boolean isOfHandshake = keys.stage() == Stage.HANDSHAKE;
    if (next != null && isUnknown && isOfHandshake && ++passed <= PASSED_MAX) {
      return;
    }
    if (isUnknown) {
      // Without the server's hello nothing tells which keys would have fitted.
      connection.giveUp(
          session.isChosen() ? TlsConnection.Reason.NO_KEYS : TlsConnection.Reason.LOST, moment);
    } else if (!hasOpened) {
      connection.giveUp(TlsConnection.Reason.UNFITTING_KEYS, moment);
    } else if (++refused > REFUSED_MAX) {
      connection.giveUp(TlsConnection.Reason.LOST, moment);
    } else {
      recordLost(type, to - from, moment);
    }
  }

  /** Whether a record, behind lost bytes, is one of the first under the next keys. */
  private boolean opensWith(
      TrafficKeys next,
      int most,
      long lost,
      int type,
      byte[] bytes,
      int from,
      int to,
      RecordMoments when) {
    for (int number = 0; number <= most && reading.mayAttempt(to - from); number++) {
      int length = keys.openWith(next, number, type, bytes, from, to);
      if (length != RecordKeys.CLOSED) {
        if (lost > 0) {
          missingBefore(next, lost, number);
        }
        adopt(next, number);
        opened(type, length, when);
        return true;
      }
    }
    return false;
  }

  /** A record is open: its plaintext lies in the pool. */
  private void opened(int type, int length, RecordMoments when) {
    TrafficKeys with = keys.now();
    if (with == null) {
      return;
    }
    keys.pass(1);
    refused = 0;
    lostSince = 0;
    headersTried = 0;
    hasOpened = true;
    connection.opened();
    byte[] plaintext = reading.pool.plaintext;
    int inner = type;
    int end = length;
    if (session.isTls13()) {
      while (end > 0 && plaintext[end - 1] == 0) {
        end--;
      }
      inner = end == 0 ? 0 : plaintext[--end];
    }
    switch (inner) {
      case HANDSHAKE -> {
        messages.accept(plaintext, 0, end);
        mayUpdate();
      }
      case DATA -> hand(plaintext, end, with.keys().plaintextOffset(), when);
      case ALERT -> {
        if (end == 2 && plaintext[1] == CLOSE_NOTIFY) {
          connection.closed(ofClient, moment);
        }
      }
      case CHANGE_CIPHER_SPEC -> {
        if (keys.mayRenew() && !session.isTls13()) {
          renewKeys();
        }
      }
      default -> {}
    }
  }

  /**
   * Changes the keys when the record said so: once, as nothing may follow that in it (RFC 8446,
   * section 5.1), so that a record of thousands of updates costs no more than one.
   */
  private void mayUpdate() {
    if (asksForUpdate) {
      asksForUpdate = false;
      keys.update();
    }
  }

  /** Hands on plaintext, each part at the moment at which it was captured. */
  private void hand(byte[] plaintext, int length, int offset, RecordMoments when) {
    when.set(moment, 0);
    connection.record(ofClient, plaintext, 0, length, moment);
    int at = 0;
    for (int part = 0; part < when.size() && at < length; part++) {
      boolean isLast = part == when.size() - 1;
      int end = isLast ? length : Math.clamp(when.offset(part + 1) - offset, at, length);
      if (end > at) {
        when.set(moment, part);
        connection.plaintext(ofClient, plaintext, at, end, moment);
        at = end;
      }
    }
    when.set(moment, when.size() - 1);
  }

  private void handshakeMessage(int type, byte[] bytes, int from, int to) {
    switch (type) {
      case HandshakeMessages.CLIENT_HELLO -> {
        TlsHello hello = ofClient ? TlsHello.ofClient(bytes, from, to) : null;
        if (hello != null) {
          session.clientHello(hello);
          connection.clientAsked();
        }
      }
      case HandshakeMessages.SERVER_HELLO -> {
        TlsHello hello = ofClient ? null : TlsHello.ofServer(bytes, from, to);
        if (hello != null && !hello.isRetry()) {
          session.serverHello(hello);
          connection.serverChose(moment);
        }
      }
      case HandshakeMessages.ENCRYPTED_EXTENSIONS -> {
        if (!ofClient && keys.stage() == Stage.HANDSHAKE) {
          session.chooses(TlsHello.applicationOf(bytes, from, to));
        }
      }
      case HandshakeMessages.FINISHED -> finished();
      case HandshakeMessages.KEY_UPDATE -> asksForUpdate = keys.stage() == Stage.DATA;
      default -> {}
    }
  }

  private void finished() {
    keys.handshakeEnds();
    if (!ofClient && keys.stage() == Stage.DATA) {
      connection.handshakeOver();
    }
  }

  @Override
  void recordLost(int type, int length, Moment when) {
    TrafficKeys with = keys.now();
    messages.lose();
    lostSince++;
    if (keys.stage() == Stage.CLEAR || isOutside(type)) {
      return;
    }
    context.counters.increment(WireCount.UNREAD_RECORDS);
    keys.pass(1);
    if (keys.stage() == Stage.DATA && with != null) {
      connection.missing(ofClient, Math.max(0, length - with.keys().overheadBytes()), when);
    }
  }

  @Override
  void beginningLost(boolean byGap, Moment when) {
    messages.lose();
    if (!byGap && keys.stage() != Stage.CLEAR) {
      context.counters.increment(WireCount.PROTOCOL_ERRORS);
    }
    if (keys.now() == null && keys.next() == null) {
      connection.giveUp(TlsConnection.Reason.LOST, when);
    } else {
      connection.beginningLost(ofClient);
    }
  }

  @Override
  void searchFailed(Moment when) {
    connection.giveUp(TlsConnection.Reason.LOST, when);
  }

  @Override
  boolean recordFound(int type, byte[] bytes, int from, int to, RecordMoments when, long lost) {
    if (isOutside(type)) {
      return false;
    }
    when.set(moment, 0);
    int most = (int) Math.min(RECORDS_LOST_MAX, lost / RECORD_BYTES_MIN + 1 + lostSince);
    TrafficKeys known = keys.now();
    for (int number = 0; known != null && number <= most; number++) {
      if (!reading.mayAttempt(to - from)) {
        searchFailed(moment);
        return false;
      }
      int length = keys.open(number, type, bytes, from, to);
      if (length != RecordKeys.CLOSED) {
        missingBefore(known, lost, number);
        keys.pass(number);
        opened(type, length, when);
        return true;
      }
    }
    TrafficKeys next = keys.next();
    if (next != null && opensWith(next, most, lost, type, bytes, from, to, when)) {
      return true;
    }
    if (++headersTried > HEADERS_TRIED_MAX) {
      searchFailed(moment);
    }
    return false;
  }

  /** Tells the plaintext that lost bytes of so many records carried. */
  private void missingBefore(TrafficKeys with, long lost, int records) {
    context.counters.add(WireCount.UNREAD_RECORDS, Math.max(1, records));
    long overhead = (long) records * (HEADER_BYTES + with.keys().overheadBytes());
    if (keys.stage() == Stage.DATA && lost > overhead) {
      connection.missing(ofClient, lost - overhead, moment);
    }
  }
}
