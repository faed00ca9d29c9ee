package org.terrace.protocols.memcached;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.terrace.protocols.text.Ascii;
import org.terrace.wire.bytes.Bytes;

/** The commands of Memcached's text protocol, by how they go on and how they are answered. */
enum TextCommand {
  GET(Answer.VALUES),
  GETS(Answer.VALUES),
  GAT(Answer.VALUES),
  GATS(Answer.VALUES),
  SET(4),
  ADD(4),
  REPLACE(4),
  APPEND(4),
  PREPEND(4),
  CAS(4),
  DELETE(Answer.LINE),
  INCR(Answer.LINE),
  DECR(Answer.LINE),
  TOUCH(Answer.LINE),
  STATS(Answer.VALUES),
  VERSION(Answer.LINE),
  VERBOSITY(Answer.LINE),
  FLUSH_ALL(Answer.LINE),
  QUIT(Answer.NONE),
  /** Get, with flags that say what of. */
  MG(Answer.LINE),
  /** Set, likewise. */
  MS(2),
  MD(Answer.LINE),
  MA(Answer.LINE),
  /** Answered when all before it are. */
  MN(Answer.BARRIER),
  ME(Answer.LINE);

  /** The ways in which a server answers. */
  enum Answer {
    NONE,
    /** One line, and the value that it may announce. */
    LINE,
    /** Any number of values or lines, and one that ends them. */
    VALUES,
    /** A line of its own, and never another one. */
    BARRIER
  }

  private static final TextCommand[] ALL = values();

  /** Their words, in the same order. */
  private static final byte[][] WORDS =
      Arrays.stream(ALL)
          .map(command -> Ascii.of(command.name().toLowerCase(Locale.ROOT)))
          .toArray(byte[][]::new);

  private static final int META_COMMAND_BYTES = 2;

  final Answer answer;

  /** The index of the word that is the length of the value that follows; 0 if none follows. */
  final int lengthWord;

  TextCommand(Answer answer) {
    this.answer = answer;
    lengthWord = 0;
  }

  TextCommand(int lengthWord) {
    answer = Answer.LINE;
    this.lengthWord = lengthWord;
  }

  /** The command of a word, or null. */
  static @Nullable TextCommand of(byte[] bytes, int from, int to) {
    for (TextCommand command : ALL) {
      if (Bytes.equal(bytes, from, to, command.word())) {
        return command;
      }
    }
    return null;
  }

  /** Whether it is one of those with flags. */
  boolean isMeta() {
    return word().length == META_COMMAND_BYTES;
  }

  /** Its word, as clients write it; not to be changed. */
  byte[] word() {
    return WORDS[ordinal()];
  }
}
