package org.terrace.distribution;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.terrace.studies.design.StudyListener;

/** The messages and warnings of a study, in the order in which they came. Thread-safe. */
final class StudyMessages implements StudyListener {
  final List<String> messages = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void message(String message) {
    messages.add(message);
  }

  @Override
  public void warning(String warning) {
    messages.add(warning);
  }

  @Override
  public void progress(String progress) {}
}
