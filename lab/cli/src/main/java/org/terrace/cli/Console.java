package org.terrace.cli;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.PrintStream;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Messages and progress on standard error: one line rewritten in place on a terminal, plain lines
 * elsewhere. Colour only on a terminal, and not where {@code NO_COLOR} is set. Thread-safe.
 */
final class Console {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  @Option(names = "--quiet", description = "no messages and no progress, only errors")
  private boolean quiet;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  private final PrintStream stream;
  private final boolean terminal = isTerminal();
  private final boolean colour = terminal && System.getenv("NO_COLOR") == null;
  private boolean lineOpen;
  private boolean ended;

  Console() {
    this(System.err);
  }

  Console(PrintStream stream) {
    this.stream = stream;
  }

  /** A line that stays. */
  @FormatMethod
  synchronized void message(@FormatString String format, Object... arguments) {
    if (!quiet && !ended) {
      endProgress();
      stream.println(String.format(Locale.ROOT, format, arguments));
    }
  }

  /**
   * The line with which an interrupted command ends: what its threads still say while they are
   * ended is of no use to whoever interrupted it.
   */
  @FormatMethod
  synchronized void last(@FormatString String format, Object... arguments) {
    message(format, arguments);
    ended = true;
  }

  /** A line that stays and is set off from the others. */
  synchronized void headline(String text) {
    message("%s", colour ? BOLD + text + PLAIN : text);
  }

  /** A line that stays and says why the command ends with another code than 0, quiet or not. */
  synchronized void failure(String text) {
    if (ended) {
      return;
    }
    endProgress();
    command.commandLine().getErr().println(colour ? BOLD + text + PLAIN : text);
  }

  /** Whether only errors are asked for. */
  boolean quiet() {
    return quiet;
  }

  /** Whether a line of progress replaces the one before it, rather than standing below it. */
  boolean replacesProgress() {
    return terminal;
  }

  /** A line that the next one replaces on a terminal. */
  @FormatMethod
  synchronized void progress(@FormatString String format, Object... arguments) {
    if (quiet || ended) {
      return;
    }
    String text = String.format(Locale.ROOT, format, arguments);
    if (terminal) {
      stream.print(CLEAR_LINE + text);
      stream.flush();
      lineOpen = true;
    } else {
      stream.println(text);
    }
  }

  /** Ends a line of progress, so that what follows stands on its own. */
  synchronized void endProgress() {
    if (lineOpen) {
      stream.print(CLEAR_LINE);
      stream.flush();
      lineOpen = false;
    }
  }

  private static boolean isTerminal() {
    java.io.Console console = System.console();
    return console != null && console.isTerminal();
  }
}
