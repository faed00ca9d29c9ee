package org.terrace.studies.softstate;

import java.util.stream.Stream;

/** The store that keeps the cart. */
enum Store {
  COLLECTIONS("collections", "Terrace, level LOCAL"),
  COLLECTIONS_ALL("collections-all", "Terrace, level ALL"),
  POSTGRESQL("postgresql", "PostgreSQL on disk"),
  H2("h2", "H2 in memory");

  private final String word;
  private final String label;

  Store(String word, String label) {
    this.word = word;
    this.label = label;
  }

  /** Its name in a specification. */
  String word() {
    return word;
  }

  /** Its name in a report. */
  String label() {
    return label;
  }

  boolean isDatabase() {
    return this == POSTGRESQL || this == H2;
  }

  static Store of(String word) {
    return Stream.of(values())
        .filter(store -> store.word.equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(word));
  }
}
