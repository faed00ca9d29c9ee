package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.RequestClass;
import org.terrace.wire.bytes.Bytes;

/**
 * The classes of requests, numbered in the order of their first use and found by their bytes, so
 * that a known class makes no text. Beyond a limit all new ones are one class, {@value #OTHER}.
 * Confined to one thread.
 */
public final class RequestClasses {
  /** The class of all requests beyond the limit. */
  static final String OTHER = "other";

  /** The number of {@value #OTHER}. */
  static final int OTHER_CLASS = 0;

  private final int classesMax;
  private final List<String> names = new ArrayList<>();
  private final BitSet waiting = new BitSet();
  private @Nullable Entry[] entries = new @Nullable Entry[256];

  RequestClasses(int classesMax) {
    this.classesMax = classesMax;
    of(OTHER);
  }

  /** The number of a class by its name. */
  public int of(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return of(bytes, bytes.length);
  }

  /** The number of the class whose name is the first bytes of an array. */
  public int of(byte[] name, int length) {
    long hash = Bytes.hash(name, 0, length);
    int mask = entries.length - 1;
    int at = (int) hash & mask;
    for (Entry entry = entries[at]; entry != null; entry = entries[at]) {
      if (entry.hash == hash && Bytes.equal(name, 0, length, entry.name)) {
        return entry.number;
      }
      at = (at + 1) & mask;
    }
    if (names.size() > classesMax) {
      return OTHER_CLASS;
    }
    int number = names.size();
    names.add(new String(name, 0, length, StandardCharsets.UTF_8));
    waiting.set(number, RequestClass.mayWait(names.getLast()));
    entries[at] = new Entry(hash, Arrays.copyOf(name, length), number);
    if (names.size() * 2 > entries.length) {
      grow();
    }
    return number;
  }

  private void grow() {
    @Nullable Entry[] old = entries;
    entries = new @Nullable Entry[old.length * 2];
    int mask = entries.length - 1;
    for (Entry entry : old) {
      if (entry != null) {
        int at = (int) entry.hash & mask;
        while (entries[at] != null) {
          at = (at + 1) & mask;
        }
        entries[at] = entry;
      }
    }
  }

  /** The name of a class. */
  public String name(int number) {
    return names.get(number);
  }

  /** Whether the requests of a class may wait by their client's own wish. */
  boolean mayWait(int number) {
    return waiting.get(number);
  }

  private record Entry(long hash, byte[] name, int number) {}
}
