package org.terrace.groups.builtin;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The errors that a class logs, added to a list until closed. */
final class LoggedErrors extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> messages;

  private LoggedErrors(Logger logger, List<String> messages) {
    this.logger = logger;
    this.messages = messages;
  }

  static LoggedErrors of(Class<?> source, List<String> messages) {
    LoggedErrors errors = new LoggedErrors(Logger.getLogger(source.getName()), messages);
    errors.logger.addHandler(errors);
    return errors;
  }

  @Override
  public void publish(LogRecord entry) {
    if (entry.getLevel().equals(Level.SEVERE)) {
      messages.add(entry.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
