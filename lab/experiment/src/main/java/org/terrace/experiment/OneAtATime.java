package org.terrace.experiment;

/** Calls a listener from one thread at a time. */
final class OneAtATime implements TrialListener {
  private final TrialListener listener;

  OneAtATime(TrialListener listener) {
    this.listener = listener;
  }

  @Override
  public synchronized void phase(TrialPhase phase) {
    listener.phase(phase);
  }

  @Override
  public synchronized void message(String text) {
    listener.message(text);
  }

  @Override
  public synchronized void warning(String text) {
    listener.warning(text);
  }

  @Override
  public synchronized void progress(String json) {
    listener.progress(json);
  }
}
