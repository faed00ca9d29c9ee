package org.terrace.protocols.tls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state that all connections of TLS of a capture share: keys, ciphers, the attempts that are
 * left, and the names of what is not decrypted. Confined to one thread.
 */
final class TlsReading {
  /**
   * The bytes of all attempts to open records behind losses, of which the number is not known:
   * enough for some seconds.
   */
  static final long ATTEMPT_BYTES_MAX = 4L << 30;

  /** The bytes that take as long as the refusal of a record does, which is told by an exception. */
  private static final int REFUSAL_BYTES = 16 << 10;

  /** Names of what is not decrypted beyond so many count as one. */
  private static final int NAMES_MAX = 64;

  final TlsKeys keys;
  final CipherPool pool = new CipherPool();
  private final Map<String, Integer> notDecrypted = new TreeMap<>();
  private long attemptBytes = ATTEMPT_BYTES_MAX;

  TlsReading(TlsKeys keys) {
    this.keys = keys;
  }

  /** Takes the work of one more attempt from what is left; false when it is too much. */
  boolean mayAttempt(int bytes) {
    int cost = REFUSAL_BYTES + bytes;
    if (cost > attemptBytes) {
      return false;
    }
    attemptBytes -= cost;
    return true;
  }

  /** The bytes of attempts that are left. */
  long attemptBytes() {
    return attemptBytes;
  }

  /** Counts a connection that uses something that is not decrypted. */
  void notDecrypted(String name) {
    boolean hasRoom = notDecrypted.size() < NAMES_MAX || notDecrypted.containsKey(name);
    notDecrypted.merge(hasRoom ? name : "something else", 1, Integer::sum);
  }

  /** A sentence for everything that is not decrypted. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    notDecrypted.forEach((name, count) ->
        notes.add(
            count == 1
                ? "1 TLS connection uses %s, which is not decrypted: only its turns are known."
                    .formatted(name)
                : "%,d TLS connections use %s, which is not decrypted: only their turns are known."
                    .formatted(count, name)));
    return notes;
  }
}
