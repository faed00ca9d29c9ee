package org.terrace.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the {@code terrace} command. */
@Command(
    name = "terrace",
    mixinStandardHelpOptions = true,
    description = "Builds, breaks, watches and explains n-tier services.")
final class Terrace {
  private Terrace() {}

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Terrace()).execute(arguments));
  }
}
