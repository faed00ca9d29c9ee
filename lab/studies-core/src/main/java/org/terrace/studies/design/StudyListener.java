package org.terrace.studies.design;

/** Whoever shows how a study is getting on. Thread-safe. */
public interface StudyListener {
  /** A step has begun. */
  void message(String text);

  /** Takes a warning that a user should read: the study goes on, but lacks something. */
  void warning(String text);

  /** The progress so far; the next one replaces it. */
  void progress(String text);
}
