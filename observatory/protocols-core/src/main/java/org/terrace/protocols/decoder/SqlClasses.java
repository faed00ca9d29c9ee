package org.terrace.protocols.decoder;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.prepared.StatementNames;
import org.terrace.protocols.prepared.TypesTold;
import org.terrace.protocols.prepared.UnseenStatement;
import org.terrace.protocols.text.TextBuffer;
import org.terrace.wire.bytes.Bytes;

/**
 * The classes of SQL statements. A text seen lately is found by its bytes without being normalised
 * again. Confined to one thread.
 */
final class SqlClasses {
  private static final int CACHE_SLOTS = 2048;
  private static final int CACHED_BYTES_MAX = 1024;
  private static final int SHAPES_MAX = 1024;
  private static final String EMPTY = "(empty query)";

  private final RequestClasses classes;
  private final SqlText normaliser = new SqlText();
  private final @Nullable Entry[] cache = new @Nullable Entry[CACHE_SLOTS];
  private final BitSet beginnings = new BitSet();
  private final TextBuffer joined = new TextBuffer(1024);

  /** The names without types of statements of which an execution told types in part. */
  private final Set<String> toldInPart = new HashSet<>();

  private boolean typesLeftOut;

  /** The number of times that what executions tell of types has become less. */
  private int edition;

  SqlClasses(RequestClasses classes) {
    this.classes = classes;
  }

  /** The class of a statement text. */
  int classOf(byte[] bytes, int from, int to) {
    long hash = Bytes.hash(bytes, from, to);
    int slot = (int) hash & (CACHE_SLOTS - 1);
    Entry entry = cache[slot];
    if (entry != null && entry.hash == hash && Bytes.equal(bytes, from, to, entry.text)) {
      return entry.requestClass;
    }
    int requestClass = normalised(bytes, from, to);
    if (to - from <= CACHED_BYTES_MAX) {
      cache[slot] = new Entry(hash, Arrays.copyOfRange(bytes, from, to), requestClass);
    }
    return requestClass;
  }

  private int normalised(byte[] bytes, int from, int to) {
    TextBuffer text = normaliser.normalise(bytes, from, to);
    if (text.isEmpty()) {
      return classes.of(EMPTY);
    }
    int requestClass = classes.of(text.bytes(), text.length());
    if (requestClass != RequestClasses.OTHER_CLASS && beginsTransaction(text)) {
      beginnings.set(requestClass);
    }
    return requestClass;
  }

  private static boolean beginsTransaction(TextBuffer text) {
    return beginsTransaction(
        new String(text.bytes(), 0, Math.min(text.length(), 17), StandardCharsets.US_ASCII)
            .toUpperCase(Locale.ROOT));
  }

  private static boolean beginsTransaction(String start) {
    return start.equals("BEGIN") || start.startsWith("BEGIN ") || start.equals("START TRANSACTION");
  }

  /** Whether a class only begins a transaction. */
  boolean isBeginning(int requestClass) {
    return beginnings.get(requestClass);
  }

  /**
   * An execution left out the types of its parameters, as drivers do that tell them once, so that
   * other executions of the same statement tell no more than this one.
   */
  void typesLeftOut() {
    edition += typesLeftOut ? 0 : 1;
    typesLeftOut = true;
  }

  /** The class of a statement of which no text was seen, by what has been told of it so far. */
  int unseen(UnseenStatement statement) {
    int known = statement.requestClass(edition);
    if (known == StatementNames.UNKNOWN) {
      TypesTold types = typesToldOf(statement);
      known = named(statement, types);
      statement.keep(known, edition);
    }
    return known;
  }

  private TypesTold typesToldOf(UnseenStatement statement) {
    if (typesLeftOut) {
      return TypesTold.ONCE;
    }
    String shape = statement.name(TypesTold.IN_PART);
    boolean mayBeAdded = statement.isToldInPart() && toldInPart.size() < SHAPES_MAX;
    if (mayBeAdded && toldInPart.add(shape)) {
      // Another connection's execution of it may tell all, and its name must be the same.
      edition++;
    }
    return toldInPart.contains(shape) ? TypesTold.IN_PART : TypesTold.EACH_TIME;
  }

  private int named(UnseenStatement statement, TypesTold types) {
    TextBuffer name = joined;
    name.clear();
    name.add(statement.name(types));
    int requestClass = classes.of(name.bytes(), name.length());
    if (requestClass != RequestClasses.OTHER_CLASS && beginsTransaction(statement.verb())) {
      beginnings.set(requestClass);
    }
    return requestClass;
  }

  /** The class of a statement that was prepared and not executed. */
  int prepareOf(int requestClass) {
    joined.clear();
    joined.add("PREPARE ");
    joined.add(classes.name(requestClass));
    return classes.of(joined.bytes(), joined.length());
  }

  /** The class of several statements that were executed in one turn. */
  int joined(int[] requestClasses, int count, boolean more) {
    joined.clear();
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        joined.add("; ");
      }
      joined.add(classes.name(requestClasses[i]));
    }
    if (more) {
      joined.add("; ...");
    }
    return classes.of(joined.bytes(), joined.length());
  }

  private record Entry(long hash, byte[] text, int requestClass) {}
}
