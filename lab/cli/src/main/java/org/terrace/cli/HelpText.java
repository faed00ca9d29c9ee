package org.terrace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The prose of the help texts, as paragraphs that fill the width of the terminal. Stateless. */
final class HelpText {
  private HelpText() {}

  /** Joins the lines of each paragraph of a command and of those below it. */
  static void fillLines(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    String[] description = usage.description();
    if (description.length > 1) {
      // The first line alone is shown in the list of commands.
      String rest = String.join(" ", Arrays.asList(description).subList(1, description.length));
      usage.description(description[0], rest);
    }
    usage.footer(paragraphs(List.of(usage.footer())).toArray(String[]::new));
    command.getSubcommands().values().forEach(HelpText::fillLines);
  }

  /** Lines that are empty, indented, or follow one that ends with a colon begin anew. */
  static List<String> paragraphs(List<String> lines) {
    List<String> all = new ArrayList<>();
    boolean open = false;
    for (String line : lines) {
      boolean prose = !line.isEmpty() && !line.startsWith(" ");
      if (prose && open) {
        all.add(all.removeLast() + " " + line);
      } else {
        all.add(line);
      }
      open = prose && !line.endsWith(":");
    }
    return all;
  }
}
