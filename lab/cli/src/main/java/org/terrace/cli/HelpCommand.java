package org.terrace.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code terrace help}: the same as {@code --help} of the command that is named. */
@Command(
    name = "help",
    description = "Explains a command, as its --help does.",
    footer = {"", "Examples:", "  terrace help analyze", "  terrace help services drain"})
final class HelpCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "the command; without one, the list of all")
  private List<String> names = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String name : names) {
      CommandLine next = command.getSubcommands().get(name);
      if (next == null) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT, Mistakes.noCommand(name, command.getSubcommands().keySet()));
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
    return 0;
  }
}
