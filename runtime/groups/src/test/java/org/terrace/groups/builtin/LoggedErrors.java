package org.terrace.groups.builtin;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The errors, or what else of one level, that a class logs, added to a list until closed. */
final class LoggedErrors extends Handler implements AutoCloseable {
  private final Logger logger;
  private final Level level;
  private final List<String> messages;

  private LoggedErrors(Logger logger, Level level, List<String> messages) {
    this.logger = logger;
    this.level = level;
    this.messages = messages;
  }

  static LoggedErrors of(Class<?> source, List<String> messages) {
    return of(source, Level.SEVERE, messages);
  }

  static LoggedErrors of(Class<?> source, Level level, List<String> messages) {
    LoggedErrors errors = new LoggedErrors(Logger.getLogger(source.getName()), level, messages);
    errors.logger.addHandler(errors);
    return errors;
  }

  @Override
  public void publish(LogRecord entry) {
    if (entry.getLevel().equals(level)) {
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
