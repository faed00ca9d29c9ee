package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.terrace.distribution.rules.house.House;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The rule about commands that start processes, of the command itself and of planted ones. */
class StartingCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final String COMMAND = "org.terrace.cli.Terrace";
  private static final Map<String, Set<String>> USES =
      Map.of(
          "Root", Set.of("Run", "Show"),
          "Run", Set.of("Helper"),
          "Helper", Set.of("java.lang.ProcessBuilder"),
          "Show", Set.of("Root", "java.lang.String"));
  private static final Map<String, String> COMMANDS = Map.of("run", "Run", "show", "Show");

  @Test
  void everyCommandThatStartsProcessesIsKilledByATest() throws Exception {
    Map<String, Set<String>> uses = new HashMap<>();
    House.read(ROOT).modules().forEach(module -> uses.putAll(module.mainUses()));
    Map<String, String> commands = commands();
    List<String> lines =
        Files.readAllLines(ROOT.resolve("distribution/src/test/resources/commands.txt"));

    assertThat(commands)
        .hasSizeGreaterThan(20)
        .containsKeys("bench wire", "database status", "run");
    assertThat(new StartingCommands(lines).breaches(commands, COMMAND, uses)).isEmpty();
  }

  @Test
  void aCommandThatStartsProcessesAndIsNotKilledIsNamed() {
    assertThat(breaches())
        .containsExactly("terrace run starts processes, and commands.txt kills it not");
    assertThat(breaches("3 runs a")).hasSize(2).first().asString().startsWith("terrace run starts");
    assertThat(breaches("3 run a.yaml")).isEmpty();
    assertThat(breaches("unkilled run: it waits for them")).isEmpty();
  }

  @Test
  void aLineThatNothingNeedsIsNamed() {
    assertThat(breaches("3 run a.yaml", "unkilled run: it waits for them", "2 show", "2 play"))
        .containsExactly(
            "terrace show starts none, and commands.txt kills it",
            "commands.txt: nothing needs 'unkilled run'",
            "commands.txt: there is no such command: terrace play");
    assertThatThrownBy(() -> breaches("run a.yaml")).hasMessageContaining("run a.yaml");
  }

  private static List<String> breaches(String... lines) {
    return new StartingCommands(List.of(lines)).breaches(COMMANDS, "Root", USES);
  }

  /** The commands as the command line knows them: by the words that choose one, its class. */
  private static Map<String, String> commands() throws Exception {
    Method commandLine = Class.forName(COMMAND).getDeclaredMethod("commandLine");
    commandLine.setAccessible(true);
    Map<String, String> commands = new TreeMap<>();
    for (CommandLine command : ((CommandLine) commandLine.invoke(null)).getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      List<String> choices = new ArrayList<>(command.getSubcommands().keySet());
      spec.positionalParameters().stream()
          .filter(parameter -> parameter.completionCandidates() != null)
          .forEach(parameter -> parameter.completionCandidates().forEach(choices::add));
      String type = spec.userObject().getClass().getName();
      boolean isOneItself = spec.userObject() instanceof Callable && spec.subcommands().size() > 0;
      if (choices.isEmpty() || isOneItself) {
        commands.put(spec.name(), type);
      }
      choices.forEach(choice -> commands.put(spec.name() + " " + choice, type));
    }
    return commands;
  }
}
