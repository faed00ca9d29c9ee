package org.terrace.experiment.study.softstate;

import java.util.stream.Stream;

/** Where the cart is kept. */
enum Store {
  COLLECTIONS("collections", "Terrace, one replica has it"),
  COLLECTIONS_ALL("collections-all", "Terrace, all replicas have it"),
  POSTGRESQL("postgresql", "database on disk"),
  H2("h2", "database in memory");

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
