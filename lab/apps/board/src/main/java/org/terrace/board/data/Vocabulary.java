package org.terrace.board.data;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Made-up words with the frequencies of a natural language: the word of rank r is drawn with a
 * probability proportional to 1/(r + {@value #RANK_SHIFT}), Zipf's law as Benoit Mandelbrot
 * corrected it for the most frequent words (1953), and frequent words are shorter.
 *
 * <p>Immutable and thread-safe. Drawing a word takes one random number and one look into a table of
 * {@value #TABLE_SIZE} entries, so probabilities are multiples of 1/{@value #TABLE_SIZE}.
 */
final class Vocabulary {
  static final int WORDS = 4_000;

  private static final double RANK_SHIFT = 2.7;
  private static final int TABLE_BITS = 16;
  private static final int TABLE_SIZE = 1 << TABLE_BITS;
  private static final List<String> ONSETS =
      List.of(
          "b", "br", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p",
          "pl", "pr", "qu", "r", "s", "sk", "sl", "sp", "st", "t", "th", "tr", "v", "w", "y");
  private static final List<String> NUCLEI =
      List.of("a", "e", "i", "o", "u", "a", "e", "o", "ai", "ea", "ou");
  private static final List<String> CODAS =
      List.of("", "", "", "n", "r", "s", "l", "m", "nd", "st", "lm", "rs", "ns");

  private final String[] table = new String[TABLE_SIZE];
  private final List<String> words;

  Vocabulary(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<String> made = new LinkedHashSet<>();
    while (made.size() < WORDS) {
      made.add(word(random, syllables(random, made.size())));
    }
    words = new ArrayList<>(made);
    fillTable();
  }

  /** A word, the frequent ones more often. */
  String draw(SplittableRandom random) {
    return table[random.nextInt(TABLE_SIZE)];
  }

  /** All words, the most frequent first. */
  List<String> words() {
    return List.copyOf(words);
  }

  private void fillTable() {
    double all = 0;
    for (int rank = 1; rank <= WORDS; rank++) {
      all += 1 / (rank + RANK_SHIFT);
    }
    double sum = 0;
    int filled = 0;
    for (int rank = 1; rank <= WORDS; rank++) {
      sum += 1 / (rank + RANK_SHIFT);
      int end = rank == WORDS ? TABLE_SIZE : (int) Math.round(sum / all * TABLE_SIZE);
      while (filled < end) {
        table[filled++] = words.get(rank - 1);
      }
    }
  }

  private static int syllables(SplittableRandom random, int rank) {
    if (rank < 20) {
      return 1;
    }
    return rank < 400 ? 1 + random.nextInt(2) : 2 + random.nextInt(3);
  }

  private static String word(SplittableRandom random, int syllables) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < syllables; i++) {
      word.append(pick(ONSETS, random)).append(pick(NUCLEI, random));
      if (i == syllables - 1) {
        word.append(pick(CODAS, random));
      }
    }
    return word.toString();
  }

  private static String pick(List<String> parts, SplittableRandom random) {
    return parts.get(random.nextInt(parts.size()));
  }
}
