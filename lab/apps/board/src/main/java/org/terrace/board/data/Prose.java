package org.terrace.board.data;

import java.util.SplittableRandom;

/** Texts and titles of made-up words. Immutable and thread-safe. */
final class Prose {
  private static final int LEAST_SENTENCE_WORDS = 5;
  private static final int MOST_SENTENCE_WORDS = 18;
  private static final int SENTENCES_PER_PARAGRAPH = 5;
  private static final int LEAST_TITLE_WORDS = 3;
  private static final int MOST_TITLE_WORDS = 8;
  private static final int LONGEST_TITLE = 90;

  private final Vocabulary vocabulary;

  Prose(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** A title of some words, under 100 characters. */
  String title(SplittableRandom random) {
    StringBuilder title = new StringBuilder();
    int words = random.nextInt(LEAST_TITLE_WORDS, MOST_TITLE_WORDS + 1);
    for (int i = 0; i < words; i++) {
      String word = vocabulary.draw(random);
      if (title.length() + word.length() < LONGEST_TITLE) {
        append(title, word, i == 0);
      }
    }
    return title.toString();
  }

  /** Sentences in paragraphs, at most so many characters and hardly fewer. */
  String body(SplittableRandom random, int characters) {
    StringBuilder body = new StringBuilder(characters);
    int sentences = 0;
    int wordsLeft = 0;
    while (true) {
      boolean first = wordsLeft == 0;
      if (first) {
        wordsLeft = random.nextInt(LEAST_SENTENCE_WORDS, MOST_SENTENCE_WORDS + 1);
        if (sentences++ > 0) {
          body.append(sentences % SENTENCES_PER_PARAGRAPH == 0 ? ".\n" : ".");
        }
      }
      String word = vocabulary.draw(random);
      // The word, a blank before it and the full stop (with a line feed) that may come after it.
      if (body.length() + word.length() + 3 > characters) {
        break;
      }
      append(body, word, first);
      wordsLeft--;
    }
    if (!body.isEmpty() && Character.isLetter(body.charAt(body.length() - 1))) {
      body.append('.');
    }
    return body.toString().stripTrailing();
  }

  private static void append(StringBuilder text, String word, boolean capital) {
    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
      text.append(' ');
    }
    if (capital) {
      text.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    } else {
      text.append(word);
    }
  }
}
