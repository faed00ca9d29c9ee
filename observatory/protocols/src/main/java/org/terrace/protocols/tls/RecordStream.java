package org.terrace.protocols.tls;

import java.util.Arrays;
import org.terrace.protocols.text.MemoryBudget;
import org.terrace.wire.bytes.Bytes;
import org.terrace.wire.tcp.Moment;

/**
 * One direction of a connection as records of TLS. A record that lies in one segment is read there;
 * of others the body is kept until it is whole. Behind a loss that hides a beginning it looks for
 * the next header whose record opens. Confined to one thread.
 *
 * <p>Source: RFC 8446, section 5.1; RFC 5246, section 6.2.
 */
abstract class RecordStream {
  /** The length of a record's header: type, version, length. */
  static final int HEADER_BYTES = 5;

  /** The types of records, of which this is the first. */
  static final int CHANGE_CIPHER_SPEC = 20;

  static final int ALERT = 21;
  static final int HANDSHAKE = 22;

  /** The type of data, and of all records that TLS 1.3 encrypts. */
  static final int DATA = 23;

  private static final int MAJOR_VERSION = 3;
  private static final int MINOR_VERSION_MAX = 4;

  /** The bytes behind a loss in which a record is looked for. */
  private static final int SEARCH_BYTES_MAX = 1 << 20;

  private static final int SEARCHED_BYTES = HEADER_BYTES + CipherPool.RECORD_BYTES_MAX;
  private static final byte[] NOTHING = {};

  private final MemoryBudget memory;
  private final byte[] header = new byte[HEADER_BYTES];
  private final RecordMoments moments = new RecordMoments();
  private final RecordMoments partMoments = new RecordMoments();
  private final Moment partMoment = new Moment();
  private int headerLength;

  /** The body of the record that is being read, and its bytes so far. */
  private byte[] body = NOTHING;

  private int bodyLength;

  /** Bytes of a record's body that pass, since a part of it is missing. */
  private int passing;

  private boolean searching;
  private byte[] searched = NOTHING;
  private int searchedLength;
  private long lostBytes;
  private long passedInSearch;
  private boolean stopped;

  RecordStream(MemoryBudget memory) {
    this.memory = memory;
  }

  /** A record is whole. Its body lies in the array, and is valid during the call only. */
  abstract void record(int type, byte[] bytes, int from, int to, RecordMoments when);

  /** A record is over of which not all was captured. */
  abstract void recordLost(int type, int length, Moment moment);

  /** Nothing tells any more where records begin. */
  abstract void beginningLost(boolean byGap, Moment moment);

  /**
   * Whether a record opens that may follow a loss, which is then taken as {@link #record} does.
   *
   * @param lost the bytes of the direction between the last record that was read and its header
   */
  abstract boolean recordFound(
      int type, byte[] bytes, int from, int to, RecordMoments when, long lost);

  /** No record is found behind a loss within the limits. */
  abstract void searchFailed(Moment moment);

  /** Takes no more. */
  final void stop() {
    stopped = true;
    searching = false;
    release();
  }

  /** Takes the next bytes. */
  final void accept(byte[] bytes, int from, int to, Moment moment) {
    int at = from;
    while (at < to && !stopped) {
      at = searching ? search(bytes, at, to, moment) : read(bytes, at, to, moment);
    }
  }

  private int read(byte[] bytes, int from, int to, Moment moment) {
    if (passing > 0) {
      int count = Math.min(passing, to - from);
      pass(count, moment);
      return from + count;
    }
    if (headerLength == HEADER_BYTES) {
      return readBody(bytes, from, to, moment);
    }
    if (headerLength == 0) {
      moments.clear();
      moments.add(-HEADER_BYTES, moment);
      if (to - from >= HEADER_BYTES) {
        if (!isHeader(bytes, from)) {
          loseBeginning(0, false, moment);
          return from;
        }
        int bodyFrom = from + HEADER_BYTES;
        int end = bodyFrom + Bytes.u16(bytes, from + 3);
        if (end <= to) {
          record(bytes[from], bytes, bodyFrom, end, moments);
          return end;
        }
      }
    } else {
      moments.add(headerLength - HEADER_BYTES, moment);
    }
    int count = Math.min(HEADER_BYTES - headerLength, to - from);
    System.arraycopy(bytes, from, header, headerLength, count);
    headerLength += count;
    if (headerLength == HEADER_BYTES) {
      headerEnds(moment);
    }
    return from + count;
  }

  private void headerEnds(Moment moment) {
    if (!isHeader(header, 0)) {
      headerLength = 0;
      loseBeginning(HEADER_BYTES, false, moment);
      return;
    }
    int length = Bytes.u16(header, 3);
    if (length == 0) {
      headerLength = 0;
      record(header[0], NOTHING, 0, 0, moments);
    } else if (memory.take(length)) {
      body = new byte[length];
    } else {
      passing = length;
    }
  }

