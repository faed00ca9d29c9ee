package org.terrace.experiment;

import org.terrace.observation.Event;

/** A listener that is called by one thread at a time, whoever calls. */
final class SynchronizedListener implements TrialListener {
  private final TrialListener listener;

  SynchronizedListener(TrialListener listener) {
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
  public synchronized void fault(Event fault) {
    listener.fault(fault);
  }

  @Override
  public synchronized void progress(String json) {
    listener.progress(json);
  }
}
