package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The first line of each command's description, which is all that the list of commands shows. */
class HelpTextTest {
  static List<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>(List.of(Terrace.commandLine()));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theFirstLineIsASentence(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();

    assertThat(description).as(command.getCommandName()).isNotEmpty();
    assertThat(description[0]).as(command.getCommandName()).matches("[A-Z].*\\.");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyLineFitsATerminal(CommandLine command) {
    assertThat(command.getUsageMessage().lines())
        .as(command.getCommandName())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(110));
  }
}