  private int readBody(byte[] bytes, int from, int to, Moment moment) {
    int count = Math.min(body.length - bodyLength, to - from);
    moments.add(bodyLength, moment);
    System.arraycopy(bytes, from, body, bodyLength, count);
    bodyLength += count;
    if (bodyLength == body.length) {
      byte[] whole = body;
      releaseBody();
      headerLength = 0;
      record(header[0], whole, 0, whole.length, moments);
    }
    return from + count;
  }

  private void pass(int count, Moment moment) {
    passing -= count;
    if (passing == 0) {
      headerLength = 0;
      recordLost(header[0], Bytes.u16(header, 3), moment);
    }
  }

  /** Whether a record may begin so. */
  private static boolean isHeader(byte[] bytes, int at) {
    return bytes[at] >= CHANGE_CIPHER_SPEC
        && bytes[at] <= DATA
        && bytes[at + 1] == MAJOR_VERSION
        && bytes[at + 2] >= 0
        && bytes[at + 2] <= MINOR_VERSION_MAX
        && Bytes.u16(bytes, at + 3) <= CipherPool.RECORD_BYTES_MAX;
  }

  /** The next bytes were not captured. */
  final void missing(long byteCount, Moment moment) {
    if (stopped) {
      return;
    }
    if (searching) {
      lostBytes += searchedLength + byteCount;
      searchedLength = 0;
      return;
    }
    boolean inBody = headerLength == HEADER_BYTES;
    int left = passing > 0 ? passing : body.length - bodyLength;
    if (inBody && byteCount <= left) {
      releaseBody();
      passing = left;
      pass((int) byteCount, moment);
      return;
    }
    long read = headerLength;
    if (inBody) {
      read += Bytes.u16(header, 3) - left;
    }
    loseBeginning(read + byteCount, true, moment);
  }

  private void loseBeginning(long bytes, boolean byGap, Moment moment) {
    releaseBody();
    headerLength = 0;
    passing = 0;
    searching = true;
    lostBytes = bytes;
    passedInSearch = 0;
    beginningLost(byGap, moment);
    if (stopped) {
      return;
    }
    if (memory.take(SEARCHED_BYTES)) {
      searched = new byte[SEARCHED_BYTES];
    } else {
      searchFailed(moment);
    }
  }

  /** Takes bytes into the search; returns the index of the first that was not taken. */
  private int search(byte[] bytes, int from, int to, Moment moment) {
    int count = Math.min(searched.length - searchedLength, to - from);
    if (searchedLength == 0) {
      moments.clear();
    }
    moments.add(searchedLength, moment);
    System.arraycopy(bytes, from, searched, searchedLength, count);
    searchedLength += count;
    searchHeld();
    if (searching && passedInSearch > SEARCH_BYTES_MAX) {
      searchFailed(moment);
    }
    return from + count;
  }

  private void searchHeld() {
    int at = 0;
    while (searching && at + HEADER_BYTES <= searchedLength) {
      if (isHeader(searched, at) && searched[at + 2] == MAJOR_VERSION) {
        int from = at + HEADER_BYTES;
        int end = from + Bytes.u16(searched, at + 3);
        if (end > searchedLength) {
          break;
        }
        partMoments.from(moments, from);
        if (recordFound(searched[at], searched, from, end, partMoments, lostBytes + at)) {
          if (!stopped) {
            found(end);
          }
          return;
        }
      }
      at++;
    }
    if (searching) {
      lostBytes += at;
      passedInSearch += at;
      partMoments.from(moments, at);
      moments.from(partMoments, 0);
      searchedLength -= at;
      System.arraycopy(searched, at, searched, 0, searchedLength);
    }
  }

  /** Reads on behind a record that was found. */
  private void found(int end) {
    byte[] rest = Arrays.copyOfRange(searched, end, searchedLength);
    partMoments.from(moments, end);
    RecordMoments when = new RecordMoments();
    when.from(partMoments, 0);
    searching = false;
    releaseSearched();
    for (int part = 0; part < when.size() && !stopped; part++) {
      int to = part + 1 < when.size() ? when.offset(part + 1) : rest.length;
      when.set(partMoment, part);
      accept(rest, when.offset(part), to, partMoment);
    }
  }

  private void releaseBody() {
    memory.giveBack(body.length);
    body = NOTHING;
    bodyLength = 0;
  }

  private void releaseSearched() {
    memory.giveBack(searched.length);
    searched = NOTHING;
    searchedLength = 0;
  }

  /** Gives back the memory of what is kept. */
  final void release() {
    releaseBody();
    releaseSearched();
  }
}
