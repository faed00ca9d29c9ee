package org.terrace.experiment;

/** A listener that passes calls on to another from one thread at a time. Thread-safe. */
final class SerializedListener implements TrialListener {
  private final TrialListener listener;

  SerializedListener(TrialListener listener) {
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
